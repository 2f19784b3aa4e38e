import type { AllReason, ChangedFile } from '@tributary/model/changeset';
import type { FoundReason } from '@tributary/workspaces/affected';
import { CiReading, type RunningCi } from '../ci-files/ci-reading.js';
import { engineOf, isCiFile } from '../ci-files/file-types.js';
import { detectEngine } from '../engines/detect.js';
import { type ReadableTree, readCiTree } from '../io/ci-tree.js';
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
 * Reads what runs in CI at both commits, if CI files changed.
 * A file selects everything if the running workflow uses it or, outside CI, if it can run the task. The rules decide the rest: files that
 * no engine reads, and files named by a rule of the user or of turbo.json. They decide all files if it is unknown what runs, or what a task
 * reads. Throws `GIT_FAILED`, `CONFIG_INVALID`.
 */
export async function compareCiFiles(inputs: AffectedInputs, { head }: SidesRead, compared: SidesCompared): Promise<CiFilesCompared> {
  const { mergeBase, headTree, taskKind = 'test' } = inputs;
  const running = runningCi(inputs);
  const files = await findCiFiles(inputs, compared);
  if (files.length === 0 || mergeBase === null || running === 'unknown' || taskKind === 'other') return NOTHING;
  const readings: CommitReading[] = [];
  for (const [commit, graph] of [
    [headTree, head.graph],
    [mergeBase, compared.base],
  ] as const) {
    const { tree, answer } = await readCiTree(inputs.git, commit, { project: inputs.repository.project, graph });
    readings.push({ ci: await answer(CiReading.create(tree, running, taskKind)), answer });
  }
  if (running !== 'nothing' && !readings.some(({ ci }) => ci.isFound)) return NOTHING;
  const all = await findCounted(readings, files);
  if (all !== undefined) return { ...NOTHING, all };
  const answered = files.map(({ file }) => file.path);
  return { found: taskKind === 'lint' || taskKind === 'format' ? forRoot(compared, answered) : [], answered, all: undefined };
}

interface CommitReading extends Pick<ReadableTree, 'answer'> {
  readonly ci: CiReading;
}

/** Returns the first file that counts at one of the commits. */
async function findCounted(readings: readonly CommitReading[], files: readonly CiFile[]): Promise<AllReason | undefined> {
  for (const { file, top } of files) {
    for (const { ci, answer } of readings) {
      const why = await answer(ci.whyCounted(top));
      if (why !== undefined) return { code: 'RULE', reason: `${top} changed, and ${why}.`, subject: file.path };
    }
  }
  return undefined;
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

interface CiFile {
  readonly file: ChangedFile;
  /** Relative to the repository. */
  readonly top: string;
}

/**
 * Returns the CI files to examine. Rules of the user and global dependencies of turbo.json take precedence; these are the rules that also
 * apply to files of workspaces. It skips files that select nothing anyway.
 */
async function findCiFiles(inputs: AffectedInputs, { linked, before }: SidesCompared): Promise<readonly CiFile[]> {
  const files = inputs.files
    .map((file) => ({ file, top: fromTop(file.path, inputs.repository.project) }))
    .filter(({ file, top }) => file.kind === 'file' && isCiFile(top));
  if (files.length === 0) return [];
  const rules = await loadRules(inputs, linked, before);
  return files.filter(({ file }) => rules(file.path, 'workspace') === undefined && rules(file.path, 'outside')?.affects !== 'none');
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
