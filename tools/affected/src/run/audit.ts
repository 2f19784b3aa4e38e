import { parseRevision } from '@tributary/git/changeset';
import { parseBerry } from '@tributary/lockfile/berry';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { ownerPlace } from '@tributary/workspaces/dependency-graph';
import { Draw } from '../audit/draw.js';
import { drawMutant, type InstalledPackage, type Mutant, placeOf, type Targets, targetFiles } from '../audit/mutant.js';
import { AuditCopy } from '../io/audit-copy.js';
import { locate } from '../io/locate.js';
import { readKeptObservations } from '../io/observations.js';
import { openGit } from '../io/open-git.js';
import type { Observation } from '../observe/observation.js';
import type { AuditedMutant, AuditResult } from '../result.js';
import { upperBound } from '../shadow/bound.js';
import { idOf } from './compare.js';
import { readHeadProject } from './head-project.js';
import { type Judging, judgeMutants, type NumberedMutant, runIn } from './judge-mutants.js';
import { planEverything, workspacesIn } from './plan-change.js';

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
    const warning = copy.remove();
    if (warning !== undefined) services.ui.warning(warning);
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
  const everything = await planEverything({ cwd: copy.folder, head: start, task: request.task }, services);
  const all = [...workspacesIn(everything)].sort();
  const progress = services.ui.progress();
  progress.phase('Running everything', Math.ceil(request.mutants / PART) + 1);
  const ran = await runIn({ copy, everything }, all, BASELINE_MS);
  // Tests may leave files, or change some.
  await copy.restore();
  const usualMs = ran === 'too late' ? new Map<string, number>() : ran;
  const stable = all.filter((name) => usualMs.has(name));
  const { targets, ownerOf } = await targetsIn(copy, scene);
  const judging = { copy, start, observations: scene.observations, everything, stable, usualMs, ownerOf };
  const mutants: AuditedMutant[] = [];
  for (const part of partsOf(stable.length === 0 ? [] : drawAll(targets, request))) {
    services.signal.throwIfAborted();
    progress.step(`mutants ${part[0]?.number ?? 0} to ${part.at(-1)?.number ?? 0}`);
    mutants.push(...(await judgeMutants(part, judging, services)));
  }
  progress.done();
  return resultOf(mutants, { scene, all, stable });
}

/** So many are judged together: the more, the fewer runs of workspaces that none of them selects. */
const PART = 100;

function partsOf(mutants: readonly NumberedMutant[]): readonly (readonly NumberedMutant[])[] {
  return Array.from({ length: Math.ceil(mutants.length / PART) }, (_, at) => mutants.slice(at * PART, (at + 1) * PART));
}

function drawAll(targets: Targets, { mutants, seed }: AuditRequest): readonly NumberedMutant[] {
  const drawn: NumberedMutant[] = [];
  const seen = new Set<string>();
  for (let number = 1; number <= mutants; number++) {
    const mutant = drawNew(targets, new Draw(seed, String(number)), seen);
    if (mutant === undefined) break;
    drawn.push({ number, ...mutant });
  }
  return drawn;
}

/** One of a place that was not changed yet. `undefined`: none was found. */
function drawNew(targets: Targets, draw: Draw, seen: Set<string>): Mutant | undefined {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const mutant = drawMutant(targets, draw);
    if (mutant === undefined) return undefined;
    const place = placeOf(mutant);
    if (seen.has(place)) continue;
    seen.add(place);
    return mutant;
  }
  return undefined;
}

/** For the run of what was not changed. */
const BASELINE_MS = 3_600_000;

async function targetsIn(
  copy: AuditCopy,
  { start, observations, services }: Scene,
): Promise<{ readonly targets: Targets; readonly ownerOf: Judging['ownerOf'] }> {
  const { project, graph } = await readHeadProject({ cwd: copy.folder, head: parseRevision(start) }, services);
  const read = (path: string): string | undefined => copy.read(path);
  const tracked = project.tracked().flatMap(({ path, kind }) => (kind === 'file' ? [path] : []));
  const lock = parseBerry(read('yarn.lock') ?? '');
  const locked = lock.kind === 'berry' ? lock.entries.filter(({ resolution }) => resolution?.includes('@npm:') === true) : [];
  const packages = locked.map(({ name, version }): InstalledPackage => ({ name, version }));
  packages.sort((one, other) => (one.name < other.name ? -1 : 1));
  const installed = copy.installed(packages.filter(({ name }) => !RUNNERS.has(name)));
  const ownerOf = (file: string): string | undefined => graph.members[ownerPlace(graph, file) ?? -1]?.name;
  const observed = observations === undefined ? undefined : usedIn(observations);
  return { targets: { files: targetFiles(tracked, graph), packages: installed, observed, read }, ownerOf };
}

function usedIn(observations: readonly Observation[]): NonNullable<Targets['observed']> {
  const files = observations.flatMap(({ files: read, found }) => [...read, ...found]);
  const packages = observations.flatMap((one) => one.packages.flatMap(({ name, version }) => (version === null ? [] : [name])));
  return { files: new Set(files), packages: new Set(packages) };
}

/** Whether an audit judged any change. */
export function isProof(mutants: readonly AuditedMutant[]): boolean {
  return mutants.some(({ outcome }) => outcome !== 'stopped' && outcome !== 'unclear');
}

/** Without them nothing would run. */
const RUNNERS: ReadonlySet<string> = new Set(['turbo']);

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
    narrowed: trials.filter(({ spared }) => spared.length > 0).length,
    missed,
    bound: upperBound(missed, trials.length),
    warnings: [
      ...(stable.length === 0 ? ['No tests pass before anything is changed: there is nothing to audit.'] : []),
      ...(stable.length > 0 && mutants.length < request.mutants ? ['There is nothing more to change than that.'] : []),
      ...(mutants.length > 0 && !isProof(mutants) ? ['No change could be judged, so this audit says nothing.'] : []),
    ],
  };
}
