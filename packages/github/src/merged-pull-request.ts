import type { MergedPullRequest } from '@tributary/model/forge';
import type { Instant } from '@tributary/model/time';
import type { AnswerFields } from './answer-fields.js';
import { checkedCommitIn } from './checks.js';

/** Returns a merged pull request of the response; `undefined` if GitHub has no commit of it on the branch, for example after a rewrite. */
export function mergedPullRequestIn(node: AnswerFields): MergedPullRequest | undefined {
  const merge = node.maybeOf('mergeCommit');
  const commits = node.of('commits');
  const [last] = commits.list('nodes');
  if (merge === undefined || last === undefined) return undefined;
  const head = last.of('commit');
  const mergedAt = node.time('mergedAt');
  return {
    url: node.text('url'),
    author: authorOf(node.maybeOf('author')),
    createdAt: node.time('createdAt'),
    readyForReviewAt: node.isTrue('isDraft') ? undefined : lastReadyForReview(node, mergedAt),
    approvedAt: lastApproval(node, head, mergedAt),
    mergedAt,
    updatedAt: node.time('updatedAt'),
    method: methodOf(head, merge),
    commits: commits.number('totalCount'),
    head: checkedCommitIn(head),
    merge: checkedCommitIn(merge),
  };
}

/** Returns the kind of author. A deleted account counts as a person; an account whose name ends in `-bot` counts as a bot. */
function authorOf(author: AnswerFields | undefined): MergedPullRequest['author'] {
  if (author === undefined) return 'person';
  return author.text('__typename') === 'Bot' || /[-_[]bot\]?$/i.test(author.text('login')) ? 'bot' : 'person';
}

/**
 * Returns the last approval of the head commit, which the review names. If that commit is gone, an approval counts if it is not older than
 * the last commit.
 */
function lastApproval(node: AnswerFields, head: AnswerFields, mergedAt: Instant): Instant | undefined {
  const ofHead = node
    .of('reviews')
    .list('nodes')
    .filter((review) => {
      const approved = review.maybeOf('commit');
      return approved === undefined ? review.time('submittedAt') >= head.time('committedDate') : approved.text('oid') === head.text('oid');
    });
  return latestBefore(
    ofHead.map((review) => review.time('submittedAt')),
    mergedAt,
  );
}

function lastReadyForReview(node: AnswerFields, mergedAt: Instant): Instant | undefined {
  const events = node.of('timelineItems').list('nodes');
  return latestBefore(
    events.map((event) => event.time('createdAt')),
    mergedAt,
  );
}

function latestBefore(times: readonly Instant[], end: Instant): Instant | undefined {
  const before = times.filter((time) => time <= end);
  return before.length === 0 ? undefined : (Math.max(...before) as Instant);
}

/**
 * Infers the merge method, which the API does not return. A rebase keeps the author time and headline of each commit; a squash creates new
 * ones.
 */
function methodOf(head: AnswerFields, merge: AnswerFields): MergedPullRequest['method'] {
  const isSame = head.text('oid') === merge.text('oid');
  if (!isSame && merge.of('parents').number('totalCount') > 1) return 'merge';
  const isCopy = head.time('authoredDate') === merge.time('authoredDate') && head.text('messageHeadline') === merge.text('messageHeadline');
  return isSame || isCopy ? 'rebase' : 'squash';
}
