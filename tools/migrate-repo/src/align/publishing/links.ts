import { nameOf } from '@tributary/lockfile/descriptors';
import { pairsOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import type { RepoPath } from '@tributary/model/paths';
import type { Workspace } from '@tributary/workspaces/discover';
import { findResolution, normalizeRange, parseResolutions } from '@tributary/workspaces/lock/resolutions';
import { parseManifest } from '@tributary/workspaces/manifest';
import { setJson } from '../../edit/edit-json.js';
import type { Declared } from '../declared.js';
import { readIndex } from '../lock/root-lock.js';
import type { Edits, Monorepo } from '../project.js';

const ROOT = 'package.json' as RepoPath;

/** A request between workspaces that keeps its plain range. */
export interface PlainLink extends Pick<Declared, 'name' | 'range'> {
  readonly from: Pick<Workspace, 'name' | 'path'>;
  readonly to: Pick<Workspace, 'path'>;
}

/** Whether `resolutions` of the root already redirect a request elsewhere. The first matching entry applies. */
export function isOverridden({ workspaces: [root] }: Pick<Monorepo, 'workspaces'>, { from, to, name, range }: PlainLink): boolean {
  const list = parseResolutions(root?.manifest.resolutions ?? new Map()).get(name) ?? [];
  const found = findResolution(list, `${from.name}@workspace:${from.path}`, normalizeRange(range));
  return found !== undefined && found.to !== targetOf({ to });
}

/**
 * Links requests to workspaces by `resolutions` of the root, each only for its dependent, so that no manifest changes.
 * Returns the edit of the root package.json, or none.
 */
export function linkByResolutions({ files, workspaces: [root] }: Monorepo, links: readonly PlainLink[]): Edits {
  const text = files.read(ROOT);
  if (links.length === 0 || text === undefined) return new Map();
  const added = links.map((link) => [`${link.from.name}/${link.name}`, targetOf(link)] as const);
  const changed = setJson(text, ['resolutions'], Object.fromEntries([...(root?.manifest.resolutions ?? []), ...added]));
  return changed === text ? new Map() : new Map([[ROOT, changed]]);
}

function targetOf({ to }: Pick<PlainLink, 'to'>): string {
  return `workspace:${to.path === '' ? '.' : to.path}`;
}

/**
 * Returns the root package.json with entries that keep published packages from getting workspaces. They are needed if a
 * published package has the same name as the dependent workspace, because `from/name` applies to both. They come before
 * the others, because the first matching entry applies. `lock`: a yarn.lock with everything that may remain. `spared`:
 * the added keys of `resolutions`.
 */
export function spareNamesakes(text: string, lock: string): { readonly text: string; readonly spared: readonly string[] } {
  const { resolutions } = parseManifest(text, ROOT);
  const links = [...resolutions].filter(([, to]) => to.startsWith('workspace:')).flatMap(([key]) => splitKey(key) ?? []);
  const records = (readIndex(lock)?.records ?? []).filter(({ workspace }) => workspace === undefined);
  const spared = links.flatMap(([from, name]) =>
    records.filter(({ resolution }) => nameOf(resolution) === from).flatMap((record) => spare(record, name)),
  );
  const fresh = spared.filter(([key]) => !resolutions.has(key));
  const changed = fresh.length === 0 ? text : setJson(text, ['resolutions'], Object.fromEntries([...fresh, ...resolutions]));
  return { text: changed, spared: [...new Set(fresh.map(([key]) => key))] };
}

const NAME = '((?:@[^/@]+/)?[^/@]+)';
const LINK = new RegExp(`^${NAME}/${NAME}$`);

function splitKey(key: string): readonly (readonly [from: string, name: string])[] | undefined {
  const [, from, name] = LINK.exec(key) ?? [];
  return from === undefined || name === undefined ? undefined : [[from, name]];
}

/** Returns the entry for a published package. A key of `resolutions` must not contain slashes except in names. */
function spare(record: LockRecord, name: string): readonly (readonly [string, string])[] {
  const reference = record.resolution.slice(nameOf(record.resolution).length + 1);
  const range = pairsOf(record).find(([asked]) => asked === name)?.[1];
  const asked = range === undefined ? undefined : normalizeRange(range);
  if (asked === undefined || `${reference}${asked}`.includes('/')) return [];
  return [[`${nameOf(record.resolution)}@${reference}/${name}@${asked}`, asked]];
}
