import { changedFile, HEAD, parseRevision, type Revision } from '@tributary/git/changeset';
import { type Git, plumbing } from '@tributary/git/git';
import type { Services } from '@tributary/terminal/main';
import { relativeToProject } from '../changed-files.js';
import { locate, type RepoLocation } from '../io/locate.js';
import { startReading } from '../io/reading.js';
import { readConfig } from './config.js';
import type { AffectedInputs } from './inputs.js';
import type { AffectedRequest } from './request.js';

/**
 * Gathers what is known of a change, and calls `use` with it: the work tree can be read only until `use` has ended. What needs more than two
 * commits with one merge base is loaded when it is needed. Throws `TARGET_NOT_FOUND`, `REVISION_MISSING`, `CONFIG_INVALID`.
 */
export async function gather<T>(request: AffectedRequest, services: Services, use: (inputs: AffectedInputs) => Promise<T>): Promise<T> {
  const plain = await gatherPlain(request);
  if (plain !== undefined) return use(plain);
  const { gatherMore } = await import('./gather-more.js');
  return gatherMore(request, services, use);
}

/** The common case: a base that was given, and one merge base with it. `undefined` for everything else. */
export async function gatherPlain(request: AffectedRequest): Promise<AffectedInputs | undefined> {
  const { base, head, filesFrom, pullRequest, uncommitted } = request;
  if (base === undefined || filesFrom !== undefined || pullRequest !== undefined || uncommitted === 'with') return undefined;
  const place = locate(request.cwd);
  const commits = { base: parseRevision(base), head: head === undefined ? HEAD : parseRevision(head) };
  return gatherCommits(plumbing(place.gitDir), place, commits);
}

/** `undefined` if a commit is missing, or if there is not exactly one merge base. */
export async function gatherCommits(
  git: Git,
  place: RepoLocation,
  commits: { readonly base: Revision; readonly head: Revision },
): Promise<AffectedInputs | undefined> {
  const reading = startReading(git, place, commits);
  const [comparison, changes] = await Promise.all([reading.comparison, reading.changes]);
  const [mergeBase, ...others] = comparison?.mergeBases ?? [];
  if (comparison === undefined || changes === undefined || mergeBase === undefined || others.length > 0) return undefined;
  const { base, head } = comparison;
  const texts = await reading.texts;
  const files = relativeToProject(changes.map(changedFile), place.project);
  const known = { git, place, base, head, headTree: head, mergeBase, files, all: undefined, texts, warnings: [] };
  return { ...known, config: await readConfig(texts) };
}
