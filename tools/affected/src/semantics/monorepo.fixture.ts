import type { PublishedPackage } from '@tributary/test-repo/local-registry';
import { formatManifest, type Manifest, type MonorepoDescription, monorepoFiles } from '@tributary/test-repo/temp-monorepo';
import type { Files } from '@tributary/test-repo/temp-repo';

/** The published packages. `left` needs `deep`, `wrapper` needs `left`, and `host` needs `lib`, which is a workspace here. */
export const PACKAGES: readonly PublishedPackage[] = [
  ...['deep', 'lib', 'extended', 'extra', 'shelf', 'jest', 'prettier', 'typescript'].map((name) => published(name, '1.0.0')),
  published('deep', '2.0.0'),
  published('left', '1.0.0', { deep: '^1.0.0' }),
  published('wrapper', '1.0.0', { left: '^1.0.0' }),
  published('host', '1.0.0', { lib: '^1.0.0' }),
  { ...published('patched', '1.0.0'), files: { 'index.js': 'module.exports = 1;\n' } },
];

/** Returns a package without files; `dependencies` by range. */
export function published(name: string, version: string, dependencies: Readonly<Record<string, string>> = {}): PublishedPackage {
  return { manifest: { name, version, dependencies } };
}

export const PATCH_FILE = '.yarn/patches/patched.patch';

/** Returns the patch of `patched` that makes its index export another number. */
export function patchTo(number: number): string {
  return [
    'diff --git a/index.js b/index.js',
    '--- a/index.js',
    '+++ b/index.js',
    '@@ -1 +1 @@',
    '-module.exports = 1;',
    `+module.exports = ${number};`,
    '',
  ].join('\n');
}

export const YARNRC = ['enableTelemetry: false', 'nodeLinker: node-modules', 'catalog:', '  lib: ^1.0.0', '  shelf: ~1.0.0', ''].join('\n');

/**
 * In the order of Yarn. Each `by-…` depends on `lib` in the way of its name. The three of `DEEP` get `deep`, two of them through other
 * packages.
 */
const MANIFESTS: Readonly<Record<string, Manifest>> = {
  'packages/lib': {},
  'packages/lib/inner': {},
  'packages/by-dependency': { dependencies: { left: '^1.0.0', lib: 'workspace:^' } },
  'packages/by-dev': { devDependencies: { lib: 'workspace:*' } },
  'packages/by-peer': { peerDependencies: { lib: '^1.0.0' } },
  'packages/by-optional': { optionalDependencies: { lib: 'workspace:~' }, dependencies: { wrapper: '^1.0.0' } },
  'packages/by-path': { dependencies: { lib: 'workspace:packages/lib' } },
  'packages/by-semver': { dependencies: { lib: '^1.0.0' } },
  'packages/by-portal': { dependencies: { lib: 'portal:../lib', patched: `patch:patched@npm%3A1.0.0#~/${PATCH_FILE}` } },
  'packages/by-link': { dependencies: { lib: 'link:../lib', shelf: 'catalog:' } },
  'packages/by-file': { dependencies: { extended: '1.0.0', lib: 'file:../lib' } },
  'packages/by-alias': { dependencies: { 'other-name': 'npm:lib@^1.0.0' } },
  'packages/by-catalog': { dependencies: { lib: 'catalog:' } },
  'packages/by-package': { dependencies: { host: '1.0.0' } },
  'packages/dev-user': { dependencies: { 'by-dev': 'workspace:^' } },
  'packages/inner-user': { dependencies: { inner: 'workspace:^' } },
  'packages/tool': {},
  'packages/alone': { dependencies: { deep: '^1.0.0' } },
  'packages/ring-a': { dependencies: { 'ring-b': 'workspace:^' } },
  'packages/ring-b': { devDependencies: { 'ring-a': 'workspace:^' } },
};

/** The dependencies of the root. */
export const ROOT_TOOLS = { jest: '^1.0.0', prettier: '^1.0.0', tool: 'workspace:^' };

const ROOT: Manifest = {
  version: '1.0.0',
  workspaces: ['packages/*', 'packages/lib/*'],
  scripts: { test: 'jest' },
  devDependencies: ROOT_TOOLS,
};

/** The workspaces that `lib` affects, without itself. */
export const USERS_OF_LIB = [
  'by-alias',
  'by-catalog',
  'by-dependency',
  'by-dev',
  'by-file',
  'by-link',
  'by-optional',
  'by-package',
  'by-path',
  'by-peer',
  'by-portal',
  'by-semver',
  'dev-user',
];

export const LIB_AND_USERS = [...USERS_OF_LIB, 'lib'];

/** The workspaces that get `deep`. Nothing depends on them. */
export const USERS_OF_DEEP = ['alone', 'by-dependency', 'by-optional'];

export const MONOREPO: MonorepoDescription = {
  root: ROOT,
  packages: MANIFESTS,
  files: {
    ...Object.fromEntries(Object.keys(MANIFESTS).map((folder) => [`${folder}/src/index.js`, 'export {};\n'])),
    '.gitignore': 'node_modules\n.yarn/*\n!.yarn/patches\n',
    '.yarnrc.yml': YARNRC,
    [PATCH_FILE]: patchTo(2),
  },
};

/** Returns the manifest of a workspace, or with `''` of the root, with some keys overridden. `undefined` removes a key. */
export function manifestOf(folder: string, over: Manifest): Files {
  const file = folder === '' ? 'package.json' : `${folder}/package.json`;
  const text = monorepoFiles(MONOREPO)[file];
  const old: Manifest = typeof text === 'string' ? JSON.parse(text) : { name: folder.slice(folder.lastIndexOf('/') + 1), version: '1.0.0' };
  return { [file]: formatManifest({ ...old, ...over }) };
}

/** Returns another .yarnrc.yml. */
export function settings(text: string): Files {
  return { '.yarnrc.yml': text };
}

/** Returns settings that add the dependency `extra` to the packages of a key. */
export function extension(key: string, block = 'dependencies'): Files {
  return settings(`${YARNRC}packageExtensions:\n  "${key}":\n    ${block}:\n      extra: ^1.0.0\n`);
}
