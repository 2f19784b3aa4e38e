import { nameOf } from '@tributary/lockfile/descriptors';
import { plainRange } from '@tributary/lockfile/lockfile';
import type { WorkspaceName } from '@tributary/model/ids';
import type { Workspace } from '@tributary/workspaces/discover';
import { parseResolutions, type Resolution } from '@tributary/workspaces/lock/resolutions';
import { compareTexts } from '../../text.js';
import type { WorkspaceLocation } from '../declared.js';
import { diffVersions, type VersionChange } from '../version-change.js';
import { directDependencies } from './direct.js';
import type { DroppedPin, Pin } from './pins.js';
import { type ResolvedDescriptor, resolutionsIn } from './survival.js';

/** The outcome of a locked request of the imported packages. Each request has exactly one. */
export type RequestOutcome =
  | 'kept'
  /** The monorepo had another version for it. */
  | 'of the monorepo'
  /** Another imported package had another version for it. */
  | 'of an imported package'
  /** A workspace answers it now. */
  | 'a workspace'
  /** Yarn or the registry rejected the version. */
  | 'refused'
  /** Yarn chose another version than the given one. */
  | 'resolved anew'
  /** "resolutions" of the root answer it. */
  | 'overridden'
  /** Its dependent now has another version, is a workspace, or no longer exists. */
  | 'no longer asked for';

/**
 * A request and the version that imported packages had locked for it. If two packages had different versions, the
 * request is listed twice.
 */
export interface LockedRequestOutcome {
  /** `lib@npm:^1.0.0` */
  readonly descriptor: string;
  readonly version: string;
  /** Other versions that one of them had for it elsewhere (npm, pnpm). */
  readonly others: readonly string[];
  readonly by: readonly WorkspaceName[];
  /** Whether one of these packages has the request in its own manifest, so that an exact version there would keep it. */
  readonly direct: boolean;
  readonly outcome: RequestOutcome;
  /** The change to the request's current version; `undefined` if it is the same, or there is none. */
  readonly change: VersionChange | undefined;
  /** Why it was rejected, as a sentence without a full stop. */
  readonly why: string | undefined;
}

export interface OutcomesInput {
  /** The monorepo's yarn.lock before the import, and with the imported packages. */
  readonly before: string;
  readonly after: string;
  readonly pins: ReadonlyMap<string, Pin>;
  readonly dropped: readonly DroppedPin[];
  /** With their final manifests. */
  readonly workspaces: readonly Workspace[];
  readonly importedPackages: readonly Workspace[];
  /**
   * Returns the version of a workspace's own dependency. It may differ from the lockfile's version for the request,
   * because of "resolutions".
   */
  readonly got: (workspace: WorkspaceLocation, name: string) => string | undefined;
}

/** Returns what became of every locked request of the imported packages, ordered by descriptor. Throws `LOCKFILE_INVALID`. */
export function requestOutcomes(input: OutcomesInput): readonly LockedRequestOutcome[] {
  const root = input.workspaces.find(({ path }) => path === '')?.manifest;
  const setting: OutcomeContext = {
    input,
    old: resolutionsIn(input.before),
    now: resolutionsIn(input.after),
    overridden: parseResolutions(root?.resolutions ?? new Map()),
    asked: new Map(
      input.importedPackages.map(({ name, manifest }) => [name, new Set([...directDependencies(manifest)].map(asDescriptor))]),
    ),
  };
  return collect(input)
    .map((pin) => outcomeOf(pin, setting))
    .sort(byDescriptor);
}

interface OutcomeContext {
  readonly input: OutcomesInput;
  readonly old: ReadonlyMap<string, ResolvedDescriptor>;
  readonly now: ReadonlyMap<string, ResolvedDescriptor>;
  readonly overridden: ReturnType<typeof parseResolutions>;
  /** Requests in the manifests of imported packages. */
  readonly asked: ReadonlyMap<WorkspaceName, ReadonlySet<string>>;
}

function outcomeOf({ why, ...pin }: Locked, setting: OutcomeContext): LockedRequestOutcome {
  const { descriptor, version, by } = pin;
  const found = setting.now.get(descriptor);
  const asks = (name: WorkspaceName): boolean => setting.asked.get(name)?.has(descriptor) === true;
  const common = { ...pin, direct: by.some(asks) };
  if (by.every((name) => asks(name) && gets(name, descriptor, setting.input) === version))
    return { ...common, outcome: 'kept', change: undefined, why: undefined };
  const outcome = judge({ ...pin, why }, found, setting);
  const change = diffVersions(version, found?.isWorkspace === true ? versionOf(found, setting.input) : found?.version);
  return { ...common, outcome, change, why: outcome === 'refused' ? why : undefined };
}

function gets(name: WorkspaceName, descriptor: string, { importedPackages, got }: OutcomesInput): string | undefined {
  const workspace = importedPackages.find((importedPackage) => importedPackage.name === name);
  return workspace === undefined ? undefined : got(workspace, nameOf(descriptor));
}

function versionOf({ resolution }: ResolvedDescriptor, { workspaces }: OutcomesInput): string | undefined {
  return workspaces.find(({ name }) => name === nameOf(resolution))?.manifest.version;
}

type Locked = Omit<Pin, 'resolution'> & { readonly why: string | undefined };

/** Returns the locked requests. A pin that was dropped later is listed once, with the reason. */
function collect({ pins, dropped }: OutcomesInput): readonly Locked[] {
  const idOf = ({ descriptor, version }: Locked): string => `${descriptor} ${version}`;
  const all = [...[...pins.values()].map((pin) => ({ ...pin, why: undefined })), ...dropped];
  const byId = new Map<string, Locked>();
  for (const one of all) {
    const known = byId.get(idOf(one));
    byId.set(idOf(one), known === undefined ? one : { ...known, by: [...new Set([...known.by, ...one.by])], why: one.why });
  }
  return [...byId.values()];
}

function judge(
  { descriptor, version, why }: Locked,
  found: ResolvedDescriptor | undefined,
  { old, overridden, input }: OutcomeContext,
): RequestOutcome {
  if (found === undefined) return outcomeOfOverridden(overridden.get(nameOf(descriptor)));
  if (found.isWorkspace) return 'a workspace';
  if (found.version === version) return 'kept';
  if (old.has(descriptor)) return 'of the monorepo';
  const pin = input.pins.get(descriptor);
  if (pin !== undefined && pin.version !== version && pin.version === found.version) return 'of an imported package';
  return why === undefined ? 'resolved anew' : 'refused';
}

function outcomeOfOverridden(resolutions: readonly Resolution[] | undefined): RequestOutcome {
  if (resolutions === undefined) return 'no longer asked for';
  return resolutions.every(({ to }) => to.startsWith('workspace:')) ? 'a workspace' : 'overridden';
}

function asDescriptor([name, written]: readonly [string, string]): string {
  const range = plainRange(written);
  return `${name}@${/^[a-z]+:/.test(range) ? range : `npm:${range}`}`;
}

function byDescriptor(one: LockedRequestOutcome, other: LockedRequestOutcome): number {
  return compareTexts(one.descriptor, other.descriptor);
}
