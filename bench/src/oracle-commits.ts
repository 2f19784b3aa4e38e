import { type Must, mustSelect } from '@tributary/affected/oracle/must-select.fixture';
import { type OracleProject, readProject } from '@tributary/affected/oracle/project.fixture';
import { scanReads } from '@tributary/affected/oracle/reads.fixture';
import { runCommand } from './affected-process.js';
import { type AskPeer, clonePeer } from './oracle-clone.js';
import { TURBO, type WorkingTreePeer } from './oracle-peers.js';
import { OracleRepository } from './oracle-repository.js';

type Environment = Parameters<typeof runCommand>[1];

/** The fields of `affected --json` that are read. */
interface AffectedAnswer {
  readonly all: { readonly code: string } | null;
  readonly workspaces: readonly { readonly name: string; readonly path: string; readonly reasons: readonly unknown[] }[];
  readonly workspaceCount: number;
}

/** The results for one commit, compared with its first parent. No number counts the root, because peers do not treat it as a workspace. */
export interface CommitFigures {
  readonly commit: string;
  readonly workspaceCount: number;
  /** The number of selected workspaces; if all are selected, `all` has the code. */
  readonly affected: number;
  readonly all: string | null;
  /** The number of workspaces that must be selected, by the graph and the lockfile. */
  readonly minimum: number;
  /** Workspaces that affected should have selected and did not, with the reason. */
  readonly misses: readonly Missed[];
  /** Workspaces selected beyond the minimum in an answer that does not select all: workspace → the first reason. */
  readonly more: Readonly<Record<string, string>>;
  readonly turbo: PeerFigures;
  /** Missing if Nx was not asked. */
  readonly nx?: PeerFigures;
}

/** The number that a peer selects, and what it misses of the minimum; or why it gave no answer. */
export type PeerFigures = { readonly selected: number; readonly misses: readonly Missed[] } | { readonly failed: string };

export interface Missed {
  readonly workspace: string;
  readonly why: string;
}

/** Asks oracle, affected, turborepo and, if given, Nx about the last commits of a repository, newest first. */
export async function examineCommits(
  path: string,
  last: number,
  options: { cli: string; work: string; env: Environment; nx: WorkingTreePeer | undefined },
): Promise<CommitFigures[]> {
  const { cli, env } = options;
  const repository = new OracleRepository(path, env);
  const turbo = await clonePeer(path, TURBO, options);
  const nx = options.nx && (await clonePeer(path, options.nx, options));
  const figures: CommitFigures[] = [];
  const commits = await repository.firstParents(last);
  let after: OracleProject | undefined;
  for (const [at, commit] of commits.slice(0, -1).entries()) {
    const parent = commits[at + 1] ?? '';
    after ??= await projectAt(repository, commit);
    const before = await projectAt(repository, parent);
    if (before === undefined || after === undefined)
      throw new Error(`${path}: ${commit} or its parent has no package.json that can be read`);
    const args = [cli, '--cwd', path, '--base', parent, '--head', commit, '--json'];
    const result = JSON.parse(await runCommand({ program: process.execPath, args, cwd: path }, env)) as AffectedAnswer;
    const must = mustSelect({ before, after, readsOf: (project) => scanReads(project, repository.imports) });
    const question = { parent, commit, must, after };
    const answers = { turbo: await figuresOf(turbo, question), ...(nx && { nx: await figuresOf(nx, question) }) };
    figures.push({ ...compare(commit, result, must, after), ...answers });
    after = before;
  }
  return figures;
}

async function projectAt(repository: OracleRepository, commit: string): Promise<OracleProject | undefined> {
  return readProject(await repository.side(commit), repository.locks);
}

function compare(commit: string, result: AffectedAnswer, must: Must, after: OracleProject): Omit<CommitFigures, 'turbo' | 'nx'> {
  // A root without a name has one that Yarn makes.
  const selected = new Set(result.workspaces.map(({ name, path }) => (path === '.' ? after.root.name : name)));
  const expected = must.all === undefined ? must.selected : new Map(after.members.map(({ name }) => [name, must.all ?? '']));
  const more = result.workspaces.filter(({ name }) => result.all === null && !must.graph.has(name));
  return {
    commit,
    workspaceCount: after.members.length - 1,
    affected: without(after.root.name, selected),
    all: result.all?.code ?? null,
    minimum: without(after.root.name, must.graph),
    misses: missedIn(expected, selected),
    more: Object.fromEntries(more.map(({ name, reasons }) => [name, JSON.stringify(reasons[0])])),
  };
}

function without(name: string, names: ReadonlySet<string> | ReadonlyMap<string, unknown>): number {
  return names.size - (names.has(name) ? 1 : 0);
}

async function figuresOf(
  ask: AskPeer,
  { parent, commit, must, after }: { parent: string; commit: string; must: Must; after: OracleProject },
): Promise<PeerFigures> {
  const answer = await ask(parent, commit);
  if ('failed' in answer) return answer;
  const members = after.members.filter(({ path }) => path !== '.');
  const selected = new Set(members.filter(({ path }) => answer.folders.has(path)).map(({ name }) => name));
  const expected = new Map([...must.graph].filter(([name]) => name !== after.root.name));
  return { selected: selected.size, misses: missedIn(expected, selected) };
}

function missedIn(expected: ReadonlyMap<string, string>, selected: ReadonlySet<string>): Missed[] {
  return [...expected].filter(([workspace]) => !selected.has(workspace)).map(([workspace, why]) => ({ workspace, why }));
}
