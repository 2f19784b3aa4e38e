import { isPlainObject } from '@tributary/model/plain-object';
import type { YarnSettings } from '@tributary/workspaces/yarn-settings';
import { readRootSettings } from '../root-settings.js';
import { NOT_CARRIED, type SettingInput, type SettingNote } from './setting-input.js';

const FILE = '.yarnrc.yml';

/**
 * Reports other settings of its `.yarnrc.yml` that differ from the root's: the linker, plugins, and, by name only,
 * those that may affect an installation.
 */
export function compareYarnSettings({ settings, draft }: SettingInput): readonly SettingNote[] {
  if (settings.yarn === undefined || settings.broken.some(({ file }) => file === FILE)) return [];
  const root = readRootSettings(draft);
  return [...linker(settings.yarn, root), ...plugins(settings.yarn, root), ...others(settings.yarn, root)];
}

/** Yarn's default. */
const DEFAULT_LINKER = 'pnp';

function linker(own: YarnSettings, root: YarnSettings): readonly SettingNote[] {
  const [before, after] = [linkerOf(own), linkerOf(root)];
  if (before === after) return [];
  const meaning =
    after === 'node-modules'
      ? 'undeclared dependencies may be found now, and later be missing elsewhere'
      : 'undeclared dependencies are no longer found';
  return [
    {
      file: FILE,
      setting: 'nodeLinker',
      outcome: 'left',
      done: NOT_CARRIED,
      decision: {
        text: `The monorepo uses a different linker, so run the tests of the package in it: ${meaning}.`,
        detail: `the monorepo uses ${after}, the package used ${before}`,
      },
    },
  ];
}

function linkerOf({ raw }: YarnSettings): string {
  const linker = raw['nodeLinker'];
  return typeof linker === 'string' && /^(pnp|pnpm|node-modules)$/.test(linker) ? linker : DEFAULT_LINKER;
}

function plugins(own: YarnSettings, root: YarnSettings): readonly SettingNote[] {
  const there = new Set(pluginNames(root));
  return pluginNames(own)
    .filter((name) => !there.has(name) && !BUILT_IN.has(name))
    .map((name) => ({
      file: FILE,
      setting: `plugins: ${name}`,
      outcome: 'left',
      done: NOT_CARRIED,
      decision: {
        text: 'It was not carried over, because plugins run for all workspaces: add it to the root if the package needs it.',
      },
    }));
}

/** Plugins of Yarn 2 and 3 that are part of Yarn 4. */
const BUILT_IN: ReadonlySet<string> = new Set(
  ['compat', 'constraints', 'exec', 'interactive-tools', 'stage', 'typescript', 'version', 'workspace-tools'].map(
    (name) => `plugin-${name}`,
  ),
);

/**
 * Returns plugin names: `plugin-version`, from `@yarnpkg/plugin-version` or the file name. Nothing else is returned,
 * because it may be an address.
 */
function pluginNames({ raw }: YarnSettings): readonly string[] {
  const list = Array.isArray(raw['plugins']) ? raw['plugins'] : [];
  return list.flatMap((plugin: unknown) => {
    const texts = isPlainObject(plugin) ? [plugin['spec'], plugin['path']] : [plugin];
    const names = texts.flatMap((text) =>
      typeof text === 'string' ? (/(?:^|[/])(plugin-[a-z0-9-]{1,40})(?:\.c?js)?$/.exec(text)?.[1] ?? []) : [],
    );
    return names.slice(0, 1);
  });
}

/** Settings that affect what is installed or run, and are not handled separately. */
const NAMED: readonly string[] = [
  'enableScripts',
  'supportedArchitectures',
  'nmHoistingLimits',
  'nmMode',
  'nmSelfReferences',
  'pnpMode',
  'pnpFallbackMode',
  'pnpIgnorePatterns',
  'enableTransparentWorkspaces',
  'defaultProtocol',
  'checksumBehavior',
  'injectEnvironmentFiles',
  'npmMinimalAgeGate',
  'enableHardenedMode',
  'winLinkType',
  'patchFolder',
  'logFilters',
  'immutablePatterns',
  'npmPublishRegistry',
  'npmPublishAccess',
  'npmPublishProvenance',
];

function others(own: YarnSettings, root: YarnSettings): readonly SettingNote[] {
  return NAMED.filter((name) => own.raw[name] !== undefined && JSON.stringify(own.raw[name]) !== JSON.stringify(root.raw[name])).map(
    (name) => ({
      file: FILE,
      setting: name,
      outcome: 'left',
      done: NOT_CARRIED,
      decision: {
        text: 'The package set this, but now the setting of the root applies: check whether the package needs it.',
        detail: `the root ${root.raw[name] === undefined ? 'does not set it' : 'sets it differently'}`,
      },
    }),
  );
}
