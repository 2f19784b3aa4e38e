import { parseRevision } from '@tributary/git/changeset';
import { parseBerry } from '@tributary/lockfile/berry';
import { isToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { Draw } from '../audit/draw.js';
import { drawMutant, type InstalledPackage, type Mutant, type Targets, targetFiles } from '../audit/mutant.js';
import { AuditCopy } from '../io/audit-copy.js';
import { locate } from '../io/locate.js';
import { readKeptObservations } from '../io/observations.js';
import { openGit } from '../io/open-git.js';
import type { Observation } from '../observe/observation.js';
import type { Plan } from '../plan/plan.js';
import { inOneLine } from '../plan/shape.js';
import type { AuditedMutant, AuditResult } from '../result.js';
import { upperBound } from '../shadow/bound.js';
import { idOf } from './compare.js';
import { readHeadProject } from './head-project.js';
import { planChange, planEverything, workspacesIn } from './plan-change.js';
import { nameForTurbo } from './planned-workspace.js';

export interface AuditRequest {
  readonly cwd: AbsolutePath;
  readonly head: string;
  readonly task: string;
  readonly mutants: number;
  readonly seed: number;
  /** A command for a shell, which installs dependencies. */
  readonly setup: string;
  /** A file of `affected timings collect --observations`. */
  readonly observations: string | undefined;
}

/**
 * Changes lines and versions in a copy of a commit, one at a time, runs the task of every workspace for each, and names those that failed and
 * would not have been selected. Throws `REVISION_MISSING`, `TASK_UNKNOWN`, `INSTALL_FAILED`, `TURBO_FAILED`, `OBSERVATION_INVALID`, and as `selectAffected`.
 */
export async function audit(request: AuditRequest, services: Services): Promise<AuditResult> {
  const place = locate(request.cwd);
  const git = openGit(place, { signal: services.signal });
  const start = await idOf({ git, head: parseRevision(request.head) });
  const observations = request.observations === undefined ? undefined : readKeptObservations(request.observations);
  const copy = await AuditCopy.make(place, start, services.signal);
  try {
    await copy.setUp(request.setup);
    return await auditIn(copy, { request, start, observations, services });
  } finally {
    copy.remove();
  }
}

interface Scene {
  readonly request: AuditRequest;
  readonly start: string;
  readonly observations: readonly Observation[] | undefined;
  readonly services: Services;
}

async function auditIn(copy: AuditCopy, scene: Scene): Promise<AuditResult> {
  const { request, start, services } = scene;
  const { task, seed } = request;
  const everything = await planEverything({ cwd: copy.folder, head: start, task }, services);
  const all = [...workspacesIn(everything)].sort();
  const progress = services.ui.progress();
  progress.phase('Running everything', request.mutants + 1);
  const begun = services.clock();
  const broken = await failuresIn(copy, { plan: everything, names: all, timeoutMs: BASELINE_MS });
  // Slower than that it hangs.
  const timeoutMs = Math.max(60_000, 5 * (services.clock() - begun));
  const stable = broken === 'too late' ? [] : all.filter((name) => !broken.includes(name));
  const targets = await targetsIn(copy, scene);
  const mutants: AuditedMutant[] = [];
  const seen = new Set<string>();
  for (let number = 1; number <= request.mutants && stable.length > 0; number++) {
    services.signal.throwIfAborted();
    progress.step(`mutant ${number}`);
    const mutant = drawNew(targets, new Draw(seed, String(number)), seen);
    if (mutant === undefined) break;
    const judged = { number, ...(await judgeMutant(mutant, copy, { scene, everything, stable, timeoutMs })) };
    services.ui.verbose(
      `Mutant ${number}, ${judged.file}: ${judged.outcome}, ${judged.failed.length} failed, ${judged.missed.length} missed.`,
    );
    mutants.push(judged);
  }
  progress.done();
  return resultOf(mutants, { scene, all, stable });
}

/** One that was not there yet: the same change again proves nothing more. `undefined`: none was found. */
function drawNew(targets: Targets, draw: Draw, seen: Set<string>): Mutant | undefined {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const mutant = drawMutant(targets, draw);
    if (mutant === undefined) return undefined;
    const key = `${mutant.file} ${mutant.text}`;
    if (seen.has(key)) continue;
    seen.add(key);
    return mutant;
  }
  return undefined;
}

/** For the run of what was not changed. */
const BASELINE_MS = 3_600_000;

async function targetsIn(copy: AuditCopy, { start, services }: Scene): Promise<Targets> {
  const { project, graph } = await readHeadProject({ cwd: copy.folder, head: parseRevision(start) }, services);
  const read = (path: string): string | undefined => copy.read(path);
  const tracked = project.tracked().flatMap(({ path, kind }) => (kind === 'file' ? [path] : []));
  const lock = parseBerry(read('yarn.lock') ?? '');
  const locked = lock.kind === 'berry' ? lock.entries.filter(({ resolution }) => resolution?.includes('@npm:') === true) : [];
  const packages = locked.map(({ name, version }): InstalledPackage => ({ name, version }));
  packages.sort((one, other) => (one.name < other.name ? -1 : 1));
  return { files: targetFiles(tracked, graph), packages: copy.installed(packages.filter(({ name }) => !RUNNERS.has(name))), read };
}

/** Without them nothing would run. */
const RUNNERS: ReadonlySet<string> = new Set(['turbo']);

interface Judging {
  readonly scene: Scene;
  readonly everything: Plan;
  readonly stable: readonly string[];
  readonly timeoutMs: number;
}

async function judgeMutant(
  mutant: Mutant,
  copy: AuditCopy,
  { scene, everything, stable, timeoutMs }: Judging,
): Promise<Omit<AuditedMutant, 'number'>> {
  const { request, start, observations, services } = scene;
  const { kind, file, line } = mutant;
  const described = { kind, file, line, before: shortLine(mutant.before), after: shortLine(mutant.after) };
  const plan = everything;
  const stopped = { ...described, selected: 0, outcome: 'stopped' as const, failed: [], missed: [] };
  try {
    const head = await copy.apply(mutant);
    const change = await planChange({ cwd: copy.folder, base: start, head, task: request.task, observations }, services);
    const selected = stable.filter((name) => workspacesIn(change).has(name));
    const failed = await failuresIn(copy, { plan, names: stable, timeoutMs });
    if (failed === 'too late') return { ...stopped, selected: selected.length };
    const suspects = failed.filter((name) => !selected.includes(name));
    // A test that fails by chance is no miss.
    const again = suspects.length === 0 ? [] : await failuresIn(copy, { plan, names: suspects, timeoutMs });
    const missed = again === 'too late' ? suspects : again;
    return { ...described, selected: selected.length, outcome: failed.length > 0 ? 'killed' : 'survived', failed, missed };
  } catch (error) {
    // A change with which nothing can be planned, or turborepo does not begin, is red without a test.
    if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
    return stopped;
  } finally {
    await copy.restore(mutant);
  }
}

function shortLine(text: string): string {
  return inOneLine(text.trim()).slice(0, 200);
}

/** Those of some workspaces whose task failed, or did not begin because a task before it failed. Throws as `runTurbo`. */
async function failuresIn(
  copy: AuditCopy,
  { plan, names, timeoutMs }: { readonly plan: Plan; readonly names: readonly string[]; readonly timeoutMs: number },
): Promise<readonly string[] | 'too late'> {
  const asked = names.map((name) => nameForTurbo(name, plan));
  const tasks = await copy.run(plan.task, asked, timeoutMs);
  if (tasks === 'too late') return tasks;
  const passed = new Set(tasks.flatMap(({ workspace, task, exit }) => (task === plan.task && exit === 0 ? [workspace] : [])));
  return names.filter((_, at) => !passed.has(asked[at] ?? ''));
}

function resultOf(
  mutants: readonly AuditedMutant[],
  { scene, all, stable }: { readonly scene: Scene; readonly all: readonly string[]; readonly stable: readonly string[] },
): AuditResult {
  const { start, request, observations } = scene;
  const trials = mutants.filter((one) => one.outcome === 'killed' && one.selected < stable.length);
  const missed = trials.filter((one) => one.missed.length > 0).length;
  return {
    schemaVersion: 1,
    head: start,
    task: request.task,
    seed: request.seed,
    observed: observations === undefined ? 'off' : 'narrow',
    workspaces: stable.length,
    unstable: all.filter((name) => !stable.includes(name)),
    mutants,
    killed: mutants.filter(({ outcome }) => outcome === 'killed').length,
    trials: trials.length,
    missed,
    bound: upperBound(missed, trials.length),
    warnings: [
      ...(stable.length === 0 ? ['No tests pass before anything is changed: there is nothing to audit.'] : []),
      ...(stable.length > 0 && mutants.length < request.mutants ? ['There is nothing more to change than that.'] : []),
    ],
  };
}
