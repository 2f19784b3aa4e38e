import type { AllReason } from '@tributary/model/changeset';
import type { FoundReason } from '@tributary/workspaces/affected';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { isScript } from '../changed-files.js';
import { type CiFileRead, CiReading, type RunningCi, whyChangeCounts } from '../ci-files/ci-reading.js';
import { engineOf, isCiFile } from '../ci-files/file-types.js';
import { detectEngine } from '../engines/detect.js';
import { readCiTree } from '../io/ci-tree.js';
import { readEnvironment } from '../io/environment.js';
import type { SidesCompared } from './compared.js';
import { loadRules } from './config.js';
import type { AffectedInputs } from './inputs.js';
import type { SidesRead } from './read-sides.js';

/** The result of comparing CI files. */
interface CiFilesCompared {
  readonly found: readonly FoundReason[];
  /** Files that were read, and select nothing. */
  readonly answered: readonly string[];
  readonly all: AllReason | undefined;
}

/**
 * Reads what runs in CI at both commits, if CI files changed, or scripts that CI may call.
 * A file selects everything if the running workflow uses it or, outside CI, if it can run the task, and if something in it changed that the
 * task can notice. The rules decide the rest: files that no engine reads, and files named by a rule of the user or of turbo.json. They
 * decide all files if it is unknown what runs, or what a task reads. Throws `GIT_FAILED`, `CONFIG_INVALID`.
 */
export async function compareCiFiles(inputs: AffectedInputs, sides: SidesRead, compared: SidesCompared): Promise<CiFilesCompared> {
  const { taskKind = 'test' } = inputs;
  const files = await findFiles(inputs, compared);
  const ci = files.length === 0 ? undefined : await readCi(inputs, sides, compared);
  if (ci === undefined) return NOTHING;
  const all = await whyAll(ci, files);
  if (all !== undefined) return { ...NOTHING, all };
  const answered = files.filter(({ top }) => isCiFile(top)).map(({ path }) => path);
  return { found: taskKind === 'lint' || taskKind === 'format' ? forRoot(compared, answered) : [], answered, all: undefined };
}

interface Asked {
  readonly inputs: AffectedInputs;
  readonly sides: SidesRead;
  readonly compared: SidesCompared;
}

/** `key`: of a script in a package.json. */
export type Mentions = (place: { readonly file: string; readonly specifier: string; readonly key?: string }) => boolean;

/**
 * Returns what tells whether a CI file names something in a part that counts, at either commit: in a job that can run the task, or that such
 * a job needs; what other files name counts. `undefined` if it is unknown what runs. Throws `GIT_FAILED`.
 */
export async function readMentions({ inputs, sides, compared }: Asked): Promise<Mentions | undefined> {
  const ci = inputs.repository.project === '' ? await readCi(inputs, sides, compared) : undefined;
  if (ci === undefined) return undefined;
  const both = [await ci.before.countedTexts(), await ci.after.countedTexts()];
  const runs = [await ci.before.scriptsRun(), await ci.after.scriptsRun()];
  return ({ file, specifier, key }) => {
    if (key !== undefined) return runs.some((scripts) => scripts?.has(`${file}#${key.slice('scripts.'.length)}`) !== false);
    if (!isCiFile(file)) return true;
    // A path may be written in parts.
    const name = specifier.replace(/\/+$/, '').split('/').at(-1) ?? '';
    return both.some((texts) => texts.has(file) && (/^\.*$/.test(name) || texts.get(file)?.includes(name) !== false));
  };
}

async function whyAll(ci: BothRead, files: readonly FileToRead[]): Promise<AllReason | undefined> {
  for (const { path, top } of files) {
    const why = isCiFile(top) ? whyChangeCounts(await ci.before.read(top), await ci.after.read(top)) : await whyCalled(ci, top);
    if (why === undefined) continue;
    return { code: 'RULE', reason: `${top} changed, and ${why}. To narrow that, write a rule in tributary.json.`, subject: path };
  }
  return undefined;
}

/** What runs, at both commits. */
interface BothRead {
  readonly before: CommitRead;
  readonly after: CommitRead;
}

/** Answers questions about a commit. */
interface CommitRead {
  readonly read: (path: string) => Promise<CiFileRead>;
  readonly whyCalled: (path: string) => Promise<string | undefined>;
  readonly scriptsRun: () => Promise<ReadonlySet<string> | undefined>;
  readonly countedTexts: () => Promise<ReadonlyMap<string, string | undefined>>;
  readonly isFound: boolean;
}

/** Returns `undefined` if it is unknown what runs, or nothing does. */
async function readCi(inputs: AffectedInputs, { head }: SidesRead, compared: SidesCompared): Promise<BothRead | undefined> {
  const { git, mergeBase, headTree, taskKind = 'test', repository } = inputs;
  const running = runningCi(inputs);
  if (mergeBase === null || running === 'unknown' || taskKind === 'other') return undefined;
  const readCommit = async (commit: string, graph: DependencyGraph): Promise<CommitRead> => {
    const { tree, answer } = await readCiTree(git, commit, { project: repository.project, graph });
    const ci = await answer(CiReading.create(tree, running, taskKind));
    return {
      read: (path) => answer(ci.read(path)),
      whyCalled: (path) => answer(ci.whyCalled(path)),
      scriptsRun: () => answer(ci.scriptsRun()),
      countedTexts: () => answer(ci.countedTexts()),
      isFound: ci.isFound,
    };
  };
  const before = await readCommit(mergeBase, compared.base);
  const after = await readCommit(headTree, head.graph);
  return running === 'nothing' || before.isFound || after.isFound ? { before, after } : undefined;
}

async function whyCalled({ before, after }: BothRead, top: string): Promise<string | undefined> {
  return (await after.whyCalled(top)) ?? (await before.whyCalled(top));
}

const NOTHING: CiFilesCompared = { found: [], answered: [], all: undefined };

/** Returns what runs; `unknown` for a run that may begin with a file of another repository. */
function runningCi({ workflow }: Pick<AffectedInputs, 'workflow'>): RunningCi | 'unknown' {
  if (workflow !== undefined) return { engine: engineOf(workflow), begins: workflow };
  const variables = readEnvironment();
  const engine = detectEngine(variables);
  if (engine === undefined) return 'nothing';
  const begins = engine.begins?.(variables);
  return engine.runsOneFile === true && begins === undefined ? 'unknown' : { engine, begins };
}

interface FileToRead {
  readonly path: string;
  /** Relative to the repository. */
  readonly top: string;
}

/**
 * Returns the CI files to examine, and scripts. Rules of the user and global dependencies of turbo.json take precedence; these are the rules
 * that also apply to files of workspaces. It skips files that select nothing anyway.
 */
async function findFiles(inputs: AffectedInputs, { linked, before }: SidesCompared): Promise<readonly FileToRead[]> {
  const files = inputs.files
    .filter(({ kind }) => kind === 'file')
    .map(({ path }) => ({ path, top: fromTop(path, inputs.repository.project) }))
    .filter(({ path, top }) => isCiFile(top) || isScript(path));
  if (files.length === 0) return [];
  const rules = await loadRules(inputs, linked, before);
  return files.filter(({ path }) => rules(path, 'workspace') === undefined && rules(path, 'outside')?.affects !== 'none');
}

/** Converts a path relative to the project's root into one relative to the repository. */
function fromTop(path: string, project: string): string {
  if (project === '') return path;
  const up = /^(?:\.\.\/)*/.exec(path)?.[0] ?? '';
  const names = project.split('/');
  return [...names.slice(0, names.length - up.length / 3), path.slice(up.length)].join('/');
}

/** Selects the root, because its linters and formatters also check its YAML files. */
function forRoot({ joined }: SidesCompared, files: readonly string[]): readonly FoundReason[] {
  const member = joined.graph.byPath.get('');
  if (member === undefined) return [];
  return files.map((file) => ({ member, reach: 'itself', reason: { kind: 'file', file, others: 0 } }));
}
