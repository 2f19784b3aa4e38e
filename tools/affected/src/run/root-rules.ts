import type { ChangedFile } from '@tributary/model/changeset';
import { parsePackageExtensions } from '@tributary/workspaces/lock/package-extensions';
import { parseManifest } from '@tributary/workspaces/manifest';
import type { SettingsProblem, YarnSettings } from '@tributary/workspaces/yarn-settings';
import type { RootTexts } from '../io/reading.js';
import type { RootRules, Unreadable } from '../snapshot.js';

/** Throws `CONFIG_INVALID` for settings that Yarn rejects, `MANIFEST_INVALID` for the root manifest. */
export async function readRootRules(texts: RootTexts, files: readonly ChangedFile[]): Promise<RootRules | Unreadable> {
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
