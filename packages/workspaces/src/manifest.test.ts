import { describe, expect, test } from '@jest/globals';
import { isToolError } from '@tributary/model/errors';
import yarn from '@yarnpkg/core';
import fc from 'fast-check';
import { parseManifest } from './manifest.js';

describe('a manifest', () => {
  test('is read with every field that matters to us, and the rest stays in reach', () => {
    const manifest = parseManifest(
      JSON.stringify({
        name: '@acme/app',
        version: '1.2.3',
        private: true,
        packageManager: 'yarn@4.18.1',
        workspaces: { packages: ['packages/*'] },
        dependencies: { b: '1', a: '2' },
        devDependencies: { c: '3' },
        peerDependencies: { d: '4', e: '5' },
        peerDependenciesMeta: { d: { optional: true }, e: { optional: false }, f: {} },
        optionalDependencies: { g: '6' },
        resolutions: { 'h/i@npm:1': '7' },
        scripts: { test: 'jest' },
      }),
      'package.json',
    );
    expect(manifest).toMatchObject({
      name: '@acme/app',
      version: '1.2.3',
      private: true,
      packageManager: 'yarn@4.18.1',
      workspaces: ['packages/*'],
    });
    expect([...manifest.dependencies]).toEqual([
      ['b', '1'],
      ['a', '2'],
    ]);
    expect([...manifest.devDependencies, ...manifest.peerDependencies]).toEqual([
      ['c', '3'],
      ['d', '4'],
      ['e', '5'],
    ]);
    expect([...manifest.optionalPeers, ...manifest.optionalDependencies.keys()]).toEqual(['d', 'g']);
    expect([...manifest.resolutions]).toEqual([['h/i@npm:1', '7']]);
    expect(manifest.raw['scripts']).toEqual({ test: 'jest' });
  });

  test('may be empty, have a byte order mark, or have fields of a wrong type, which Yarn ignores', () => {
    expect(parseManifest('', 'package.json')).toMatchObject({ name: undefined, version: undefined, private: false, workspaces: [] });
    expect(parseManifest('\uFEFF{"name": "a"}', 'package.json').name).toBe('a');
    const odd = parseManifest(
      '{"name": 3, "version": 1, "private": "yes", "workspaces": ["a", 2], "dependencies": {"a": 1, "b": "2"}}',
      'package.json',
    );
    expect(odd).toMatchObject({ name: undefined, version: undefined, private: false, workspaces: ['a'] });
    expect([...odd.dependencies]).toEqual([['b', '2']]);
  });

  test.each(['left-pad', '@acme/ui', 'Root Project', '_private', 'a/b', '@a/b/c', '@a', 'a@b', ''])(
    'has the name that Yarn reads in "%s"',
    (name) => {
      const theirs = yarn.Manifest.fromText(JSON.stringify({ name })).name;
      expect(parseManifest(JSON.stringify({ name }), 'package.json').name ?? null).toBe(
        theirs === null ? null : yarn.structUtils.stringifyIdent(theirs),
      );
    },
  );

  test('is read as Yarn reads it, whatever JSON it is', () => {
    const texts = fc.dictionary(fc.constantFrom('a', '@b/c', 'd/e', '__proto__', ''), fc.constantFrom('1', 'x', 2, null));
    const field = fc.oneof(texts, fc.constantFrom(null, 'x', 3));
    const manifest = fc.record(
      {
        name: fc.oneof(fc.string(), fc.constant(1)),
        version: fc.oneof(fc.string(), fc.constant(1)),
        workspaces: fc.oneof(field, fc.array(fc.string())),
        dependencies: field,
        devDependencies: field,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(manifest, (value) => {
        const text = JSON.stringify(value);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: names that have them are refused
        fc.pre(typeof value.name !== 'string' || !/[\0-\x1f\x7f]/.test(value.name));
        const [ours, theirs] = [parseManifest(text, 'package.json'), yarn.Manifest.fromText(text)];
        const named = (map: ReadonlyMap<unknown, yarn.Descriptor>) =>
          [...map.values()].map((one) => [yarn.structUtils.stringifyIdent(one), one.range]);
        expect(ours.version ?? null).toBe(theirs.version);
        expect(ours.workspaces).toEqual(theirs.workspaceDefinitions.map(({ pattern }) => pattern));
        expect([...ours.dependencies]).toEqual(named(theirs.dependencies));
        expect([...ours.devDependencies]).toEqual(named(theirs.devDependencies));
      }),
    );
  });
});

describe('a text that is no manifest is refused with file and line', () => {
  const cases: Readonly<Record<string, readonly [string, string]>> = {
    'a missing comma': ['{\n  "name": "a"\n  "version": "1"\n}', 'p/package.json:3: it is not JSON: comma expected.'],
    'a trailing comma': ['{\n  "name": "a",\n}\n', 'p/package.json:3: it is not JSON: property name expected.'],
    'a comment': ['{\n  // mine\n  "name": "a"\n}', 'p/package.json:2: it is not JSON: invalid comment token.'],
    'an end too early': ['{\n  "name": "a"\n', 'p/package.json:3: it is not JSON: close brace expected.'],
    'only blanks': ['  \n', 'p/package.json:1: it is empty.'],
    'a merge that was not finished': [
      '{\n<<<<<<< HEAD\n  "name": "a"\n=======\n  "name": "b"\n>>>>>>> theirs\n}',
      'p/package.json:2: it has conflict markers of an unfinished merge.',
    ],
    'a list': ['[]', 'p/package.json:1: it must be a JSON object.'],
    'a name that would forge output': ['{"name": "a\\nb"}', 'p/package.json: its name "a\\nb" has a control character.'],
  };
  test.each(Object.entries(cases))('%s', (_, [text, message]) => {
    const error = thrownBy(() => parseManifest(text, 'p/package.json'));
    expect(isToolError(error) && [error.code, error.message, error.data['file']]).toEqual(['MANIFEST_INVALID', message, 'p/package.json']);
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

// Found by the fuzzer (tools/affected/src/fuzz.long.test.ts).
test('one that is no JSON, and nested without end, is a failure with a name', () => {
  expect(() => parseManifest('['.repeat(20_000), 'package.json')).toThrow('nested too deeply');
});
