import type { Instant } from '@tributary/model/time';
import type { AnswerFields } from './answer-fields.js';
import type { Waiting } from './ask-patiently.js';
import type { GitHub } from './client.js';
import type { Question } from './failure.js';
import { readListPages, repoPath } from './rest-list.js';

/** A release that is out. Its commit is that of the tag, which git knows. */
export interface ReleaseFacts {
  readonly tag: string;
  readonly publishedAt: Instant;
  readonly kind: 'release' | 'prerelease';
  readonly url: string;
}

/** The releases of a repository without drafts, page by page. Needs `contents: read`. Throws as `GitHub.call`. Source: docs.github.com/rest/releases. */
export async function* readReleases(
  github: GitHub,
  { owner, repo, onPause }: Waiting & { readonly owner: string; readonly repo: string },
): AsyncGenerator<readonly ReleaseFacts[]> {
  const question: Question = { what: `the releases of ${owner}/${repo}`, permission: 'contents: read' };
  for await (const { entries } of readListPages(github, question, { path: `${repoPath(owner, repo)}/releases?per_page=100`, onPause }))
    yield entries.filter((entry) => !entry.isTrue('draft')).map(releaseIn);
}

function releaseIn(entry: AnswerFields): ReleaseFacts {
  return {
    tag: entry.text('tag_name'),
    publishedAt: entry.time('published_at'),
    kind: entry.isTrue('prerelease') ? 'prerelease' : 'release',
    url: entry.text('html_url'),
  };
}
