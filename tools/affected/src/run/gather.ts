import { changedFile, HEAD, parseRevision, type Revision } from '@tributary/git/changeset';
import type { Git } from '@tributary/git/git';
import { withObjectReader } from '@tributary/git/objects';
import type { Services } from '@tributary/terminal/main';
import { kindOfTask } from '@tributary/workspaces/task-kinds';
import { relativeToProject } from '../changed-files.js';
import { isOneOfThem } from '../io/history.js';
import { locate, type RepoLocation } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import { startReading } from '../io/reading.js';
import { readConfig } from './config.js';
import type { AffectedInputs } from './inputs.js';
import type { AffectedRequest } from './request.js';

/**
 * Gathers the inputs of a change, and calls `use` with them. Git and the working tree are readable only until `use` ends. Code for more
 * than two commits with one merge base is loaded on demand. Throws `TARGET_NOT_FOUND`, `REVISION_MISSING`, `CONFIG_INVALID`.
 */
export async function gather<T>(request: AffectedRequest, services: Services, use: (inputs: AffectedInputs) => Promise<T>): Promise<T> {
  const repository = await locate(request.cwd);
  const useFor = async (given: AffectedInputs): Promise<T> => {
    // Not sooner: fetching history has a progress of its own.
    const progress = services.ui.progress();
    progress.phase('Comparing commits');
    const result = await use({ ...given, taskKind: kindOfTask(request.task ?? 'test'), progress });
    progress.done();
    return result;
  };
  return withObjectReader(openGit(repository, { signal: services.signal, lazyFetch: request.fetch }), async (git) => {
    const plain = await gatherPlain(request, git, repository);
    if (plain !== undefined) return useFor(plain);
    const { gatherMore } = await import('./gather-more.js');
    return gatherMore({ request, services, git, repository }, useFor);
  });
}

/** Handles the common case: a given base, with one merge base. `undefined` for everything else. */
async function gatherPlain(request: AffectedRequest, git: Git, repository: RepoLocation): Promise<AffectedInputs | undefined> {
  const { base, head, filesFrom, pullRequest, uncommitted } = request;
  if (base === undefined || filesFrom !== undefined || pullRequest !== undefined || uncommitted === 'with') return undefined;
  return gatherCommits(git, repository, { base: parseRevision(base), head: head === undefined ? HEAD : parseRevision(head) });
}

/** This may be intended, or the user forgot to leave the base branch. */
const BASE_IS_HEAD = 'The base is the head itself, so there is nothing to compare.';

/**
 * Gathers the inputs of two commits. Returns `undefined` if one is missing, if there is not exactly one merge base, or if a shallow clone
 * may hide a later one.
 */
export async function gatherCommits(
  git: Git,
  repository: RepoLocation,
  commits: { readonly base: Revision; readonly head: Revision },
): Promise<AffectedInputs | undefined> {
  const reading = startReading(git, repository, commits);
  const [comparison, changes] = await Promise.all([reading.comparison, reading.changes]);
  const [mergeBase, ...others] = comparison?.mergeBases ?? [];
  if (comparison === undefined || changes === undefined || mergeBase === undefined || others.length > 0) return undefined;
  if (repository.depth === 'shallow' && !isOneOfThem(comparison)) return undefined;
  const { base, head } = comparison;
  const texts = await reading.texts;
  const files = relativeToProject(changes.map(changedFile), repository.project);
  const warnings = base === head ? [BASE_IS_HEAD] : [];
  const known = { git, repository, base, head, headTree: head, mergeBase, files, all: undefined, texts, warnings };
  return { ...known, config: await readConfig(texts) };
}
