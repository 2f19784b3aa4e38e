import { describe, expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { isBuildFile } from '@tributary/references/file-kinds';
import { type ProjectTexts, projectOf } from './project.fixture.js';
import { findUnsafeDevEdges } from './terminal-dev.js';

/** `user` depends on `app`, so that the build output of `app` matters. `app` has `tool` as a dev dependency. */
function findings(app: object, files: ProjectTexts = {}): readonly string[] {
  const { project, scanned, texts } = projectOf({
    'p/app/package.json': { name: '@acme/app', version: '1.0.0', devDependencies: { '@acme/tool': '*' }, ...app },
    'p/tool/package.json': { name: '@acme/tool', version: '1.0.0', bin: { 'make-it': 'x' } },
    'p/user/package.json': { name: 'user', dependencies: { '@acme/app': '*' } },
    'p/tool/src/x.ts': '',
    ...files,
  });
  const buildTexts = new Map([...texts].filter(([path]) => isBuildFile(path)));
  return findUnsafeDevEdges(project, { files: scanned, buildTexts }).map(
    ({ workspace, dependency, why, file, line }) => `${workspace} ${dependency} ${why} ${file}:${line ?? '-'}`,
  );
}

test.each([
  ['p/tool/package.json', false],
  ['config/package.json', false],
  ['p/config/build.json', true],
  ['p/app/scripts/package.json.js', true],
])('whether %s tells how something is built: %j', (path, expected) => {
  expect(isBuildFile(path as RepoPath)).toBe(expected);
});

describe('scripts', () => {
  const cases: readonly (readonly [scripts: Readonly<Record<string, string>>, verdict: 'safe' | 'unsafe'])[] = [
    [{ test: 'make-it', 'test:unit': '@acme/tool', lint: 'make-it', dev: 'make-it', pretest: 'make-it' }, 'safe'],
    [{ build: 'tsc' }, 'safe'],
    [{ build: 'make-it --all' }, 'unsafe'],
    [{ prepack: 'node_modules/.bin/make-it' }, 'unsafe'],
    [{ 'build:types': 'FOO=1 make-it&&tsc' }, 'unsafe'],
    [{ bundle: 'rollup -p @acme/tool/plugin' }, 'unsafe'],
    [{ compile: 'node ../tool/src/x.ts' }, 'unsafe'],
    [{ 'some-odd-name': 'make-it' }, 'unsafe'],
    [{ build: 'yarn test:compile', 'test:compile': 'make-it' }, 'unsafe'],
    [{ build: 'make-it-not; not-make-it; @acme/tool-two; x/make-it' }, 'safe'],
  ];
  test.each(cases)('%j are %s', (scripts, verdict) => {
    expect(findings({ scripts }).length === 0 ? 'safe' : 'unsafe').toBe(verdict);
  });
});

describe('files', () => {
  const IMPORT = `import '@acme/tool';`;
  const cases: readonly (readonly [what: string, files: ProjectTexts, found: string | undefined])[] = [
    ['source that imports it', { 'p/app/src/a.ts': `\n${IMPORT}` }, '@acme/app @acme/tool source p/app/src/a.ts:2'],
    [
      'source that imports a type of it',
      { 'p/app/a.ts': `import type { A } from '@acme/tool/a'` },
      '@acme/app @acme/tool source p/app/a.ts:1',
    ],
    ['source that reads its folder', { 'p/app/src/a.ts': `import '../../tool/src/x'` }, '@acme/app @acme/tool source p/app/src/a.ts:1'],
    [
      'tests, stories, mocks, fixtures and settings of test runners',
      Object.fromEntries(
        [
          'src/a.test.ts',
          'src/a.spec.jsx',
          'src/__tests__/a.ts',
          'test/a.ts',
          'tests/a.js',
          'e2e/a.ts',
          'a.stories.tsx',
          'jest.config.ts',
          'vitest.config.mts',
          'eslint.config.mjs',
          'fixtures/a.js',
          'src/__mocks__/a.js',
          'jest-setup.js',
        ].map((path) => [`p/app/${path}`, IMPORT]),
      ),
      undefined,
    ],
    ['a bundler that imports it', { 'p/app/rollup.config.mjs': IMPORT }, '@acme/app @acme/tool source p/app/rollup.config.mjs:1'],
    [
      'a compiler that names it',
      { 'p/app/babel.config.json': `{\n"presets": ["@acme/tool"]}` },
      '@acme/app @acme/tool build-setting p/app/babel.config.json:2',
    ],
    [
      'a build script that names its binary',
      { 'p/app/scripts/build.mjs': `run('make-it')` },
      '@acme/app @acme/tool build-setting p/app/scripts/build.mjs:1',
    ],
    [
      'a tsconfig that extends it',
      { 'p/app/tsconfig.json': { extends: '@acme/tool/base.json' } },
      '@acme/app @acme/tool build-setting p/app/tsconfig.json:2',
    ],
    [
      'a tsconfig that refers to it',
      { 'p/app/tsconfig.json': { references: [{ path: '../tool' }], compilerOptions: { paths: { a: ['../tool/src'] } } } },
      undefined,
    ],
    ['a bundler of the root', { 'webpack.config.js': `x('@acme/tool')` }, '@acme/app @acme/tool root-setting webpack.config.js:1'],
    ['a script of the root that nobody starts', { 'scripts/release-notes.mjs': `x('@acme/tool')` }, undefined],
    [
      'a script of the root that its build starts',
      { 'package.json': { scripts: { build: 'node scripts/all.mjs' } }, 'scripts/all.mjs': `x('@acme/tool')` },
      '@acme/app @acme/tool root-setting scripts/all.mjs:1',
    ],
    [
      'tests that another workspace imports',
      { 'p/app/test/a.ts': IMPORT, 'p/user/x.ts': `import '@acme/app/test/a'` },
      '@acme/app @acme/tool source p/app/test/a.ts:1',
    ],
    [
      'a tsconfig that includes all',
      { 'p/app/tsconfig.json': { include: ['../*/src'] } },
      '@acme/app @acme/tool build-setting p/app/tsconfig.json:3',
    ],
    ['source that only finds its way up', { 'p/app/src/a.ts': `join(__dirname, '../..')` }, undefined],
    [
      'a style sheet that imports it',
      { 'p/app/src/a.scss': `@use '@acme/tool/colors';` },
      '@acme/app @acme/tool build-setting p/app/src/a.scss:1',
    ],
    [
      'a component',
      { 'p/app/src/a.vue': `<template>it's</template>\n<script>\n${IMPORT}</script>` },
      '@acme/app @acme/tool source p/app/src/a.vue:3',
    ],
    [
      'tests that its source imports',
      { 'p/app/test/a.ts': IMPORT, 'p/app/src/b.ts': `import '../test/a'` },
      '@acme/app @acme/tool source p/app/test/a.ts:1',
    ],
    ['suites, which nobody imports', { 'p/app/test/a.test.ts': IMPORT, 'p/user/x.ts': `import '@acme/app/test/a'` }, undefined],
  ];
  test.each(cases)('%s', (_, files, found) => {
    expect(findings({}, files)).toEqual(found === undefined ? [] : [found]);
  });

  test('tests that are published', () => {
    const files = { 'p/app/test/a.ts': IMPORT };
    expect(findings({ exports: { './test-tools': './test/a.js' } }, files)).toHaveLength(1);
    expect(findings({ files: ['dist', '!test/'] }, files)).toHaveLength(0);
  });
});

describe('an edge is left out', () => {
  const files = { 'p/app/a.ts': `import '@acme/tool'` };
  test('that another field makes transitive anyway', () => {
    expect(findings({ peerDependencies: { '@acme/tool': '*' } }, files)).toEqual([]);
  });
  test('whose dependent has no dependents, since nothing would be carried further', () => {
    expect(findings({}, { ...files, 'p/user/package.json': { name: 'user' } })).toEqual([]);
  });
});
