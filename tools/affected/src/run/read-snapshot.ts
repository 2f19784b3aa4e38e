import type { ChangedFile } from '@tributary/model/changeset';
import { isToolError } from '@tributary/model/errors';
import { readLockMembers } from '@tributary/workspaces/lock/members';
import { parsePackageExtensions } from '@tributary/workspaces/lock/package-extensions';
import { withResolutions } from '@tributary/workspaces/lock/resolved-members';
import { parseManifest } from '@tributary/workspaces/manifest';
import type { SettingsProblem, YarnSettings } from '@tributary/workspaces/yarn-settings';
import { listCommit, type RootTexts } from '../io/reading.js';
import type { GraphSource, RootRules, Snapshot, UnreadableSnapshot } from '../snapshot.js';
import type { AffectedInputs } from './inputs.js';

type Where = Pick<AffectedInputs, 'git' | 'repository' | 'files'>;

interface How {
  readonly texts: RootTexts;
  readonly source: GraphSource;
  /** The other side, so that what both share is read once. */
  readonly other?: Snapshot | undefined;
}

/**
 * Reads a commit. Throws `CONFIG_INVALID` for settings that Yarn rejects, and `MANIFEST_INVALID`, `WORKSPACE_DUPLICATE_NAME`,
 * `TARGET_NOT_A_MONOREPO` for invalid manifests.
 */
export async function readSnapshot(where: Where, commit: string, how: How): Promise<Snapshot | UnreadableSnapshot> {
  const { texts, source, other } = how;
  // Git lists the files while the lockfile is read here.
  const listing = source === 'manifests' ? listCommit(where.git, commit) : undefined;
  const rules = await readRootRules(texts, where.files);
  if ('all' in rules) return rules;
  const lock = texts['yarn.lock'] === undefined ? undefined : readLockMembers(texts['yarn.lock'], other?.lock);
  const snapshot = { ...rules, lock, linked: lock?.kind === 'berry' ? lock.linked : [] };
  if (source === 'lockfile' && lock?.kind === 'berry')
    return { ...snapshot, graph: withResolutions(lock, rules.rootManifest.resolutions), project: undefined };
  const { withManifests } = await import('./read-manifests.js');
  return withManifests(where, commit, { ...snapshot, project: other?.project }, listing);
}

/** Throws `CONFIG_INVALID` for settings that Yarn rejects, `MANIFEST_INVALID` for the root manifest. */
async function readRootRules(texts: RootTexts, files: readonly ChangedFile[]): Promise<RootRules | UnreadableSnapshot> {
  const settings = await readSettings(texts['.yarnrc.yml'], files);
  if ('problem' in settings) return { all: { code: 'SETTINGS_UNREADABLE', reason: `.yarnrc.yml:${settings.line}: ${settings.problem}.` } };
  const rootManifest = parseManifest(texts['package.json'] ?? '', 'package.json');
  return { texts, settings, rootManifest, extensions: parsePackageExtensions(settings.packageExtensions) };
}

/**
 * Parses YAML only if needed, because that takes half as long as everything else together: most files have no relevant settings unless they
 * change.
 */
async function readSettings(text: string | undefined, files: readonly ChangedFile[]): Promise<YarnSettings | SettingsProblem> {
  const matters = /catalog|packageExtensions|enableTransparentWorkspaces/.test(text ?? '');
  if (text === undefined || (!matters && !files.some(({ path }) => path === '.yarnrc.yml'))) return PLAIN_SETTINGS;
  const { parseYarnSettings } = await import('@tributary/workspaces/yarn-settings');
  return parseYarnSettings(text);
}

const PLAIN_SETTINGS: YarnSettings = { catalogs: new Map(), transparentWorkspaces: 'on', packageExtensions: undefined, raw: {} };

/** Reads the base, in which a mistake that the change fixes must not be an error. */
export async function orUnreadable(read: () => Promise<Snapshot | UnreadableSnapshot>): Promise<Snapshot | UnreadableSnapshot> {
  try {
    return await read();
  } catch (error) {
    if (
      !isToolError(error) ||
      !/^(CONFIG_INVALID|MANIFEST_INVALID|WORKSPACE_DUPLICATE_NAME|TARGET_NOT_A_MONOREPO|PACKAGE_MANAGER_UNSUPPORTED)$/.test(error.code)
    )
      throw error;
    return { all: { code: 'BASE_UNREADABLE', reason: `The base cannot be read: ${error.message}` } };
  }
}
