import { describe, expect, test } from '@jest/globals';
import { parseManifest } from './manifest.js';
import { findScriptCallers } from './root-scripts.js';
import { workspacesOf } from './testing/parse-graph.js';

const ROOT = { codegen: 'node gen.js', 'g:clean': 'rm -rf dist', prepare: 'yarn codegen && echo done', lint: 'eslint .' };

/** Returns which changed script a workspace with one script calls; `undefined` if none. */
function called(text: string, changed: readonly string[], own: object = {}): string | undefined {
  const manifest = parseManifest(JSON.stringify({ scripts: ROOT }), 'package.json');
  const workspaces = workspacesOf({ 'packages/a': { name: 'a', scripts: { test: text, ...own } } });
  return findScriptCallers(changed, { base: manifest, head: manifest, workspaces })[0]?.script;
}

describe('a script of the root is called', () => {
  test.each<[text: string, changed: readonly string[], script: string | undefined]>([
    ['yarn run -T codegen && jest', ['codegen'], 'codegen'],
    ['yarn run --top-level codegen', ['codegen'], 'codegen'],
    ['yarn codegen', ['codegen'], 'codegen'],
    ['yarn g:clean; jest', ['g:clean'], 'g:clean'],
    ['turbo run //#codegen', ['codegen'], 'codegen'],
    ['npm --prefix ../.. run codegen', ['codegen'], 'codegen'],
    ['yarn run -T prepare', ['codegen'], 'prepare'],
    ['concurrently yarn:codegen jest', ['codegen'], 'codegen'],
    ['yarn run -BT codegen', ['codegen'], 'codegen'],
    ['yarn run -T codegen', ['precodegen'], 'codegen'],
    ['yarn run -T lint', ['codegen'], undefined],
    ['jest', ['codegen'], undefined],
    ['node codegen', ['codegen'], undefined],
    ['yarn codegen-all', ['codegen'], undefined],
    ['yarn my:codegen', ['codegen'], undefined],
    ['yarn run -T codegen', [], undefined],
  ])('by %j, if %j changed: %s', (text, changed, script) => {
    expect(called(text, changed)).toBe(script);
  });

  test('not where the workspace has one of that name, unless the root is meant', () => {
    const own = { codegen: 'node own.js' };
    expect(called('yarn codegen', ['codegen'], own)).toBe(undefined);
    for (const text of ['yarn run -T codegen', 'cd ../.. && yarn codegen', 'npm -C ../.. run codegen', 'yarn --cwd $PROJECT_CWD codegen'])
      expect([text, called(text, ['codegen'], own)]).toEqual([text, 'codegen']);
    expect(called('yarn g:clean', ['g:clean'], { 'g:clean': 'x' })).toBe('g:clean');
  });

  test('also by scripts that call each other in a circle, and by one that is no text', () => {
    const manifest = parseManifest('{"scripts": {"a": "yarn b", "b": "yarn a", "c": 1}}', 'package.json');
    const workspaces = workspacesOf({
      'packages/a': { name: 'a', scripts: { test: 'yarn run -T a', more: 1 } },
      'packages/b': { name: 'b' },
    });
    expect(findScriptCallers(['b'], { base: manifest, head: manifest, workspaces }).map(({ workspace }) => workspace.name)).toEqual(['a']);
  });
});
