import { type Git, plumbing } from '@tributary/git/git';
import { idLength } from '@tributary/git/object-id';
import type { ObjectId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { PullRequest } from '@tributary/model/pull-request-host';
import type { RepoUrl } from '@tributary/model/repo-url';
import { listRefs } from './refs.js';
import { announceRefs, fetchRefs, formatMismatch, type OnFetch } from './scratch-fetch.js';
import { refuseShallow } from './source.js';
import type { LocalRepository } from './target.js';

/** The pull requests of a source, with their bases, in a scratch repository. */
export interface FetchedRequests {
  readonly git: Git;
  readonly scratch: AbsolutePath;
  /** By number; without those that the source does not provide. */
  readonly heads: ReadonlyMap<number, ObjectId>;
  /** The last commits of the base branches, by name; without deleted branches. */
  readonly bases: ReadonlyMap<string, ObjectId>;
}

const PULLS = 'refs/source/pull/';
const HEADS = 'refs/source/heads/';

/**
 * Fetches pull requests and their base branches. Pull requests come from `refs/pull/<number>/head`, which includes
 * those of forks, even deleted ones. `ref`: the imported one. Throws `SOURCE_UNREACHABLE`, `SOURCE_PARTIAL`,
 * `SOURCE_SHALLOW`, `SOURCE_FORMAT_MISMATCH`, `DISK_FULL`.
 */
export async function fetchPullRequests(
  { format }: Pick<LocalRepository, 'format'>,
  place: { readonly url: RepoUrl; readonly scratch: AbsolutePath; readonly signal: AbortSignal; readonly onFetch: OnFetch },
  wanted: { readonly requests: readonly PullRequest[]; readonly ref: string },
): Promise<FetchedRequests> {
  const announced = await announceRefs(place);
  if (announced.some(({ id }) => id.length !== idLength(format))) throw formatMismatch(place.url);
  const known = new Set(announced.map(({ ref }) => ref));
  const branches = new Set([wanted.ref, ...wanted.requests.map(({ base }) => `refs/heads/${base}`)]);
  const pulls = wanted.requests.map(({ number }) => `refs/pull/${number}/head`);
  const refspecs = [
    ...[...branches].filter((ref) => known.has(ref)).map((ref) => `+${ref}:${HEADS}${ref.replace(/^refs\/heads\//, '')}`),
    ...pulls.filter((ref) => known.has(ref)).map((ref) => `+${ref}:${PULLS}${ref.split('/')[2]}`),
  ];
  if (refspecs.length > 0) await fetchRefs(place, refspecs, { onFetch: place.onFetch });
  const git = plumbing(place.scratch, { signal: place.signal });
  await refuseShallow(git, place.url);
  const found = await listRefs(git, [PULLS, HEADS]);
  const under = (prefix: string): (readonly [string, ObjectId])[] =>
    found.flatMap(({ id, name }) => (name.startsWith(prefix) ? [[name.slice(prefix.length), id] as const] : []));
  return {
    git,
    scratch: place.scratch,
    heads: new Map(under(PULLS).map(([number, id]) => [Number(number), id])),
    bases: new Map(under(HEADS)),
  };
}
