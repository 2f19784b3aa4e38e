import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Comparison, Revision } from '@tributary/git/changeset';
import { type Git, network } from '@tributary/git/git';
import type { Services } from '@tributary/terminal/main';
import type { Ui } from '@tributary/terminal/ui';
import type { RepoLocation } from './locate.js';

/** The number of commits that each attempt deepens by. They add up to some thousand; older branches are not worth it. */
const STEPS = [20, 100, 500, 3000] as const;

/** The limit for all fetches together, so that a hanging remote does not hang a CI job. */
const TIME_LIMIT_MS = 180_000;

interface Wanted {
  readonly head: Revision;
  /** What to request from the remote besides the head: a branch with its destination, or a commit id. */
  readonly refspecs: readonly string[];
  /** The refspecs to request if the remote lacks those. */
  readonly otherwise: readonly string[];
  /** For messages. */
  readonly source: string;
  readonly compareHere: () => Promise<Comparison | undefined>;
}

/**
 * Fetches history step by step until this clone has both commits and their merge base. `undefined` if it still lacks them, or if that takes
 * too long. It deepens a shallow clone; for any other clone it fetches only what is missing. It does not touch the checkout.
 */
export async function fetchUntilTheyMeet(
  git: Git,
  repository: RepoLocation,
  more: { wanted: Wanted; services: FetchServices },
): Promise<Comparison | undefined> {
  const { wanted, services } = more;
  const { ui, signal } = services;
  const limit = AbortSignal.timeout(TIME_LIMIT_MS);
  const remote = network(repository.gitDir, { signal: AbortSignal.any([signal, limit]) });
  const heads = await headCommit(git, wanted.head);
  for (const step of repository.depth === 'shallow' ? STEPS : [0]) {
    ui.status(
      step === 0
        ? `Fetching ${wanted.source}.`
        : `Fetching ${step} more commits, to find where ${wanted.head} branched off ${wanted.source}.`,
    );
    try {
      if (!(await fetchOnce(remote, { step, wanted, heads, ui }))) return undefined;
    } catch (error) {
      if (signal.aborted || !limit.aborted) throw error;
      ui.warning(`Fetching was aborted after ${TIME_LIMIT_MS / 60_000} minutes.`);
      return undefined;
    }
    const comparison = await wanted.compareHere();
    if (comparison !== undefined && (await areMergeBasesKnown(git, repository, comparison))) return comparison;
  }
  return undefined;
}

type FetchServices = Pick<Services, 'ui' | 'signal'>;

interface Fetching {
  readonly step: number;
  readonly wanted: Wanted;
  readonly heads: readonly string[];
  readonly ui: Ui;
}

/** Tries several refspecs: not every server sends single commits, and a name may be a branch or a tag. */
async function fetchOnce(remote: Git, { step, wanted, heads, ui }: Fetching): Promise<boolean> {
  const flags = ['--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-maintenance', '--quiet'];
  const depth = step === 0 ? [] : [`--deepen=${step}`];
  const asked = [wanted.refspecs, wanted.otherwise].filter((refspecs) => refspecs.length > 0);
  for (const refspecs of asked.length === 0 ? [heads] : asked.flatMap((one) => [[...one, ...heads], one])) {
    const answer = await remote.attempt(['fetch', ...flags, ...depth, 'origin', ...refspecs]);
    if (answer.exit === 0) return true;
    ui.verbose(answer.stderr.trim());
  }
  return false;
}

/** Tells whether a comparison has merge bases, and no commit missing from a shallow clone can lead to a later one. */
export async function areMergeBasesKnown(git: Git, repository: RepoLocation, comparison: Comparison): Promise<boolean> {
  const { base, head, mergeBases } = comparison;
  if (mergeBases.length === 0) return false;
  if (isOneOfThem(comparison)) return true;
  const ends = shallowEnds(repository);
  if (ends.size === 0) return true;
  const between = await git.text(['rev-list', base, head, '--not', ...mergeBases]);
  return !between.split('\n').some((commit) => ends.has(commit));
}

/** Tells whether the merge base is the base or the head: then one is an ancestor of the other, whatever else is missing. */
export function isOneOfThem({ base, head, mergeBases }: Comparison): boolean {
  return mergeBases.some((commit) => commit === base || commit === head);
}

/** Returns the commits whose parents a shallow clone lacks. Fetching changes them. */
function shallowEnds({ commonDir }: RepoLocation): ReadonlySet<string> {
  const file = join(commonDir, 'shallow');
  return new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
}

async function headCommit(git: Git, head: Revision): Promise<readonly string[]> {
  const answer = await git.attempt(['rev-parse', '--verify', '--quiet', `${head}^{commit}`]);
  return answer.exit === 0 ? [answer.stdout.toString('latin1').trim()] : [];
}

/** Returns the parents recorded in a commit, even if a shallow clone lacks them. */
export async function parentsOf(git: Git, commit: Revision): Promise<readonly string[]> {
  const text = await git.text(['cat-file', 'commit', `${commit}^{commit}`]);
  const [header = ''] = text.split('\n\n');
  return [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map((match) => match[1] ?? '');
}

/** Returns the first of some revisions that is in this clone. */
export async function firstThere(git: Git, names: readonly Revision[]): Promise<Revision | undefined> {
  for (const name of names) if ((await git.attempt(['rev-parse', '--verify', '--quiet', `${name}^{commit}`])).exit === 0) return name;
  return undefined;
}
