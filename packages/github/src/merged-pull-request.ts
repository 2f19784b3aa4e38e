import type { MergedPullRequest } from '@tributary/model/forge';
import type { Instant } from '@tributary/model/time';
import type { AnswerFields } from './answer-fields.js';
import { checkedCommitIn } from './checks.js';

/** A merged pull request of the answer; `undefined`: GitHub has no commit of it on the branch, as after a branch was rewritten. */
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

/** A person whose account is gone counts as a person; an account of a person whose name ends with `-bot` as a bot. */
function authorOf(author: AnswerFields | undefined): MergedPullRequest['author'] {
  if (author === undefined) return 'person';
  return author.text('__typename') === 'Bot' || /[-_[]bot\]?$/i.test(author.text('login')) ? 'bot' : 'person';
}

/** What was approved says the review itself; where its commit is gone, its time against that of the last commit. */
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

/** Nothing in the API says it. A rebase keeps the author's time and headline of each commit; a squash is written anew at the merge. */
function methodOf(head: AnswerFields, merge: AnswerFields): MergedPullRequest['method'] {
  const isSame = head.text('oid') === merge.text('oid');
  if (!isSame && merge.of('parents').number('totalCount') > 1) return 'merge';
  const isCopy = head.time('authoredDate') === merge.time('authoredDate') && head.text('messageHeadline') === merge.text('messageHeadline');
  return isSame || isCopy ? 'rebase' : 'squash';
}
