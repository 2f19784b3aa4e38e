import type { ForgeRelease, ReleaseList } from '@tributary/model/forge';
import type { AnswerFields } from './answer-fields.js';
import type { GitHub, RepositoryName } from './client.js';
import type { ApiQuestion } from './failure.js';
import { type ListPage, readListPages, repoPath } from './rest-list.js';

/**
 * Returns the releases; `unchanged` if the first hundred still match `etag`, a response that does not count against the rate limit. Needs
 * `contents: read`. Throws like `GitHub.call`. Source: docs.github.com/rest/releases.
 */
export async function readReleases(
  github: GitHub,
  repository: RepositoryName,
  etag: string | undefined,
): Promise<ReleaseList | 'unchanged'> {
  const question: ApiQuestion = { what: `the releases of ${repository.owner}/${repository.repo}`, permission: 'contents: read' };
  const pages: ListPage[] = [];
  const list = { path: `${repoPath(repository)}/releases?per_page=100`, etag };
  for await (const page of readListPages(github, question, list)) pages.push(page);
  const [first] = pages;
  if (first === undefined) return 'unchanged';
  const entries = pages.flatMap((page) => page.entries).filter((entry) => !entry.isTrue('draft'));
  return { releases: entries.map(releaseIn), etag: first.etag };
}

function releaseIn(entry: AnswerFields): ForgeRelease {
  return {
    tag: entry.text('tag_name'),
    publishedAt: entry.time('published_at'),
    kind: entry.isTrue('prerelease') ? 'prerelease' : 'release',
  };
}
