import type { Instant } from '@tributary/model/time';
import type { AnswerFields } from './answer-fields.js';
import type { Waiting } from './ask-patiently.js';
import type { GitHub } from './client.js';
import type { Question } from './failure.js';
import { type ListPage, readListPages, repoPath } from './rest-list.js';

/** A release that is out. Its commit is that of the tag, which git knows. */
export interface ReleaseFacts {
  readonly tag: string;
  readonly publishedAt: Instant;
  readonly kind: 'release' | 'prerelease';
  readonly url: string;
}

export interface Releases {
  /** Without drafts, the newest first. */
  readonly releases: readonly ReleaseFacts[];
  /** Give it the next time, and nothing is sent where nothing has changed. Such an answer costs nothing of the limit of requests. */
  readonly etag: string | undefined;
}

/**
 * The releases of a repository; `unchanged`: the first hundred are as `etag` calls them. Needs `contents: read`. Throws as `GitHub.call`. Source: docs.github.com/rest/releases.
 */
export async function readReleases(
  github: GitHub,
  { owner, repo, etag, onPause }: Waiting & { readonly owner: string; readonly repo: string; readonly etag?: string | undefined },
): Promise<Releases | 'unchanged'> {
  const question: Question = { what: `the releases of ${owner}/${repo}`, permission: 'contents: read' };
  const pages: ListPage[] = [];
  const list = { path: `${repoPath(owner, repo)}/releases?per_page=100`, etag, onPause };
  for await (const page of readListPages(github, question, list)) pages.push(page);
  const [first] = pages;
  if (first === undefined) return 'unchanged';
  const entries = pages.flatMap((page) => page.entries).filter((entry) => !entry.isTrue('draft'));
  return { releases: entries.map(releaseIn), etag: first.etag };
}

function releaseIn(entry: AnswerFields): ReleaseFacts {
  return {
    tag: entry.text('tag_name'),
    publishedAt: entry.time('published_at'),
    kind: entry.isTrue('prerelease') ? 'prerelease' : 'release',
    url: entry.text('html_url'),
  };
}
