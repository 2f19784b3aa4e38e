import type { ChangedPackages } from '@tributary/workspaces/lock/changed-packages';
import type { ChangedSince } from './changed-since.js';
import { findTouchedPackage } from './judge-packages.js';
import type { KeptObservation } from './kept-observation.js';
import type { Observation } from './observation.js';
import { unite } from './observation-store.js';
import { findPrepared } from './prepared-outside.js';

/** The facts about a workspace at the head. */
export interface ObservedPiece {
  readonly workspace: string;
  readonly task: string;
  /** The folder of the workspace; '' of the root. */
  readonly folder: string;
  /** Tells whether a path is the manifest of another workspace, or says what is installed: package managers read them to run any script. */
  readonly isOthersManifest: (path: string) => boolean;
}

/** What changed since the commit of an observation; `unknown`: why that is unknown. `packages`: none of them changed if it is missing. */
export type Since = { readonly changed: ChangedSince; readonly packages?: ChangedPackages } | { readonly unknown: string };

/** Whether observations prove that a change does not affect a piece. `because`: the reason, as a clause. */
export interface Verdict {
  readonly isSpared: boolean;
  readonly because: string;
}

export const UNOBSERVED = 'it was not observed';

interface Machine {
  readonly version: string;
  readonly platform: Observation['platform'];
}

/** `since` is called with the commit of the last run. */
export interface JudgeScene {
  readonly machine: Machine;
  readonly since: (commit: string) => Since;
}

/** The runs of a piece that count. */
interface CountedRuns {
  readonly last: Observation;
  readonly counted: readonly Observation[];
  /** Everything that they used. */
  readonly all: Observation;
  readonly changed: ChangedSince;
  readonly packages: ChangedPackages | undefined;
  /** For messages: `in 2 observed runs, last at 1a2b3c4d5e`. */
  readonly times: string;
}

/**
 * Decides whether observations spare a piece: everything that its counted runs read must be the same at the head as in the last of them.
 */
export function judgePiece(piece: ObservedPiece, kept: readonly KeptObservation[], scene: JudgeScene): Verdict {
  const runs = findRuns(piece, kept, scene);
  if ('because' in runs) return selected(runs.because);
  const { all, last, changed, times } = runs;
  const touched = findTouched(all, changed, all.nested.length === 0 ? piece.isOthersManifest : () => false);
  if (touched !== undefined) return selected(`it read ${touched}, which differs from its observed run at ${last.commit.slice(0, 10)}`);
  return { isSpared: true, because: `${runs.packages === undefined ? 'not read' : 'not used'} ${times}` };
}

/**
 * Returns the runs that may spare something, or why none may. All runs of the last commit must be complete, have passed, and be of this
 * version; one of them must be on this platform. With them counts any kept run of this platform.
 */
export function findRuns(
  { workspace, task, folder }: ObservedPiece,
  kept: readonly KeptObservation[],
  { machine, since }: JudgeScene,
): CountedRuns | { readonly because: string } {
  const own = kept.filter((one) => one.workspace === workspace && one.task === task).map(({ whole }) => whole());
  const isHere = ({ platform }: Observation): boolean => isSamePlatform(platform, machine.platform);
  const last = own.findLast(isHere);
  if (last === undefined) return { because: own.length === 0 ? UNOBSERVED : 'it was observed on a different platform' };
  // A job may run the tests on several platforms, and the answer is for all of them.
  const flaw = own.flatMap((one) => (one.commit === last.commit ? (flawOf(one, machine) ?? []) : []))[0];
  if (flaw !== undefined) return { because: flaw };
  const counted = own.filter((one) => isHere(one) || one.commit === last.commit);
  const known = since(last.commit);
  const all = counted.length === 1 ? last : unite([last, ...counted]);
  const prepared = findPrepared(all);
  if (prepared !== undefined) return { because: `it used ${prepared}, which a job may have prepared` };
  if ('unknown' in known) return { because: known.unknown };
  const used = known.packages === undefined ? undefined : findTouchedPackage(all, known.packages, folder);
  if (used !== undefined) return { because: `${used}, which may differ from its observed run at ${last.commit.slice(0, 10)}` };
  const times = `in ${counted.length} observed ${counted.length === 1 ? 'run' : 'runs'}, last at ${last.commit.slice(0, 10)}`;
  return { last, counted, all, changed: known.changed, packages: known.packages, times };
}

function isSamePlatform(one: Observation['platform'], other: Observation['platform']): boolean {
  return one.os === other.os && one.arch === other.arch && one.node === other.node;
}

function selected(because: string): Verdict {
  return { isSpared: false, because };
}

function flawOf({ gaps: [gap], tracer, exit, version, part, commit }: Observation, machine: Machine): string | undefined {
  const run = `its observed run at ${commit.slice(0, 10)}`;
  if (gap !== undefined) return `${run} is incomplete (${gap.gap}: ${gap.detail})`;
  // They miss, for example, what a link leads to that the test itself makes.
  if (tracer?.startsWith('hooks') === true) return `${run} was watched by hooks in Node, which do not see every read`;
  if (exit !== 0) return `${run} failed`;
  if (version !== machine.version) return `${run} is of affected ${version}, not of ${machine.version}`;
  return part === undefined ? undefined : `${run} is of one part`;
}

/** Describes the first input that was read, looked up or listed, and has changed since. */
function findTouched(
  { files, found, absent, listed, apart, platform }: Observation,
  changed: ChangedSince,
  isOthersManifest: (path: string) => boolean,
): string | undefined {
  const tools = apart.tools.filter((path) => !isOthersManifest(path));
  const isOther = pathsThatDiffer(platform, changed);
  const file = [...files, ...found, ...tools].find(isOther);
  if (file !== undefined) return file;
  const missing = absent.find(isOther);
  if (missing !== undefined) return `that there was no ${missing}`;
  const folders = [...listed.map(({ path }) => path), ...apart.toolLists];
  const folder = folders.find((path) => changed.listings.has(path) || isOther(path));
  return folder === undefined ? undefined : `the list of ${folder}`;
}

/** Returns a test for a path that a run used: whether it, or a folder above it, has changed. */
export function pathsThatDiffer({ os }: Observation['platform'], changed: ChangedSince): (path: string) => boolean {
  // Elsewhere, a new `Config.json` answers a look-up of `config.json`.
  const nameOf = (path: string): string => (os === 'linux' ? path : path.toLowerCase());
  const [moved, others] = [changed.moved, changed.files].map((paths) => new Set([...paths].map(nameOf))) as [Set<string>, Set<string>];
  return (path) => {
    const name = nameOf(path);
    if (moved.has(name) || others.has(name)) return true;
    for (let cut = name.lastIndexOf('/'); cut > 0; cut = name.lastIndexOf('/', cut - 1)) if (others.has(name.slice(0, cut))) return true;
    return false;
  };
}

/** Returns the path and all folders above it, because a link that replaces one of them leads elsewhere. */
export function withFolders(path: string): readonly string[] {
  const names = path.split('/');
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}
