import type { Git } from '@tributary/git/git';
import { resolveNames } from '@tributary/git/objects';
import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import { parseDocument } from 'yaml';
import { isCiFile, isWorkflow } from '../ci-files/file-types.js';
import { Follower } from '../ci-files/follow.js';
import type { Asking, CiTree } from '../ci-files/tree.js';
import { readCiTree } from '../io/ci-tree.js';
import { readRootTexts } from '../io/reading.js';
import type { AssumedWorkflow } from '../result.js';
import type { AffectedInputs } from './inputs.js';
import { readSnapshot } from './read-snapshot.js';

/**
 * Returns the workflow to assume as running: the named one, or the only one that tests pull requests, because in CI the running workflow
 * alone counts. Throws `FILE_UNUSABLE` for a name that is no file of the head, and the errors of `readSnapshot`.
 */
export async function assumeWorkflow(
  { git, repository }: Pick<AffectedInputs, 'git' | 'repository'>,
  { head, workflow }: { readonly head: string; readonly workflow?: string | undefined },
): Promise<AssumedWorkflow> {
  if (workflow !== undefined) return { path: await findWorkflow(git, head, workflow), testing: null };
  const texts = await readRootTexts(git, head, repository.project);
  const snapshot = await readSnapshot({ git, repository, files: [] }, head, { texts, source: 'manifests' });
  if ('all' in snapshot) return { path: null, testing: [] };
  const { tree, answer } = await readCiTree(git, head, { project: repository.project, graph: snapshot.graph });
  const testing = await answer(findTesting(tree));
  return { path: testing.length === 1 ? (testing[0] ?? null) : null, testing };
}

/** Returns the workflows that pull requests start and that can run a test, also those of which it is not known. */
function* findTesting(tree: CiTree): Asking<readonly string[]> {
  const paths = [...tree.files.keys()].filter(isCiFile);
  const follower = new Follower(tree, paths, 'test');
  const workflows = paths.filter(isWorkflow);
  const texts = yield workflows;
  const testing: string[] = [];
  for (const [at, path] of workflows.entries()) {
    if (!isForPullRequests(texts[at] ?? '')) continue;
    const { starts, problem, foreignWorkflow } = yield* follower.reach([path]);
    if (starts !== undefined || problem !== undefined || foreignWorkflow !== undefined) testing.push(path);
  }
  return testing;
}

/** Tells whether pull requests start a workflow. An unreadable one counts if it mentions them. */
function isForPullRequests(text: string): boolean {
  if (!/pull_request/.test(text)) return false;
  const events = eventsOf(text);
  return events === undefined || events.some((event) => event === 'pull_request' || event === 'pull_request_target');
}

function eventsOf(text: string): readonly unknown[] | undefined {
  try {
    // As texts: `on` is a truth value in YAML 1.1.
    const value: unknown = parseDocument(text, { schema: 'failsafe', prettyErrors: false }).toJS();
    const on = isPlainObject(value) ? value['on'] : undefined;
    if (isPlainObject(on)) return Object.keys(on);
    return on === undefined ? undefined : [on].flat();
  } catch {
    return undefined;
  }
}

async function findWorkflow(git: Git, head: string, file: string): Promise<string> {
  const path = file.replace(/^(?:\.?\/)+/, '');
  const [found] = await resolveNames(git, [`${head}:${path}`]);
  if (found?.type === 'blob') return path;
  throw new ToolError({
    code: 'FILE_UNUSABLE',
    message: `${file} is not a file of ${head}.`,
    hint: 'Give the path of the workflow relative to the top of the repository, such as .github/workflows/ci.yml.',
  });
}
