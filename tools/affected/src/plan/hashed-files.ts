import type { ChangedFile } from '@tributary/model/changeset';
import type { AffectedReason } from '../result.js';
import { type Hashed, readTaskInputs, type TaskInputs } from './task-inputs.js';
import type { TurboInputs } from './turbo-inputs.js';
import { splitTaskId, type TaskId, type Upstream, type UpstreamTask } from './upstream.js';

/** The facts about files that tell whether turborepo's hash covers them. Paths are relative to the project's root. */
export interface HashingFacts {
  readonly inputs: TurboInputs;
  /** By workspace, the changed files that select it as their owner (a reason of the kind `file`). */
  readonly changed: ReadonlyMap<string, readonly ChangedFile[]>;
  /** By workspace, the tracked files whose change would select its dependents. Called only if `inputs` leave files out. */
  readonly files: () => ReadonlyMap<string, readonly string[]>;
  /** Tells whether a workspace tracks symbolic links; `` for the whole project. */
  readonly hasLinks: (workspace: string) => boolean;
  /** `respect`: a file that the inputs of a task leave out does not select its owner for that task. */
  readonly turboInputs: 'respect' | 'ignore';
}

interface Required {
  readonly path: string;
  /** `tracked`: a file of the head whose content distinguishes its states. */
  readonly state: 'tracked' | 'deleted' | 'same-content';
}

/** Tells which files turborepo hashes for the tests of a workspace: their own inputs, and those of each upstream task. */
export class HashedFiles {
  private readonly upstream: Upstream;
  private readonly facts: HashingFacts;
  private readonly task: string;
  private readonly inputs = new Map<UpstreamTask, TaskInputs>();
  private readonly unhashed = { own: new Map<UpstreamTask, readonly Required[]>(), others: new Map<UpstreamTask, readonly Required[]>() };
  /** Each file of a workspace is the same object in all lists, so that they can be compared. */
  private readonly lists = new Map<string, readonly Required[]>();
  private readonly isQuick: boolean;

  constructor(upstream: Upstream, facts: HashingFacts, task: string) {
    this.upstream = upstream;
    this.facts = facts;
    this.task = task;
    this.isQuick = facts.inputs.areWhole && ![...facts.changed.values()].flat().some(({ content }) => content === 'same');
  }

  /**
   * Returns a file that can change the tests' result, but is not certainly hashed for them; `undefined` if there is none. Of the workspace
   * itself it checks changed files. Of its dependencies it checks all files, because the cached result may belong to another state of them.
   */
  missedFor(workspace: string): string | undefined {
    if (this.isQuick) return undefined;
    const tasks = this.upstream.tasksOf(workspace, this.task);
    const open = new Map<string, readonly Required[]>();
    for (const task of tasks) {
      const name = task.workspace?.name;
      if (name === undefined) continue;
      const missed = this.missedBy(task, name === workspace ? 'own' : 'others');
      open.set(name, inBoth(open.get(name) ?? missed, missed));
    }
    const isSeen = ({ path, state }: Required): boolean =>
      state === 'tracked' && tasks.some((task) => this.inputsOf(task).hashed(path) === 'hashed');
    return [...open.values()].flat().find((one) => !isSeen(one))?.path;
  }

  /** Returns the changed files of a workspace if only these select it, and its tests and all upstream tasks leave them out. */
  leftOutBy(workspace: string, reasons: readonly AffectedReason[]): readonly ChangedFile[] | undefined {
    const { changed, turboInputs, inputs } = this.facts;
    const files = changed.get(workspace) ?? [];
    const isByFiles = files.length > 0 && reasons.every(({ kind }) => kind === 'file');
    if (turboInputs === 'ignore' || inputs.areWhole || !isByFiles || files.some(({ path }) => SETTINGS.test(path))) return undefined;
    const tasks = this.upstream.tasksOf(workspace, this.task);
    const readings = tasks.map((task) => this.inputsOf(task));
    // A hashed link may lead to any file.
    if (this.facts.hasLinks(readings.some(({ leaves }) => leaves) ? '' : workspace)) return undefined;
    const isLeftOut = ({ path }: ChangedFile): boolean => readings.every(({ hashed }) => hashed(path) === 'not-hashed');
    return files.every(isLeftOut) ? files : undefined;
  }

  /** Whether turborepo hashes a file for the tests of a workspace, or for a task before them; without what it hashes for every task. */
  hashes(workspace: string, path: string): Hashed {
    const answers = this.upstream.tasksOf(workspace, this.task).map((task) => this.inputsOf(task).hashed(path));
    if (answers.includes('hashed')) return 'hashed';
    return answers.every((one) => one === 'not-hashed') ? 'not-hashed' : 'unknown';
  }

  /** The first task of a file's owner that leaves it out, if the tests of a workspace run after one and nothing before them hashes the file. */
  leavesOut(workspace: string, path: string, owner: string): TaskId | undefined {
    if (this.hashes(workspace, path) !== 'not-hashed') return undefined;
    return this.upstream.tasksOf(workspace, this.task).find((task) => task.workspace?.name === owner)?.id;
  }

  /** Returns the workspaces with changed files that the tests of a workspace may see, including itself. */
  changedFor(workspace: string): readonly string[] {
    const found = new Set<string>();
    if (this.facts.changed.size === 0) return [];
    for (const task of this.upstream.tasksOf(workspace, this.task)) {
      const name = task.workspace?.name;
      if (name !== undefined && this.facts.changed.has(name)) found.add(name);
    }
    return [...found];
  }

  private missedBy(task: UpstreamTask, role: 'own' | 'others'): readonly Required[] {
    const known = this.unhashed[role].get(task);
    if (known !== undefined) return known;
    const { isWhole, hashed } = this.inputsOf(task);
    const missed = this.required(task.workspace?.name ?? '', role, isWhole).filter(({ path, state }) =>
      isWhole ? state === 'same-content' : state !== 'tracked' || hashed(path) !== 'hashed',
    );
    this.unhashed[role].set(task, missed);
    return missed;
  }

  private required(workspace: string, role: 'own' | 'others', isWhole: boolean): readonly Required[] {
    return [
      ...this.changedOf(workspace),
      ...(isWhole || (role === 'own' && this.facts.turboInputs === 'respect') ? [] : this.trackedOf(workspace)),
    ];
  }

  private changedOf(workspace: string): readonly Required[] {
    return this.listed(`changed ${workspace}`, () =>
      (this.facts.changed.get(workspace) ?? []).map(({ path, status, content }): Required => ({ path, state: stateOf(status, content) })),
    );
  }

  private trackedOf(workspace: string): readonly Required[] {
    return this.listed(`tracked ${workspace}`, () =>
      (this.facts.files().get(workspace) ?? []).map((path): Required => ({ path, state: 'tracked' })),
    );
  }

  private listed(key: string, make: () => readonly Required[]): readonly Required[] {
    const known = this.lists.get(key) ?? make();
    this.lists.set(key, known);
    return known;
  }

  private inputsOf(task: UpstreamTask): TaskInputs {
    const known = this.inputs.get(task);
    if (known !== undefined) return known;
    const { name, task: called } = splitTaskId(task.id);
    const made = readTaskInputs(this.facts.inputs.of(name, called), task.workspace?.path ?? '');
    this.inputs.set(task, made);
    return made;
  }
}

function inBoth(some: readonly Required[], others: readonly Required[]): readonly Required[] {
  if (some === others || some.length === 0) return some;
  const known = new Set(others);
  return some.filter((one) => known.has(one));
}

/** Files that define the tests, and what turborepo hashes for them. */
const SETTINGS = /(?:^|\/)(?:package\.json|turbo\.jsonc?)$/;

/** turborepo hashes only contents: not the mode of a file, and nothing of a deleted one. */
function stateOf(status: ChangedFile['status'], content: ChangedFile['content']): Required['state'] {
  if (status === 'deleted') return 'deleted';
  return content === 'same' ? 'same-content' : 'tracked';
}
