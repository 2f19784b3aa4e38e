import { findFilesWith } from '@tributary/git/grep';
import { readNamedBlobs } from '@tributary/git/objects';
import type { ChangedFile } from '@tributary/model/changeset';
import { isToolError } from '@tributary/model/errors';
import type { RepoPath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import type { FoundReason } from '@tributary/workspaces/affected';
import { owningMember } from '@tributary/workspaces/dependency-graph';
import { buildFileRules } from '@tributary/workspaces/file-rules';
import type { ChangedGraph } from '@tributary/workspaces/join-graphs';
import type { Manifest } from '@tributary/workspaces/manifest';
import { isUnreadKey } from '@tributary/workspaces/root-manifest-diff';
import { findScriptCallers, withScriptCallers } from '@tributary/workspaces/root-scripts';
import { kindOfTask, type TaskKind } from '@tributary/workspaces/task-kinds';
import { objectName } from '../io/reading.js';
import type { Snapshots } from '../snapshot.js';
import { type Answers, CODE_OWNERS } from './compared.js';
import { loadRules } from './config.js';
import type { AffectedInputs } from './inputs.js';

const NOTHING: Answers = { found: [], answered: [] };
const WORD = 'codeowners';

type Compared = { readonly joined: ChangedGraph; readonly answered: ReadonlySet<string> };

/**
 * Finds whom a changed `codeowners.ts` of the root affects: the root, whose scripts read it, and the workspaces whose files name it. The
 * rules decide if anything else may read it, or if another file selects every workspace anyway. Throws `GIT_FAILED`.
 */
export async function judgeCodeOwners(inputs: AffectedInputs, sides: Snapshots, { joined, answered }: Compared): Promise<Answers> {
  const { mergeBase, files, taskKind = 'test' } = inputs;
  // For an unknown task, it is unknown what it reads.
  if (mergeBase === null || taskKind === 'other') return NOTHING;
  const owners = ownersIn(sides, joined);
  const rules = await loadRules(inputs, [], sides.base.texts);
  const isJudged = ({ path, kind }: ChangedFile): boolean =>
    CODE_OWNERS.test(path) && kind === 'file' && (rules(path, 'outside')?.source ?? 'built-in') === 'built-in';
  const isForAll = ({ path }: ChangedFile): boolean =>
    !answered.has(path) && owners(path).length === 0 && (rules(path, 'outside')?.affects ?? 'all') === 'all';
  if (files.some((file) => !isJudged(file) && isForAll(file))) return NOTHING;
  const root = joined.graph.byPath.get('');
  const users = root === undefined ? undefined : await findUsers({ ...inputs, mergeBase, taskKind }, sides, owners);
  if (root === undefined || users === undefined) return NOTHING;
  const judged = files.filter(isJudged).map(({ path }) => path);
  const found = judged.flatMap((file) =>
    [...new Set([root, ...users])].map(
      (member): FoundReason => ({ member, reach: 'dependents', reason: { kind: 'file', file, others: 0 } }),
    ),
  );
  return { found, answered: judged };
}

type Owners = (path: string) => readonly number[];

/** Returns the workspaces that own a file at one of the commits; none if only the root does. */
function ownersIn({ base }: Snapshots, { graph, memberOfBase }: ChangedGraph): Owners {
  const root = graph.byPath.get('');
  return (path) => {
    const owners = new Set([owningMember(graph, path), memberOfBase[owningMember(base.graph, path) ?? -1]]);
    return [...owners].filter((member): member is number => member !== undefined && member !== root);
  };
}

type Inputs = Pick<AffectedInputs, 'git' | 'repository' | 'headTree'> & { readonly mergeBase: string; readonly taskKind: TaskKind };

/**
 * Returns the workspaces whose files name it. `undefined` if a file outside of workspaces names it that has not the word in its own name:
 * other files may then lead to it under another name.
 */
async function findUsers(inputs: Inputs, sides: Snapshots, owners: Owners): Promise<readonly number[] | undefined> {
  const { git, repository, mergeBase, headTree, taskKind } = inputs;
  const trees = [mergeBase, headTree];
  const named = (await findMentions(inputs, [WORD]))?.filter((path) => !CODE_OWNERS.test(path));
  if (named === undefined) return undefined;
  const names = (tree: string): string[] => named.map((path) => objectName(tree, repository.project, path));
  const blobs = await readNamedBlobs(git, trees.flatMap(names));
  const rules = buildFileRules([], [], taskKind);
  const scripts = [sides.base, sides.head].flatMap(({ rootManifest }) => scriptsOf(rootManifest).map(([name]) => name)).filter(isNamedSo);
  const users: number[] = [];
  for (const [at, path] of named.entries()) {
    const texts = [blobs[at], blobs[at + named.length]].flatMap((blob) => blob?.toString('utf8') ?? []);
    // A file that calls a script by its name reads no more than the script.
    if (path !== 'package.json' && !texts.some((text) => isNamedSo(without(text, scripts)))) continue;
    const own = owners(path);
    users.push(...own);
    if (own.length > 0 || isHarmless(path, taskKind) || rules(path, 'outside')?.affects === 'none') continue;
    if (path !== 'package.json' || !(await areScriptsHarmless(inputs, sides))) return undefined;
  }
  return users;
}

/** Documents, lockfiles and Yarn itself: no task reads a file because they name it. */
const PASSED_OVER = /\.md$|(^|\/)(yarn\.lock|package-lock\.json|\.yarn\/releases\/.*)$/i;

/**
 * Returns the files of both commits that contain one of the texts, each once. `undefined` if git cannot search every file, as in a partial
 * clone.
 */
async function findMentions(
  { git, repository: { project }, mergeBase, headTree }: Inputs,
  words: readonly string[],
): Promise<readonly RepoPath[] | undefined> {
  try {
    const found = await Promise.all([mergeBase, headTree].map((tree) => findFilesWith(git, tree, { words, project })));
    if (found.some(({ unreadable }) => unreadable.length > 0)) return undefined;
    return [...new Set(found.flatMap(({ files }) => files))].filter((file) => !PASSED_OVER.test(file));
  } catch (error) {
    if (isToolError(error) && error.code === 'GIT_FAILED') return undefined;
    throw error;
  }
}

function isNamedSo(text: string): boolean {
  return text.includes(WORD);
}

function without(text: string, names: readonly string[]): string {
  return names.reduce((rest, name) => rest.replaceAll(name, ''), text);
}

/** It has the word in its own name, lists what another tool ignores, or only the compiler reads it. */
function isHarmless(path: RepoPath, kind: TaskKind): boolean {
  return isNamedSo(path) || /^\.[\w-]+ignore$/.test(path) || (/^tsconfig[^/]*\.json$/.test(path) && kind !== 'build');
}

/** Tells whether the manifest of the root names it only in scripts that lead to no task of this kind. */
async function areScriptsHarmless(inputs: Inputs, { base, head }: Snapshots): Promise<boolean> {
  const { git, repository, headTree, taskKind } = inputs;
  const manifests = { base: base.rootManifest, head: head.rootManifest };
  const roots = [manifests.base, manifests.head];
  const isElsewhere = ([key, value]: [string, unknown]): boolean =>
    key !== 'scripts' && !isUnreadKey(key, taskKind) && isNamedSo(JSON.stringify({ [key]: value }));
  if (roots.some(({ raw }) => Object.entries(raw).some(isElsewhere))) return false;
  const own = roots.flatMap(scriptsOf).filter(([, text]) => isNamedSo(text));
  const names = withScriptCallers([...new Set(own.map(([name]) => name))], roots);
  if (names.length === 0) return true;
  if (names.some((name) => mayMatter(name, taskKind))) return false;
  const tasks = await findMentions(
    inputs,
    names.map((name) => `//#${name}"`),
  );
  if (tasks === undefined || tasks.length > 0) return false;
  const { withManifests } = await import('./read-manifests.js');
  const whole = head.project === undefined ? await withManifests({ git, repository }, headTree, head) : head;
  if ('all' in whole) return false;
  return findScriptCallers(names, { ...manifests, workspaces: whole.project?.workspaces ?? [] }).length === 0;
}

function scriptsOf({ raw: { scripts } }: Manifest): readonly (readonly [name: string, text: string])[] {
  return isPlainObject(scripts) ? Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string') : [];
}

/** Tests may run on what builds have made. */
function mayMatter(script: string, kind: TaskKind): boolean {
  const other = kindOfTask(script);
  return ON_INSTALL.test(script) || other === kind || other === 'build' || (other === 'other' && !isNamedSo(script));
}

const ON_INSTALL = /^(?:pre|post)?(?:install|prepare)$|^dependencies$/;
