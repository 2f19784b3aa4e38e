import { describe, expect, test } from '@jest/globals';
import { type ProjectTexts, projectOf } from './project.fixture.js';
import type { ProjectFacts } from './project.js';
import { findUndeclared } from './undeclared.js';

type Facts = Partial<Pick<ProjectFacts, 'isCovered'>>;

/** Returns findings as `a/x.ts:1 b -> b unseen nobody`. */
function findings(files: ProjectTexts, facts?: Facts): readonly string[] {
  const { project, scanned } = projectOf(files, facts);
  return scanned
    .flatMap((file) => findUndeclared(project, file))
    .map((finding) => {
      const { file, line, specifier, target = '?', reason, severity } = finding;
      const end = finding.kind === 'undeclared-import' ? finding.declaredBy : `at ${finding.path ?? '?'}`;
      expect(severity).toBe(reason === 'unseen' ? 'hole' : 'note');
      return `${file}:${line} ${specifier} -> ${target} ${reason} ${end}`;
    });
}

function pkg(name: string, more: object = {}): object {
  return { name, version: '1.0.0', ...more };
}

const THREE = {
  'p/a/package.json': pkg('@acme/a', { dependencies: { '@acme/b': 'workspace:^' } }),
  'p/b/package.json': pkg('@acme/b'),
  'p/c/package.json': pkg('@acme/c', { devDependencies: { '@acme/a': 'workspace:^' } }),
  'p/b/src/b.ts': '',
  'tools/x.ts': '',
  'README.md': '',
};

describe('an import of another workspace', () => {
  const cases: readonly (readonly [what: string, files: ProjectTexts, found: readonly string[]])[] = [
    [
      'that is declared is none',
      { ...THREE, 'p/a/x.ts': `import '@acme/b/deep'; import '@acme/a'; import '#own'; import 'react'; import 'node:fs'` },
      [],
    ],
    [
      'that nobody declares is a hole, once for each name in a file',
      { ...THREE, 'p/b/x.ts': `import 'x';\nimport '@acme/a';\nimport '@acme/a/sub'; require('@acme/a')` },
      ['p/b/x.ts:2 @acme/a -> @acme/a unseen nobody', 'p/b/x.ts:3 @acme/a/sub -> @acme/a unseen nobody'],
    ],
    [
      'that the root alone declares is a hole all the same',
      { ...THREE, 'package.json': { devDependencies: { '@acme/a': '*' } }, 'p/b/x.ts': `import '@acme/a'` },
      ['p/b/x.ts:1 @acme/a -> @acme/a unseen root'],
    ],
    ['that other edges lead to is a note', { ...THREE, 'p/c/x.ts': `import '@acme/b'` }, ['p/c/x.ts:1 @acme/b -> @acme/b reached nobody']],
    [
      'in a fixture is a note, and so it is below a package.json of its own',
      {
        ...THREE,
        'p/b/__fixtures__/x.ts': `import '@acme/a'`,
        'p/b/examples/e/package.json': {},
        'p/b/examples/e/x.ts': `import '@acme/a'`,
      },
      ['p/b/__fixtures__/x.ts:1 @acme/a -> @acme/a fixture nobody', 'p/b/examples/e/x.ts:1 @acme/a -> @acme/a own-manifest nobody'],
    ],
    [
      'is declared by a dependency that leads to no workspace',
      { ...THREE, 'p/d/package.json': pkg('d', { peerDependencies: { '@acme/b': '^9.0.0' } }), 'p/d/x.ts': `import '@acme/b'` },
      [],
    ],
    ['by a file of the root counts as any other', { ...THREE, 'x.ts': `import '@acme/a'` }, ['x.ts:1 @acme/a -> @acme/a unseen nobody']],
    [
      'may be the base of a tsconfig',
      { ...THREE, 'p/b/tsconfig.json': `{\n  // why\n  "extends": "@acme/c/base.json",\n}` },
      ['p/b/tsconfig.json:3 @acme/c/base.json -> @acme/c unseen nobody'],
    ],
    [
      'may be a path through node_modules',
      { ...THREE, 'p/b/x.ts': `import '../../node_modules/@acme/a/x.js'; import '../../node_modules/react/x.js'` },
      ['p/b/x.ts:1 ../../node_modules/@acme/a/x.js -> @acme/a unseen nobody'],
    ],
  ];
  test.each(cases)('%s', (_, files, found) => {
    expect(findings(files)).toEqual(found);
  });
});

describe('a path that leaves its workspace', () => {
  const cases: readonly (readonly [what: string, files: ProjectTexts, found: readonly string[]])[] = [
    ['is none where an edge joins the two', { ...THREE, 'p/a/x.ts': `import '../b/src/b.js'; import './y'; import '../a/z'` }, []],
    [
      'is a hole where none does, tracked or built',
      { ...THREE, 'p/b/x.ts': `import '../a/dist/a.js'`, 'p/c/x.ts': `import '../a/x'` },
      ['p/b/x.ts:1 ../a/dist/a.js -> @acme/a unseen at p/a/dist/a.js'],
    ],
    [
      'into a folder outside of all workspaces is one if something is tracked there',
      { ...THREE, 'p/b/x.ts': `import '../../tools/x.js'; import '../../dist/y.js'; require('../../tools')` },
      ['p/b/x.ts:1 ../../tools/x.js -> root unseen at tools/x.js', 'p/b/x.ts:1 ../../tools -> root unseen at tools'],
    ],
    [
      'to a document is a note',
      { ...THREE, 'p/b/x.ts': `readFile(join(__dirname, '../../README.md'))` },
      ['p/b/x.ts:1 ../../README.md -> root document at README.md'],
    ],
    [
      'is one in a fixture too, since it is there to be read',
      { ...THREE, 'p/b/test/fixtures/x.js': `require(__dirname + '/../../../a/x.js'); require('../../../../../nowhere')` },
      [
        'p/b/test/fixtures/x.js:1 ../../../a/x.js -> @acme/a unseen at p/a/x.js',
        'p/b/test/fixtures/x.js:1 ../../../../../nowhere -> ? fixture at ?',
      ],
    ],
    [
      'may be a text that names tracked files, from the file or from the workspace',
      { ...THREE, 'p/c/deep/x.ts': `read('../../b/src/b.ts'); run('../b/src'); say('../b/none'); say('../'); say('../..')` },
      ['p/c/deep/x.ts:1 ../../b/src/b.ts -> @acme/b reached at p/b/src/b.ts', 'p/c/deep/x.ts:1 ../b/src -> @acme/b reached at p/b/src'],
    ],
    [
      'may leave the project, which is a note; dots alone are none',
      { ...THREE, 'p/b/x.ts': `import '../../../x'; import '../../../../'; read('../../../y')` },
      ['p/b/x.ts:1 ../../../x -> ? outside at ?'],
    ],
    [
      'may count from the root of the project',
      { ...THREE, 'p/b/x.ts': `import '/p/c/package.json'; import '/p/a/none'` },
      ['p/b/x.ts:1 /p/c/package.json -> @acme/c unseen at p/c/package.json'],
    ],
    [
      'may stand in a tsconfig, where a pattern above says all of it',
      {
        ...THREE,
        'p/b/tsconfig.json': {
          extends: '../../tsconfig.base.json',
          references: [{ path: '../a' }],
          include: ['src/**/*', '../*/types', '../../*.ts'],
          files: ['../c/types.d.ts'],
          compilerOptions: { outDir: '../a/dist', baseUrl: '..', paths: { '@/*': ['c/src/*', './b/src'] } },
        },
        'tsconfig.base.json': {},
      },
      [
        'p/b/tsconfig.json:2 ../../tsconfig.base.json -> root unseen at tsconfig.base.json',
        'p/b/tsconfig.json:5 ../a -> @acme/a unseen at p/a',
        'p/b/tsconfig.json:10 .. -> ? unseen at p',
        'p/b/tsconfig.json:11 ../.. -> ? unseen at ',
        'p/b/tsconfig.json:14 ../c/types.d.ts -> @acme/c unseen at p/c/types.d.ts',
        'p/b/tsconfig.json:21 c/src -> @acme/c unseen at p/c/src',
      ],
    ],
    [
      'may stand in a package.json',
      {
        ...THREE,
        'p/b/package.json': pkg('@acme/b', {
          scripts: { build: 'cd ../a && node --config=../../tools/x.ts "../c"', test: 'jest' },
          jest: { preset: '<rootDir>/../c' },
          resolutions: { other: '../a' },
          repository: '../a',
        }),
        'p/a/x': '',
      },
      [
        'p/b/package.json:5 ../a -> @acme/a unseen at p/a',
        'p/b/package.json:5 ../../tools/x.ts -> root unseen at tools/x.ts',
        'p/b/package.json:5 ../c -> @acme/c unseen at p/c',
        'p/b/package.json:9 <rootDir>/../c -> @acme/c unseen at p/c',
      ],
    ],
    [
      'of a setting of the root is a note, of its code a hole',
      { ...THREE, 'tsconfig.json': { references: [{ path: 'p/a' }] }, 'x.ts': `import './p/b/src/b'` },
      ['tsconfig.json:4 p/a -> @acme/a root-setting at p/a', 'x.ts:1 ./p/b/src/b -> @acme/b unseen at p/b/src/b'],
    ],
    [
      'may lead from an outer workspace into an inner one and back',
      {
        'p/a/package.json': pkg('a'),
        'p/a/in/package.json': pkg('in'),
        'p/a/x.ts': `import './in/y'`,
        'p/a/in/y.ts': `import '../x'`,
        'p/a-b/package.json': pkg('a-b'),
        'p/a-b/x.ts': `import '../a-b/y'`,
      },
      ['p/a/x.ts:1 ./in/y -> in unseen at p/a/in/y', 'p/a/in/y.ts:1 ../x -> a unseen at p/a/x'],
    ],
  ];
  test.each(cases)('%s', (_, files, found) => {
    expect(findings(files)).toEqual(found);
  });
});

describe('what keeps a reading from being a hole', () => {
  const files = { ...THREE, 'p/b/x.ts': `import '@acme/a'; import '../../tools/x'; import '../../tools'`, 'tools/y.ts': '' };

  test('is a rule that covers every file of it for that workspace', () => {
    const isCovered = (file: string, workspace: string): boolean =>
      workspace === '@acme/b' && (file === 'tools/x.ts' || file.startsWith('p/a/'));
    expect(findings(files, { isCovered })).toEqual(['p/b/x.ts:1 ../../tools -> root unseen at tools']);
    expect(findings(files, { isCovered: (file) => file.startsWith('tools/') })).toEqual(['p/b/x.ts:1 @acme/a -> @acme/a unseen nobody']);
  });

  test('is an edge at a distance', () => {
    const chain = {
      'p/a/package.json': pkg('a', { dependencies: { b: '*' } }),
      'p/b/package.json': pkg('b', { devDependencies: { c: '*' } }),
      'p/c/package.json': pkg('c', { dependencies: { d: '*' } }),
      'p/d/package.json': pkg('d'),
      'p/a/x.ts': `import 'c'`,
      'p/b/x.ts': `import 'd'`,
    };
    expect(findings(chain)).toEqual(['p/a/x.ts:1 c -> c reached nobody', 'p/b/x.ts:1 d -> d reached nobody']);
  });
});

describe('a settings file that is broken', () => {
  const cases: readonly string[] = [
    '',
    '{',
    '{"extends": "../a/x.json"',
    '<<<<<<< HEAD',
    '{"a": 1, "a": ',
    'null',
    '[[[[',
    '{"references": {"0": {"path": 1}}}',
  ];
  test.each(cases)('does not throw: %j', (text) => {
    const found = findings({ ...THREE, 'p/b/tsconfig.json': text });
    expect(found).toHaveLength(text.includes('../a') ? 1 : 0);
  });
});
