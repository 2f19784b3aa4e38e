/** Folder -> manifest, or file -> text. */
export type ManifestFiles = Readonly<Record<string, unknown>>;

const lib = { name: 'lib', version: '1.2.3' };

/** FOR TESTS. Projects that our reader and Yarn must read alike. The numbers prevent a project from becoming empty unnoticed. */
export const fixtures: Readonly<Record<string, { readonly files: ManifestFiles; readonly workspaces: number; readonly edges: number }>> = {
  'one level of folders, one of them without a manifest': {
    files: {
      '.': { name: 'root', workspaces: ['packages/*'] },
      'packages/a': { name: 'a' },
      'packages/none/readme.md': 'x',
      'tools/t': { name: 't' },
    },
    workspaces: 2,
    edges: 0,
  },
  'the object form, scoped names and every field of dependencies': {
    files: {
      '.': { name: 'root', workspaces: { packages: ['packages/*'], nohoist: [] }, devDependencies: { '@acme/ui': 'workspace:^' } },
      'packages/ui': { name: '@acme/ui', version: '1.0.0', peerDependencies: { '@acme/core': '>=1', react: '*' } },
      'packages/core': { name: '@acme/core', version: '1.4.0', optionalDependencies: { '@acme/log': '~2.0.0' } },
      'packages/log': { name: '@acme/log', version: '2.0.9', devDependencies: { '@acme/ui': '1.0.0' } },
    },
    workspaces: 4,
    edges: 4,
  },
  'negative patterns, with and without depth': {
    files: {
      '.': { workspaces: ['packages/**', '!packages/old', '!**/fixtures/**', '!packages/a/b/', '!packages/dots/.hid'] },
      'packages/a': { name: 'a' },
      'packages/a/b': { name: 'b' },
      'packages/a/b/c': { name: 'c' },
      'packages/old': { name: 'old' },
      'packages/old/inside': { name: 'inside-old' },
      'packages/a/fixtures/one': { name: 'one' },
      'packages/a/fixtures': { name: 'fixtures' },
      'packages/.hidden': { name: 'hidden' },
    },
    workspaces: 3,
    edges: 0,
  },
  'braces, ranges of numbers, trailing slashes, leading dots, double slashes': {
    files: {
      '.': { workspaces: ['{apps,libs/{x,y}}/*', './tools/', 'p{1..3}', 'q//*', 'l{a..c}', 'odd{x}', 'single{,-2}'] },
      'apps/one': { name: 'one' },
      'libs/x/two': { name: 'two' },
      'libs/y/three': { name: 'three' },
      'libs/z/four': { name: 'four' },
      tools: { name: 'tools' },
      p2: { name: 'p2' },
      p12: { name: 'p12' },
      'q/five': { name: 'five' },
      lb: { name: 'lb' },
      oddx: { name: 'oddx' },
      'odd{x}': { name: 'odd' },
      single: { name: 'single' },
      'single-2': { name: 'single-2' },
    },
    workspaces: 11,
    edges: 0,
  },
  'folders that begin with a dot, and the ones that Yarn never enters': {
    files: {
      '.': { workspaces: ['*', '.config/*', '**/deep', '.yarn/x', 'vendor/node_modules/*'] },
      '.config/lint': { name: 'lint' },
      '.github': { name: 'github' },
      'node_modules/dep': { name: 'dep' },
      'a/node_modules/b/deep': { name: 'b' },
      'a/.git/deep': { name: 'g' },
      'a/x/deep': { name: 'deep' },
      '.yarn/x': { name: 'yarn-x' },
      'vendor/node_modules/v': { name: 'v' },
    },
    workspaces: 4,
    edges: 0,
  },
  'a pattern that begins inside node_modules': {
    files: {
      '.': { workspaces: ['vendor/node_modules/*', 'node_modules/exact'] },
      'vendor/node_modules/v': { name: 'v' },
      'node_modules/exact': { name: 'exact' },
    },
    workspaces: 3,
    edges: 0,
  },
  'workspaces inside of workspaces, also beside them': {
    files: {
      '.': { name: 'root', workspaces: ['packages/outer', '.'] },
      'packages/outer': { name: 'outer', workspaces: ['inner/*', '../beside', '../../far/*'] },
      'packages/outer/inner/deep': {
        name: 'deep',
        workspaces: ['../../../outer', '../*'],
        dependencies: { outer: 'workspace:packages/outer' },
      },
      'packages/outer/inner/next': { name: 'next' },
      'packages/beside': { name: 'beside' },
      'far/one': { name: 'far-one' },
    },
    workspaces: 6,
    edges: 1,
  },
  'workspaces without a name or with one that Yarn does not accept': {
    files: {
      '.': { workspaces: ['p/*'] },
      'p/plain': {},
      'p/slash': { name: 'a/b/c' },
      'p/number': { name: 7 },
      'p/empty/package.json': '',
      'p/odd': { name: 'odd name' },
    },
    workspaces: 6,
    edges: 0,
  },
  'workspace ranges': {
    files: {
      '.': { name: 'root', version: '0.5.0', workspaces: ['packages/*'] },
      'packages/lib': lib,
      'packages/bare': { name: 'bare' },
      'packages/a': {
        name: 'a',
        dependencies: { lib: 'workspace:*' },
        devDependencies: { lib: 'workspace:^' },
        peerDependencies: { lib: 'workspace:~' },
      },
      'packages/b': { name: 'b', dependencies: { lib: 'workspace:^1.0.0', bare: 'workspace:1.0.0', root: 'workspace:.' } },
      'packages/c': {
        name: 'c',
        dependencies: { lib: 'workspace:^2.0.0', other: 'workspace:packages/lib', gone: 'workspace:packages/gone' },
      },
      'packages/d': {
        name: 'd',
        dependencies: { other: 'workspace:./packages/lib/', bare: 'workspace:0.0.0', up: 'workspace:../packages/lib', lib: 'workspace:' },
      },
      'packages/self': { name: 'self', dependencies: { self: 'workspace:*', unknown: 'workspace:*' } },
    },
    workspaces: 8,
    edges: 10,
  },
  'plain ranges, which Yarn answers with a workspace if its version satisfies them': {
    files: {
      '.': { name: 'root', workspaces: ['packages/*'] },
      'packages/lib': lib,
      'packages/pre': { name: 'pre', version: '2.0.0-rc.1' },
      'packages/bare': { name: 'bare' },
      'packages/odd': { name: 'odd', version: 'next' },
      'packages/a': { name: 'a', dependencies: { lib: '^1.0.0', pre: '^2.0.0', bare: '*', odd: '*' } },
      'packages/b': { name: 'b', dependencies: { lib: 'npm:1.x', pre: '2.0.0-rc.1', bare: '' } },
      'packages/c': { name: 'c', dependencies: { lib: '^1.0.0 || ^2', pre: '>=2.0.0-rc' } },
      'packages/d': { name: 'd', dependencies: { lib: '2', pre: 'latest' }, devDependencies: { lib: '1' } },
      'packages/e': {
        name: 'e',
        dependencies: { lib: '2' },
        optionalDependencies: { lib: '1' },
        peerDependencies: { pre: 'npm:2', lib: 'not a range' },
      },
      'packages/f': { name: 'f', dependencies: { lib: 'foo:1.2.3', pre: 'git@github.com:acme/pre.git', bare: 'acme/bare' } },
      'packages/g': { name: 'g', dependencies: { lib: 'catalog:', pre: 'catalog:old' } },
    },
    workspaces: 12,
    edges: 10,
  },
  'paths and aliases, which core alone does not follow': {
    files: {
      '.': { name: 'root', workspaces: ['packages/*'] },
      'packages/lib': lib,
      'packages/a': {
        name: 'a',
        dependencies: { lib: 'portal:../lib', l: 'link:../lib', f: 'file:../lib', bare: '../lib', alias: 'npm:lib@^1' },
      },
      'packages/b': { name: 'b', dependencies: { lib: 'patch:lib@npm%3A^1.0.0#./x.patch' } },
    },
    workspaces: 4,
    edges: 0,
  },
  'enableTransparentWorkspaces does not matter to workspace ranges; odd manifests are read leniently': {
    files: {
      '.': { workspaces: ['packages/*', 7, null], dependencies: 'none' },
      'packages/lib': lib,
      'packages/a': { name: 'a', dependencies: { lib: 3, 'b/c/d': '*' }, devDependencies: null, peerDependencies: { lib: 3 } },
      'packages/b/package.json': '\uFEFF{"name": "b", "dependencies": {"lib": "1"}}',
      'packages/c': { name: 'c', workspaces: 'packages/*' },
    },
    workspaces: 5,
    edges: 2,
  },
};
