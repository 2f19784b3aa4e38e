import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameOf } from '@tributary/lockfile/descriptors';
import { plainRange } from '@tributary/lockfile/lockfile';
import { descriptorsOf, pairsOf, versionOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import type { AbsolutePath, RepoFolder } from '@tributary/model/paths';
import type { Workspace } from '@tributary/workspaces/discover';
import { findResolution, normalizeRange, parseResolutions } from '@tributary/workspaces/lock/resolutions';
import { asLocation } from '../align/declared.js';
import { metadataBlock, type ThinEntry, thinBlock } from '../align/lock/blocks.js';
import { asksRegistry, buildOldLock, type LockEdge } from '../align/lock/content.js';
import { directDependencies } from '../align/lock/direct.js';
import { buildPins, type DroppedPin, type Pin, type SeedImportedPackage, satisfiesRange } from '../align/lock/pins.js';
import { readIndex } from '../align/lock/root-lock.js';
import { leadsToWorkspace } from '../align/lock/seed.js';
import type { OldLock } from '../align/project.js';
import type { MayAsk } from '../align/who-asks.js';
import { installFailure } from './install-failure.js';
import { scratchSettings } from './scratch-settings.js';
import { runYarn, type YarnContext, type YarnMessage } from './yarn.js';

export interface ConversionInput {
  /** An empty folder outside any project. It may be removed afterwards. */
  readonly folder: AbsolutePath;
  readonly importedPackages: readonly SeedImportedPackage[];
  /** The monorepo's current yarn.lock. */
  readonly rootLock: string;
  /** Workspaces that plain ranges may resolve to, with their final manifests. */
  readonly workspaces: readonly Workspace[];
  /** `resolutions` of the root, which may lead to workspaces too. */
  readonly resolutions?: ReadonlyMap<string, string>;
}

export interface Conversion {
  /** A yarn.lock of the imported packages alone, in the format of the monorepo's Yarn. */
  readonly lock: string;
  /** Everything that the imported packages have locked, including requests that the final ranges no longer make. */
  readonly pins: ReadonlyMap<string, Pin>;
  /** Pins that Yarn or the registry rejected, and locked versions that could not become pins. */
  readonly dropped: readonly DroppedPin[];
}

/** The number of times that Yarn may reject pins before the conversion fails. */
const ROUNDS = 5;

/**
 * Converts the old lockfiles with the monorepo's own Yarn, in a scratch project with the final ranges. Each entry has
 * only a version, and `--refresh-lockfile` completes it. Drops versions that Yarn rejects (`--check-resolutions`) or
 * the registry no longer has. Throws `INSTALL_FAILED`, `REGISTRY_UNREACHABLE`, `REGISTRY_REFUSED`,
 * `INSTALL_GIT_UNREADABLE`, and as `runYarn`.
 */
export async function convertLocks(outer: YarnContext, input: ConversionInput): Promise<Conversion> {
  outer.onPhase?.('Translating lockfiles');
  const context = withoutComplaints(outer);
  const importedPackages = await completeRequests(context, input);
  const { pins, dropped } = buildPins(importedPackages, input.resolutions);
  const remaining = new Map(pins);
  const folder = join(input.folder, 'locked') as AbsolutePath;
  const rejected: DroppedPin[] = [];
  for (let round = 0; ; round++) {
    writeScratch(context, folder, {
      manifests: importedPackages.map((each) => dependenciesOf(each, input)),
      lock: thinLock(remaining, input.rootLock),
    });
    const { succeeded, messages } = await runYarn(
      context,
      ['install', '--mode=update-lockfile', '--refresh-lockfile', '--check-resolutions'],
      folder,
    );
    if (succeeded) break;
    const refused = findRefused(messages, remaining);
    if (refused.length === 0 || round === ROUNDS) throw installFailure(messages, { folder, workspaces: askersIn(input) });
    for (const pin of refused) remaining.delete(pin.descriptor);
    rejected.push(...refused);
  }
  return { lock: readFileSync(join(folder, 'yarn.lock'), 'utf8'), pins, dropped: [...dropped, ...rejected] };
}

/** Hides warnings and errors. Warnings concern only the scratch project, and most errors are corrected here. */
function withoutComplaints(context: YarnContext): YarnContext {
  const { onMessage } = context;
  return { ...context, onMessage: (message) => (message.type === 'info' ? onMessage?.(message) : undefined) };
}

/**
 * Finds the ranges that pnpm's lockfile omits, by resolving each locked package at its exact version under an alias.
 * Their dependencies resolve to the same locked packages, because newer ones may be broken. Packages that the registry
 * no longer has are left out.
 */
async function completeRequests(context: YarnContext, input: ConversionInput): Promise<readonly SeedImportedPackage[]> {
  const nodes = input.importedPackages.flatMap(({ oldLock }) => oldLock.exact ?? []);
  if (nodes.length === 0) return input.importedPackages;
  const folder = join(input.folder, 'exact') as AbsolutePath;
  const wanted = new Map(nodes.map((node) => [`${node.name}@npm:${node.version}`, node]));
  for (let round = 0; ; round++) {
    const dependencies = Object.fromEntries([...wanted.values()].map(({ name, version }, at) => [`p${at}`, `npm:${name}@${version}`]));
    const resolutions = Object.fromEntries([...wanted.values()].map(({ name, version }) => [name, version]));
    writeScratch(context, folder, { manifests: [dependencies], lock: metadataBlock(input.rootLock) ?? '', resolutions });
    const { succeeded, messages: reported } = await runYarn(context, ['install', '--mode=update-lockfile'], folder);
    if (succeeded) break;
    const messages = reported.map(withoutAlias);
    const refused = refusals(messages);
    const gone = [...wanted.keys()].filter((resolution) => refused.some(({ text }) => mentions(text, resolution)));
    if (gone.length === 0 || round === ROUNDS) throw installFailure(messages, { folder, workspaces: askersIn(input) });
    for (const resolution of gone) wanted.delete(resolution);
  }
  const ranges = rangesIn(readFileSync(join(folder, 'yarn.lock'), 'utf8'));
  return input.importedPackages.map((importedPackage) => ({ ...importedPackage, oldLock: withRanges(importedPackage, ranges) }));
}

/** Changes `p0@npm:lib@1.0.0: No candidates found` to `lib@npm:1.0.0: No candidates found`. */
function withoutAlias(message: YarnMessage): YarnMessage {
  return { ...message, text: message.text.replace(/\bp\d+@npm:((?:@[^/@]+\/)?[^/@]+)@/g, '$1@npm:') };
}

/** Returns the imported packages, with their folders in the scratch project. */
function askersIn({ importedPackages, workspaces }: ConversionInput): readonly MayAsk[] {
  return importedPackages.flatMap(({ name, manifest }, at) => {
    const own = workspaces.find((workspace) => workspace.name === name);
    return own === undefined ? [] : [{ member: asLocation(own), manifest, isNew: true, lockFolder: importedPackageFolder(at) }];
  });
}

function importedPackageFolder(at: number): RepoFolder {
  return `imported-package-${at}` as RepoFolder;
}

/** Returns the requests of each package, by `name@version`. */
function rangesIn(text: string): ReadonlyMap<string, readonly (readonly [string, string])[]> {
  const records = readIndex(text)?.records ?? [];
  return new Map(records.map((record) => [`${nameOf(record.resolution)}@${versionOf(record)}`, pairsOf(record)]));
}

function withRanges({ oldLock, before }: SeedImportedPackage, ranges: ReturnType<typeof rangesIn>): OldLock {
  if (oldLock.exact === undefined) return oldLock;
  const direct = [...directDependencies(before)].map(
    ([name, range]): LockEdge => ({ name, range, version: oldLock.resolve(name, range), direct: true }),
  );
  const edges = oldLock.exact.flatMap(({ name: parent, version, dependencies }) =>
    (ranges.get(`${parent}@${version}`) ?? []).map(
      ([name, range]): LockEdge => ({ name, range, version: dependencies.get(name)?.version, direct: false }),
    ),
  );
  const { requests, addressed } = buildOldLock(oldLock.file, { kind: oldLock.kind, edges: [...direct, ...edges], packages: [] });
  const answers = new Map(requests.map(({ name, range, version }) => [`${name}@${range}`, version]));
  return { ...oldLock, requests, addressed, resolve: (name, range) => answers.get(`${name}@${plainRange(range)}`) };
}

/**
 * Returns the imported package's dependencies from a registry, by name. A patch is replaced by the patched package,
 * because its file is not here.
 */
export function dependenciesOf(
  { name: own, manifest }: Pick<Workspace, 'name' | 'manifest'>,
  { workspaces, resolutions }: Pick<ConversionInput, 'workspaces' | 'resolutions'>,
): Record<string, string> {
  const byName = parseResolutions(resolutions ?? new Map());
  const leadsInside = (name: string, range: string): boolean => {
    const resolution = findResolution(byName.get(name) ?? [], `${own}@workspace:`, normalizeRange(range));
    return resolution?.to.startsWith('workspace:') === true || leadsToWorkspace(`${name}@${plainRange(range)}`, workspaces);
  };
  const wanted = [...directDependencies(manifest)].map(([name, range]) => [name, withoutPatch(range)] as const);
  return Object.fromEntries(
    wanted.filter(([name, range]) => (asksRegistry(range) || range.startsWith('catalog:')) && !leadsInside(name, range)),
  );
}

/** Changes `patch:lib@npm%3A1.0.0#~/lib.patch` to `npm:1.0.0`. */
function withoutPatch(range: string): string {
  const [, source = ''] = /^patch:([^#]+)#/.exec(range) ?? [];
  return source === '' ? range : decodeURIComponent(source).replace(/^@?[^@]+@/, '');
}

/** Writes a scratch project: one folder for each manifest, and the monorepo's settings for its registries. */
export function writeScratch(
  context: YarnContext,
  folder: AbsolutePath,
  content: { manifests: readonly Record<string, string>[]; lock: string; resolutions?: Record<string, string> },
): void {
  mkdirSync(folder, { recursive: true });
  const { packageManager } = context.yarn;
  const { manifests, lock, resolutions } = content;
  const root = { name: 'migrate-repo-scratch', private: true, packageManager, workspaces: ['imported-package-*'], resolutions };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
  for (const [at, dependencies] of manifests.entries()) {
    mkdirSync(join(folder, importedPackageFolder(at)), { recursive: true });
    writeFileSync(
      join(folder, importedPackageFolder(at), 'package.json'),
      JSON.stringify({ name: `migrate-repo-imported-package-${at}`, private: true, dependencies }),
    );
  }
  writeFileSync(join(folder, '.yarnrc.yml'), scratchSettings(context.root));
  writeFileSync(join(folder, 'yarn.lock'), lock);
}

/**
 * Returns a lockfile with the pins. Requests without a pin get the version of the root lockfile, so that the scratch
 * project requests nothing that the monorepo will not.
 */
export function thinLock(pins: ReadonlyMap<string, Pin>, rootLock: string): string {
  const own = (readIndex(rootLock)?.records ?? []).flatMap((record) =>
    thinEntries(record).filter(({ descriptor }) => !pins.has(descriptor)),
  );
  return [metadataBlock(rootLock) ?? '__metadata:\n  version: 8\n', ...[...pins.values(), ...own].map(thinBlock)].join('\n');
}

/** Returns the thin entries of a record. None if it is not from a registry, or Yarn would reject the version. */
function thinEntries(record: LockRecord): ThinEntry[] {
  if (!/@npm:[^:]+$/.test(record.resolution)) return [];
  const version = versionOf(record);
  return descriptorsOf(record).flatMap((descriptor) => {
    const range = /@npm:(.*)$/.exec(descriptor)?.[1];
    return range !== undefined && satisfiesRange({ range, version }) ? [{ descriptor, resolution: record.resolution, version }] : [];
  });
}

/** Returns the pins that Yarn's errors name. Their version does not satisfy the range, or the registry does not have it. */
function findRefused(messages: readonly YarnMessage[], pins: ReadonlyMap<string, Pin>): DroppedPin[] {
  const refused = new Map<string, DroppedPin>();
  for (const { code, text, why } of refusals(messages)) {
    for (const { resolution, ...pin } of pins.values()) {
      if (mentions(text, code === 'YN0078' ? pin.descriptor : resolution)) refused.set(pin.descriptor, { ...pin, why });
    }
  }
  return [...refused.values()];
}

const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['YN0016', 'the registry does not have the version'],
  ['YN0035', 'the registry does not have the version'],
  ['YN0078', 'Yarn rejects the version for this range'],
  ['YN0082', 'the registry does not have the version'],
]);

interface Refusal extends YarnMessage {
  readonly why: string;
}

/** Returns the errors that reject a version. An error of a failing registry does not. */
function refusals(messages: readonly YarnMessage[]): readonly Refusal[] {
  return messages.flatMap((message, at): readonly Refusal[] => {
    const why = message.type === 'error' ? REFUSALS.get(message.code) : undefined;
    const isAnswer = message.code !== 'YN0035' || isNotFound(messages.slice(at + 1));
    return why === undefined || !isAnswer ? [] : [{ ...message, why }];
  });
}

/** Whether the indented lines below an error contain a "not found" answer. */
function isNotFound(rest: readonly YarnMessage[]): boolean {
  const end = rest.findIndex(({ text }) => !/^\s/.test(text));
  return rest.slice(0, end === -1 ? rest.length : end).some(({ text }) => /^\s+Response Code: (?:404|410)\b/.test(text));
}

function mentions(text: string, what: string): boolean {
  const at = text.indexOf(what);
  return at >= 0 && !/[\w@/-]/.test(text.charAt(at - 1)) && !/[\w.+-]/.test(text.charAt(at + what.length));
}
