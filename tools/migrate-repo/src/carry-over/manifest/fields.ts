import { joinRepoPath, relativeTo } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { isCredential } from '../../credentials.js';
import { setJson } from '../../edit/edit-json.js';
import { listing } from '../../message.js';
import { hasLegacyEslint } from '../rules/lint.js';
import { scriptCalls, scriptCommands } from './commands.js';
import type { FieldCheck, FieldOutcome, ManifestSubject } from './field.js';
import { hookPackages, hookScripts, hooks, lintStaged } from './hooks.js';
import { installScripts, packageManagerGuards } from './install-scripts.js';
import { lifecycleScripts } from './lifecycle.js';
import { lockfileNames, scriptPaths, settingPaths } from './paths.js';
import { engines, nohoist, packageManager, releaseSettings, volta } from './tools.js';

/** The checks of an imported package's manifest, in order. The first ones run while the manifest still names its former package manager. */
export const MANIFEST_FIELDS: readonly FieldCheck[] = [
  packageManagerGuards,
  lifecycleScripts,
  packageManager,
  hooks,
  lintStaged,
  hookScripts,
  hookPackages,
  installScripts,
  volta,
  address,
  bundledDependencies,
  engines,
  nohoist,
  scriptCalls,
  eslintConfig,
  scriptCommands,
  scriptPaths,
  settingPaths,
  lockfileNames,
  releaseSettings,
  credentials,
];

/**
 * Keeps bundled dependencies in the folder of the package, where npm takes them from. Other dependencies of a workspace
 * are in the node_modules of the root.
 */
function bundledDependencies({ text, manifest }: ManifestSubject): FieldOutcome | undefined {
  const field = ['bundleDependencies', 'bundledDependencies'].find((name) => manifest[name] !== undefined);
  const bundled = field === undefined ? undefined : manifest[field];
  if (manifest['private'] === true || bundled === false || (Array.isArray(bundled) ? bundled.length === 0 : bundled !== true))
    return undefined;
  const kept = setJson(text, ['installConfig', 'hoistingLimits'], 'workspaces');
  return {
    text: kept,
    ...(kept === text
      ? {}
      : { done: { text: '"installConfig.hoistingLimits" keeps its dependencies out of the node_modules of the root.' } }),
    remarks: [
      {
        topic: 'published',
        text: 'Its archive has bundled dependencies only if they are in its own node_modules, which needs `nodeLinker: node-modules`. A link to a workspace does not count. That was not tried: run `npm pack --dry-run` after `yarn install`.',
        detail: `"${field}"`,
      },
    ],
  };
}

/** Aligns `repository`: address and folder belong together, and one without the other is wrong. */
function address({ text, manifest, root, subject }: ManifestSubject): FieldOutcome | undefined {
  const own = manifest['repository'];
  const ofRoot = root['repository'];
  const directory = directoryOf(ofRoot, subject);
  const url = isPlainObject(ofRoot) ? ofRoot['url'] : ofRoot;
  if (own === undefined && (manifest['private'] === true || typeof url !== 'string')) return undefined;
  // Nothing depends on it but links, so it is told and not asked.
  if (typeof url !== 'string')
    return {
      remarks: [{ text: '"repository" was not changed: the package.json of the root does not contain the address of the monorepo.' }],
    };
  if (isPlainObject(own) && own['url'] === url && own['directory'] === directory) return undefined;
  const type = isPlainObject(ofRoot) && typeof ofRoot['type'] === 'string' ? ofRoot['type'] : 'git';
  return {
    text: setJson(text, ['repository'], { type, url, directory }),
    done: { text: '"repository" now names the monorepo and the folder of the package.', detail: `\`"directory": "${directory}"\`` },
  };
}

/**
 * Returns the folder for `directory`. If the root's manifest has its own `directory`, that is correct: this repository
 * may be a copy of that folder.
 */
function directoryOf(ofRoot: unknown, { importedPackage, repository }: ManifestSubject['subject']): string {
  if (!isPlainObject(ofRoot) || typeof ofRoot['directory'] !== 'string' || ofRoot['directory'] === '') return importedPackage.path;
  return joinRepoPath(ofRoot['directory'] as typeof importedPackage.path, relativeTo(repository.root, importedPackage.path));
}

/** Reports a credential in the manifest itself. It is in the history too, and would be published with the package. */
function credentials({ manifest }: ManifestSubject): FieldOutcome | undefined {
  const found = keysWithCredentials(manifest, '').map((key) => `"${key}"`);
  return { remarks: listing({ topic: 'credentials', text: CREDENTIAL }, found) };
}

const CREDENTIAL =
  'It seems to contain a credential, which is not shown here and is also in the history: revoke it where it was issued, and remove it.';

function keysWithCredentials(value: unknown, key: string): readonly string[] {
  if (typeof value === 'string') return isCredential(key, value) ? [key] : [];
  if (Array.isArray(value)) return value.some((one) => keysWithCredentials(one, key).length > 0) ? [key] : [];
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => keysWithCredentials(one, key === '' ? name : `${key}.${name}`));
}

/** Sets "root" in `eslintConfig`. As with files of the older format, settings above it would otherwise apply too. */
function eslintConfig({ text, manifest, subject }: ManifestSubject): FieldOutcome | undefined {
  const own = manifest['eslintConfig'];
  if (!isPlainObject(own) || own['root'] === true || !hasLegacyEslint(subject)) return undefined;
  return {
    text: setJson(text, ['eslintConfig', 'root'], true),
    done: { text: '"eslintConfig" now has "root": true, so that its rules stay the same.' },
  };
}
