// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are lines of somebody's code
import { describe, expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { detachNames, readReferences } from './read-references.js';
import type { FileReferences } from './reference.js';
import { isTypeScript, opaqueFile } from './scan-file.js';

function read(path: string, text: string): FileReferences {
  return readReferences(path as RepoPath, text);
}

/** Returns names and opaque places as `./a:1, ..?:3`. */
function format(path: string, text: string): string {
  const { names, opaque } = read(path, text);
  return [...names.map(({ specifier, line }) => `${specifier}:${line}`), ...opaque.map(({ folder, line }) => `${folder}?:${line}`)].join(
    ', ',
  );
}

describe('a component', () => {
  const cases: readonly (readonly [path: string, lines: readonly string[], found: string])[] = [
    ['a.vue', [`<template>`, `  <p>Don't \`</p>`, `</template>`, `<script setup lang="ts">`, `import a from 'a'`, `</script>`], 'a:5'],
    ['a.vue', [`<script>import a from 'a'</script>`, `<p>it's \`</p>`, `<script setup>`, `import b from 'b'`, `</script>`], 'a:1, b:4'],
    ['a.vue', [`<script generic="T extends Record<string, A>">import a from 'a'</script>`], 'a:1'],
    ['a.vue', [`<SCRIPT`, `  lang="ts"`, `>`, `import a from 'a'`, `</SCRIPT>`], 'a:4'],
    [
      'a.vue',
      [`<img src="../a.png"> <img :src="require('../b.png')"> <script src="../c.js"></script>`],
      '../a.png:1, ../b.png:1, ../c.js:1',
    ],
    ['a.vue', [`<style>`, `@import '../a.css';`, `</style>`], '../a.css:2'],
    ['a.vue', [`<script>`, `import a from 'a'`], 'a:2'],
    ['a.vue', ['<script>', 'const a = join(__dirname, "../..", b)', '</script>'], '../..:2, ../..?:2'],
    ['a.svelte', [`{#await import('../a.js')}it's{/await}`, `<B c={\`../b/\${d}\`} e="../e" />`], '../a.js:1, ../b:2, ../e:2, ../b?:2'],
    ['a.astro', [`---`, `import a from 'a'`, `---`, `<p>don't</p>`, `<script>`, `import 'b'`, `</script>`], 'a:2, b:6'],
    ['a.astro', [`---`, `import a from 'a'`], 'a:2'],
    ['a.astro', [`<p>it's</p>`, `---`, `<script>import 'b'</script>`], 'b:3'],
  ];
  test.each(cases)('%s %j: %s', (path, lines, found) => {
    expect(format(path, lines.join('\n'))).toBe(found);
    expect(format(path, lines.join('\r\n'))).toBe(found);
  });
});

describe('an MDX file', () => {
  const cases: readonly (readonly [lines: readonly string[], found: string])[] = [
    [[`import A from 'a'`, `export * from 'b'`, ``, `# Don't`, ``, `import C from "c"`, ``, `it's`], 'a:1, b:2, c:6'],
    [[`import {`, `  A,`, `} from 'a'`, `import B from 'b'`], 'a:3, b:4'],
    [['Use `x', '', "export const a = 'it`s'", '', "import B from 'b'"], 'b:5'],
    [[`It's an <A b={require('../c.png').default} d="../e" /> isn't it`], '../c.png:1, ../e:1'],
    [[`{import('a')} won't`, '', '{`../x/${y}`}'], 'a:1, ../x:3, ../x?:3'],
    [[`export const a = join(__dirname, '..', b)`], '..:1, ..?:1'],
    [[`![](../a.png) and [b](../b.mdx) and \`../c\` and [d](./d.md)`], '../a.png:1, ../b.mdx:1'],
    [['```js', `import A from 'no'`, '```', '', `import B from 'b'`], 'b:5'],
    [['> ~~~~js', `import A from 'no'`, '~~~', '', `import B from 'no'`, '~~~~', '', `import C from 'c'`], 'c:8'],
    [['Say ```x``` here', '', '```a``` b', '', `import C from 'c'`], 'c:5'],
    [[`import them from the shelf, or export goods from 'there'`, ``, ` import A from 'no'`], 'there:1'],
    [[`---`, `title: it's`, `---`, ``, `import A from 'a'`], 'a:5'],
  ];
  test.each(cases)('%j: %s', (lines, found) => {
    expect(format('docs/a.mdx', lines.join('\n'))).toBe(found);
    expect(format('docs/a.mdx', lines.join('\r\n'))).toBe(found);
  });
});

describe('the root of the project', () => {
  const climbing: readonly string[] = [
    `const root = findUp('yarn.lock')`,
    `const root = paths.findUpSync('yarn.lock')`,
    `searchUp('a', b)`,
    `execSync('git rev-parse --show-toplevel')`,
    `git(['rev-parse', '--show-toplevel'])`,
    `process.env.PROJECT_CWD`,
    `const { INIT_CWD } = process.env`,
    `process.env['INIT_CWD']`,
  ];
  test.each(climbing)('may be reached by %j', (code) => {
    expect(format('a.ts', `\n${code}`)).toBe('/?:2');
  });

  const others: readonly string[] = [`pickUp(a); findUpper(b)`, `MY_INIT_CWD`, `INIT_CWD_2`, `'show-toplevel'`];
  test.each(others)('is not reached by %j', (code) => {
    expect(format('a.ts', code)).toBe('');
  });

  test('may be reached by a file that cannot be read', () => {
    const unknown = { path: 'a.ts', names: [], opaque: [{ line: 1, folder: '/', form: 'path' }] };
    expect(opaqueFile('a.ts' as RepoPath)).toEqual(unknown);
    expect(read('a.ts', Buffer.from(`\uFEFFimport 'a'`, 'utf16le').toString('utf8'))).toEqual(unknown);
  });
});

describe('bad input', () => {
  test('with merge markers is read on both sides', () => {
    const lines = [
      '<<<<<<< HEAD',
      `import 'a'`,
      '||||||| base',
      `import 'b'`,
      '=======',
      `import 'c'`,
      `>>>>>>> feature/it's`,
      `import 'd'`,
    ];
    expect(format('a.ts', lines.join('\n'))).toBe('a:2, b:4, c:6, d:8');
  });

  test('with bytes that are not UTF-8 is read', () => {
    const latin = Buffer.from(`// caf\u00e9\nimport 'a'; import './\u00e9'`, 'latin1').toString('utf8');
    expect(format('a.ts', latin)).toBe('a:2, ./\uFFFD:2, /?:2');
  });

  test('with a hundred thousand imports is read', () => {
    expect(read('a.ts', `import 'a'\n`.repeat(100_000)).names).toHaveLength(100_000);
  });

  const repeated: readonly string[] = [
    "'..'",
    "'..',",
    "'../',",
    "'../'+",
    "join('..',",
    "x=join(x,'..')",
    'path.dirname(',
    'import.meta.url)',
    '__filename+',
    'require(`../${a}`+',
    "require('../'+",
    'new URL(`../',
    '`../${',
    '`${x}/..',
    "'cd .. && ",
    "'../*{[",
    String.raw`'\x2e`,
    'import type ',
    '<script ',
    "<script '",
    '<script>',
    '---\n',
    '```\n',
    'import x\n',
    '![](../',
    'findUp (',
    'INIT_CWD_',
  ];
  test('with very long blanks is read', () => {
    const blanks = ' '.repeat(1_000_000);
    for (const code of [
      'dirname(',
      'dirname(__dirname',
      'dirname(fn(import.meta.url',
      'import type',
      "import type a from 'a' ",
      '__dirname',
      "'..'",
    ])
      expect(() => read('a.ts', `${code}${blanks}.`)).not.toThrow();
  });

  test.each(repeated)('%j, a quarter of a megabyte of it, is read to its end', (piece) => {
    // Were the time not in proportion, it would take minutes.
    const text = piece.repeat(250_000 / piece.length);
    for (const path of ['a.ts', 'a.mdx', 'a.vue']) expect(() => read(path, text)).not.toThrow();
  });
});

test('detached names and places are the same', () => {
  const file = read('a.ts', `import 'a'; join(__dirname, '../..', b)`);
  expect(detachNames(file)).toEqual(file);
});

test('the documentation of JavaScript imports types, that of TypeScript does not', () => {
  const code = `/**
 * @import { A,
 *   B } from "a"
 * @param {Map<import('b').B, typeof import("c/d")>} e
 * @example await import('no') or () => import('no')
 */
/* @type {import('no').B} */`;
  const found = read('a.js', code).names.map(({ specifier, line, isType }) => `${specifier}:${line} ${isType}`);
  expect(found).toEqual(['a:3 true', 'b:4 true', 'c/d:4 true']);
  expect(read('a.ts', code).names).toEqual([]);
});

test.each([
  ['a.js', '', false],
  ['a.mts', '', true],
  ['a.tsx', '', true],
  ['a.vue', '<script>\n</script>\n<script setup lang="ts">', true],
  ['a.svelte', '<script lang=ts>', true],
  ['a.vue', '<style lang="ts">', false],
])('%s with %j is TypeScript: %s', (path, text, expected) => {
  expect(isTypeScript(path, text)).toBe(expected);
});
