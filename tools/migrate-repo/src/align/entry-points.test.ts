import { expect, test } from '@jest/globals';
import { parseManifest } from '@tributary/workspaces/manifest';
import { entryPointsOf } from './entry-points.js';

function entriesOf(manifest: object): string[] {
  const entries = entryPointsOf(parseManifest(JSON.stringify({ name: 'ui', ...manifest }), 'package.json'));
  return entries.map(({ field, path }) => `${field} ${path}`);
}

test.each<[manifest: object, entries: string[]]>([
  [{}, []],
  [{ main: './lib' }, ['main lib']],
  [{ main: 'lib/a.js', types: './lib/a.d.ts', module: 'esm/a.js' }, ['main lib/a.js', 'types lib/a.d.ts']],
  [{ typings: 'a.d.ts' }, ['types a.d.ts']],
  [{ bin: './cli.js' }, ['bin cli.js']],
  [{ bin: { one: 'cli.js', two: 'cli.js', three: 'dist/three.js' } }, ['bin cli.js', 'bin dist/three.js']],
  [{ exports: './a.js', main: 'old.js' }, ['exports a.js']],
  [{ exports: { './sub': './sub.js' }, main: 'old.js' }, []],
  [{ exports: { '.': { umd: './dist/a.min.js', default: './src/a.js' } } }, ['exports src/a.js']],
  [{ exports: { umd: './dist/a.min.js', default: './src/a.js' } }, ['exports src/a.js']],
  [
    {
      exports: {
        './package.json': './package.json',
        '.': {
          import: { '@acme/source': './src/a.ts', types: './dist/esm/a.d.ts', default: './dist/esm/a.js' },
          require: { types: './dist/cjs/a.d.ts', default: './dist/cjs/a.js' },
        },
      },
    },
    ['exports dist/esm/a.js', 'exports dist/cjs/a.js', 'exports dist/esm/a.d.ts'],
  ],
  [{ exports: { '.': [{ browser: './b.js' }, './a.js'] } }, ['exports a.js']],
  [{ exports: { '.': { node: { require: './a.cjs' }, default: './a.mjs' } } }, ['exports a.mjs', 'exports a.cjs']],
  [{ exports: { '.': null } }, []],
  [{ exports: null, main: 1, bin: { one: 1 } }, []],
])('%j is loaded by %j', (manifest, entries) => expect(entriesOf(manifest)).toEqual(entries));
