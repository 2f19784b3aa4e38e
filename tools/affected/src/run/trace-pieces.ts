import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HEAD } from '@tributary/git/changeset';
import type { AbsolutePath } from '@tributary/model/paths';
import type { VisibleCall } from '@tributary/process/spawn';
import type { Services } from '@tributary/terminal/main';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { findTracer } from '../io/find-tracer.js';
import type { RepoLocation } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import { readPackage } from '../io/packages.js';
import { currentPlatform } from '../io/platform.js';
import { readRootTexts } from '../io/reading.js';
import { describeChanges, readSurroundings } from '../io/surroundings.js';
import type { Tracer } from '../io/tracer.js';
import type { TurboTask } from '../io/turbo.js';
import { findRepositoryUse } from '../observe/foreign-inputs.js';
import { manifestsOf } from '../observe/manifests.js';
import type { Gap, Observation } from '../observe/observation.js';
import { tracePath } from '../observe/paths.js';
import { addGap, joinFiles, type Readings, summariseReadings, type TaskTraces } from '../observe/readings.js';
import { isBelow, isSystem, type Surroundings } from '../observe/sort-uses.js';
import { type FlowScene, TaskFlows } from '../observe/task-flows.js';
import { testFileInputs } from '../observe/test-file-inputs.js';
import { findUnlocked, lockedPackages } from '../observe/unlocked.js';
import { type Piece, type Plan, pieceName } from '../plan/plan.js';
import { taskId } from '../plan/upstream.js';
import { VERSION } from '../version.js';
import { readConfig } from './config.js';
import { describeTrace } from './describe-trace.js';
import { readHeadProject } from './head-project.js';
import { workTreeOf } from './trace.js';

/** The tracing of a shard's pieces. If tracing is impossible, they run anyway, and their observations say so. */
export interface PieceTracing {
  readonly place: RepoLocation;
  readonly plan: Plan;
  /** The checked-out commit. */
  readonly commit: string;
  /** The project's folder, without links. */
  readonly root: string;
  readonly graph: DependencyGraph;
  /** Whether to tell test files apart: with `"observed": "files"`. `hooks`: that is asked for, and hooks in Node cannot. */
  readonly byFile: boolean | 'hooks';
  readonly tracer: Tracer;
  /** By `pieceName`; of a piece that ran twice, the last. */
  readonly observations: Map<string, Observation>;
}

/** Throws the errors of `readHeadProject`. */
export async function openTracing(
  { cwd, place, ...shard }: Pick<PieceTracing, 'place' | 'plan' | 'commit'> & { readonly cwd: AbsolutePath },
  services: Services,
): Promise<PieceTracing> {
  const { graph, side } = await readHeadProject({ cwd, head: HEAD }, services);
  const root = realpathSync.native(join(workTreeOf(place), place.project));
  const tracer = await findTracer(services.signal);
  const isAsked = (await readConfig(side.texts)).observed === 'files';
  const byFile = isAsked && 'needsLoading' in tracer ? 'hooks' : isAsked;
  return { ...shard, place, root, graph, byFile, tracer, observations: new Map() };
}

/**
 * Prepares the trace of a turborepo call, which may change the checkout. `mayLoad`: whether tasks may load a file of affected. Throws
 * `GIT_FAILED`.
 */
export async function beginTrace(
  tracing: PieceTracing,
  signal: AbortSignal,
  { mayLoad }: { readonly mayLoad: boolean },
): Promise<CallTracing> {
  const { place, commit, root } = tracing;
  const tracer = 'needsLoading' in tracing.tracer && !mayLoad ? NOT_LOADED : tracing.tracer;
  const git = openGit(place, { signal });
  const surroundings = await readSurroundings(git, place, { commit, root });
  const texts = await readRootTexts(git, commit, place.project);
  const locked = lockedPackages(texts['yarn.lock']);
  return new CallTracing({ ...tracing, tracer }, { surroundings, locked, changed: await describeChanges(place, signal) });
}

const NOT_LOADED: Tracer = {
  gap: 'tracer-missing',
  detail: 'strace cannot be used, and hooks need NODE_OPTIONS, which turbo.json hashes, or AFFECTED_REPORTS and access to all files',
};

/** A piece with turborepo's result of its task; `undefined` if turborepo did not reach it. */
interface RunPiece {
  readonly piece: Piece;
  readonly task: TurboTask | undefined;
  /** Its test files that ran, by paths from the workspace; `undefined`: not known. */
  readonly files?: readonly string[] | undefined;
}

/** The checkout before the call. */
interface Checkout {
  readonly surroundings: Surroundings;
  /** The packages of the lockfile, see `lockedPackages`. */
  readonly locked: ReadonlySet<string>;
  /** A file that differs from the commit. */
  readonly changed: string | undefined;
}

/** The trace of one turborepo call. */
export class CallTracing {
  /** The folder for temporary files of its tasks, with a subfolder for each. */
  readonly temporary = realpathSync.native(mkdtempSync(join(tmpdir(), 'aff-')));
  private readonly tracing: PieceTracing;
  private readonly checkout: Checkout;
  private traces: TaskTraces | undefined;

  constructor(tracing: PieceTracing, checkout: Checkout) {
    this.tracing = tracing;
    this.checkout = checkout;
  }

  /** The runner for `runTurbo`; `undefined` if there is no tracer. */
  get run(): ((call: VisibleCall & { readonly cwd: string }) => Promise<number | null>) | undefined {
    const { tracer } = this.tracing;
    if ('gap' in tracer) return undefined;
    return async (call) => {
      const { exit, traces } = await tracer.runTasks(call);
      this.traces = traces;
      return exit;
    };
  }

  /** Records the observations of the pieces. `ran`: all tasks of the call; `own`: the folder of the hook. */
  observe(pieces: readonly RunPiece[], ran: readonly TurboTask[], own: string): void {
    const place = tracePath(own);
    const around = { ...this.checkout.surroundings, own: [place], isStrict: true };
    const { tasks: files = new Map<string, Readings>(), gaps = [] } = this.traces ?? {};
    const tasks = joinFiles(files);
    const scene = {
      isForeign: (path: string) => isSystem(path, around) || isBelow(path, place),
      endOf: (path: string) => around.resolve(path).end,
    };
    const flows = new TaskFlows(tasks, { ...scene, before: new Map(ran.map(({ hash, before = [] }) => [hash, before])) });
    for (const { piece, task, files: tests } of pieces)
      if (task !== undefined) {
        const observation = this.observationOf({ piece, task, files: tests }, { around, flows, scene, tasks, files, gaps, ran });
        this.tracing.observations.set(pieceName(piece), observation);
      }
  }

  remove(): void {
    rmSync(this.temporary, { recursive: true, force: true, maxRetries: 5 });
  }

  private observationOf({ piece, task, files }: RunPiece & { readonly task: TurboTask }, traced: Traced): Observation {
    const { plan, commit, tracer } = this.tracing;
    const { gaps, ...seen } = this.describe(task, traced);
    const testFiles = gaps.length === 0 ? this.testFilesOf({ ...task, files }, traced, seen) : undefined;
    return {
      schemaVersion: 1,
      version: VERSION,
      tracer: 'name' in tracer ? tracer.name : null,
      commit,
      platform: currentPlatform(),
      command: ['turbo', 'run', plan.task, `--filter=${task.workspace}`],
      folder: '.',
      workspace: piece.workspace,
      task: plan.task,
      plan: plan.hash,
      ...(piece.part === null ? {} : { part: piece.part }),
      exit: task.exit,
      complete: gaps.length === 0,
      ...seen,
      gaps,
      ...(testFiles === undefined ? {} : { testFiles }),
    };
  }

  private testFilesOf(
    { hash, workspace, files: ran }: TurboTask & Pick<RunPiece, 'files'>,
    { around, flows, scene, tasks, files }: Traced,
    seen: Parameters<typeof testFileInputs>[1],
  ): Observation['testFiles'] {
    if (this.tracing.byFile === 'hooks') return { unclear: 'hooks in Node do not show which test file a process runs' };
    const before = flows.sourcesOf(hash).tasks.flatMap((one) => (one === hash ? [] : (tasks.get(one) ?? [])));
    const folder = this.tracing.graph.members.find(({ name }) => name === workspace)?.path ?? '';
    return testFileInputs({ hash, traces: files, before, flows: scene, around, folder, ran }, seen);
  }

  private describe({ hash, state }: TurboTask, { around, flows, tasks, gaps, ran }: Traced): ReturnType<typeof describeTrace> {
    const { tracer, place, graph } = this.tracing;
    const sources = flows.sourcesOf(hash);
    const own = ran.filter((one) => sources.tasks.includes(one.hash));
    const summary = summariseReadings(
      sources.tasks.flatMap((one) => tasks.get(one) ?? []),
      gaps,
    );
    const seen = describeTrace(summary, graph, around);
    const more: Readings['gaps'] = new Map();
    const found = (gap: Gap, detail: string | undefined): void => {
      if (detail !== undefined) addGap(more, gap, detail);
    };
    if ('gap' in tracer) found(tracer.gap, tracer.detail);
    else if (state === 'replayed') found('replayed', 'turborepo took its result from a cache');
    else {
      const lost = own.find((one) => !tasks.has(one.hash));
      if (lost !== undefined) found('lost-process', `${taskId(lost.workspace, lost.task)} is not in the trace`);
    }
    found('replayed', sources.restored);
    found(
      'not-understood',
      own.map(({ workspace }) => this.redirectIn(workspace)).find((text) => text !== undefined),
    );
    found('uncommitted', this.checkout.changed);
    found(
      'repository',
      findRepositoryUse(
        summary.uses,
        [place.gitDir, place.commonDir].map((path) => tracePath(realpathSync.native(path))),
      ),
    );
    found('left-over', seen.apart.ignored[0] ?? findUnlocked(seen.packages, this.checkout.locked));
    // Hooks do not see which manifest an import is refused by.
    const importable = 'needsLoading' in tracer ? graph.members.map(({ name }) => name) : own.map(({ workspace }) => workspace);
    const manifests = manifestsOf(importable, graph).filter((path) => !seen.files.includes(path));
    return { ...seen, found: [...new Set([...seen.found, ...manifests])].sort(), gaps: [...seen.gaps, ...more.values()] };
  }

  /** Describes a script of a workspace that takes a file as its input: the shell of `yarn run` reads it like its own files. */
  private redirectIn(workspace: string): string | undefined {
    const folder = this.tracing.graph.members.find(({ name }) => name === workspace)?.path ?? '';
    const scripts = readPackage(join(this.tracing.root, folder))?.scripts ?? new Map<string, string>();
    const [name] = [...scripts].find(([, script]) => script.includes('<')) ?? [];
    return name === undefined ? undefined : `the script ${name} of ${workspace} reads a file with <`;
  }
}

interface Traced extends TaskTraces {
  readonly ran: readonly TurboTask[];
  readonly around: Surroundings;
  readonly flows: TaskFlows;
  readonly scene: Omit<FlowScene, 'before'>;
  /** The readings by test file, see `keyOfReadings`. */
  readonly files: ReadonlyMap<string, Readings>;
}
