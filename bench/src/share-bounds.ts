import { findNamer } from '@tributary/affected/io/named-files';
import { keptInMemory } from '@tributary/affected/observe/kept-observation';
import { observedAt } from '@tributary/affected/observe/observed.fixture';
import { mustSelect } from '@tributary/affected/oracle/must-select.fixture';
import { type Project, readProject } from '@tributary/affected/oracle/project.fixture';
import { type Decision, decide } from '@tributary/affected/run/decide';
import { belowWorkspace, isInWorkspace } from '@tributary/affected/run/judge-scene';
import type { RepoPath } from '@tributary/model/paths';
import type { OracleRepository } from './oracle-repository.js';
import type { TunedCommit } from './share-tuned.js';

/** The numbers of workspaces that one commit selects. */
export interface BoundFigures {
  readonly commit: string;
  readonly workspaceCount: number;
  readonly tuned: number;
  /** Why everything is selected; `undefined` if it is not. */
  readonly all: string | undefined;
  /** `narrow` as it is, if every test of every workspace were observed and had read nothing. */
  readonly narrow: number;
  /** Why it spares nobody; `undefined` if it does, or if not everything was selected. */
  readonly kept: string | undefined;
  /** The same if nothing ran during the installation. */
  readonly noInstall: number;
  /** The same if no unclaimed file of the root could act without being read. */
  readonly unread: number;
  /** The oracle's minimum: what the graph and the lockfile select. No reason that selects everybody counts. */
  readonly minimum: number;
}

/** Returns the bounds below which no observation can bring the answer to a commit. `repository`: the same one, for the oracle. */
export async function boundsOf(replayed: TunedCommit, repository: OracleRepository): Promise<BoundFigures> {
  const { commit, decision, inputs } = replayed;
  const { answer } = decision;
  const tuned = answer.members.length;
  const minimum = await minimumOf(repository, inputs.base ?? '', commit);
  const known = { commit, workspaceCount: answer.memberCount, tuned, minimum };
  if (answer.all === null) return { ...known, all: undefined, narrow: tuned, kept: undefined, noInstall: tuned, unread: tuned };
  const all = reasonOf(answer);
  const ideal = await narrowed(replayed);
  const narrow = ideal.answer.members.length;
  if (ideal.answer.all === null) return { ...known, all, narrow, kept: undefined, noInstall: narrow, unread: narrow };
  const files = sharedFiles(replayed);
  const rest = await withoutFiles(replayed, files);
  const unread = rest.answer.members.length;
  const kept =
    ideal.warnings.find((warning) => warning.startsWith('Observations exclude no workspace')) ?? 'Another reason selects everything.';
  const below = (path: string): string => belowWorkspace(decision.question.joined.graph, path as RepoPath);
  const isInstall = kept.includes('while dependencies are installed') && (await findNamer(files, { ...inputs, below })) === undefined;
  return { ...known, all, narrow, kept, noInstall: isInstall ? unread : narrow, unread };
}

function reasonOf({ all, unclaimedFiles }: Decision['answer']): string {
  return `${all?.code} ${all?.subject ?? (all?.code === 'FILE_UNCLAIMED' ? unclaimedFiles[0] : undefined) ?? ''}`.trim();
}

/** Decides with observations of the parent, in which no workspace read anything. */
async function narrowed({ inputs, decision, config }: TunedCommit): Promise<Decision> {
  const base = inputs.base ?? '';
  const observations = decision.question.joined.graph.members.map(({ name }) => keptInMemory(observedAt(base, name, { files: [] })));
  return decide({ ...inputs, config: { ...config, observed: 'narrow' }, observed: { use: 'narrow', observations, task: 'test' } });
}

/** The files that select everybody only because their readers are not known, as `narrow` finds them. */
function sharedFiles({ inputs, decision }: TunedCommit): readonly RepoPath[] {
  const { joined, base, answered, rules } = decision.question;
  return inputs.files.flatMap(({ path }) => {
    if (answered.has(path) || path.startsWith('../') || [joined.graph, base].some((graph) => isInWorkspace(graph, path))) return [];
    const match = rules(path, 'outside');
    return match === undefined || (match.affects === 'all' && match.source === 'built-in') ? [path] : [];
  });
}

/** Decides as if a rule said that some files affect nobody. */
async function withoutFiles({ inputs, config }: TunedCommit, files: readonly RepoPath[]): Promise<Decision> {
  const globs = files.map((path) => path.replace(/[*?[\]{}()!+@\\]/g, '\\$&'));
  const rules = globs.length === 0 ? config.rules : [...config.rules, { files: globs, affects: 'none' as const }];
  return decide({ ...inputs, config: { ...config, rules } });
}

async function minimumOf(repository: OracleRepository, parent: string, commit: string): Promise<number> {
  const [before, after] = [await projectAt(repository, parent), await projectAt(repository, commit)];
  return mustSelect({ before, after }).graph.size;
}

async function projectAt(repository: OracleRepository, commit: string): Promise<Project> {
  const project = readProject(await repository.side(commit), repository.locks);
  if (project === undefined) throw new Error(`${commit} has no package.json that can be read`);
  return project;
}
