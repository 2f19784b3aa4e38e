// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are lines of somebody's code
import { bot, ines, tom, yuki } from './people.js';
import { branch, COMPANY_REGISTRY, commit, file, merge, release, type Story } from './story.js';

const checksum = (formula: string): string =>
  file(
    '/** The last byte of a frame. */',
    'export function checksum(bytes) {',
    `  return bytes.reduce((sum, byte) => ${formula}, 0);`,
    '}',
  );

const decode = (kinds: string, check: readonly string[]): string =>
  file(
    "import hexmatch from 'hexmatch';",
    ...(check.length > 0 ? ["import { checksum } from './checksum.js';"] : []),
    '',
    `const KINDS = ${kinds};`,
    '',
    '/** "0107002a…" is what dock 7 says of bike 42. */',
    'export function decode(frame) {',
    '  const bytes = hexmatch.bytes(frame);',
    ...check,
    '  const [kind, dock, high, low] = bytes;',
    '  return { kind: KINDS[kind], dock, bike: high * 256 + low };',
    '}',
  );

const encode = file(
  "import hexmatch from 'hexmatch';",
  "import plumbob from 'plumbob';",
  "import { checksum } from './checksum.js';",
  '',
  '/** The frame that `decode` reads. */',
  'export function encode({ kind, dock, bike }) {',
  "  const bytes = [kind, plumbob.number(dock, 'dock'), bike >> 8, bike & 255];",
  '  return hexmatch.text([...bytes, checksum(bytes)]);',
  '}',
);

const twoKinds = "{ 1: 'returned', 2: 'taken' }";
const threeKinds = "{ 1: 'returned', 2: 'taken', 3: 'broken' }";
const check = ['  if (bytes.at(-1) !== checksum(bytes.slice(0, -1))) throw new Error(`damaged frame: ${frame}`);'];

const entry = (...modules: readonly string[]): string => file(...modules.map((name) => `export * from './src/${name}.js';`));

const program = file(
  '#!/usr/bin/env node',
  "import quaylog from 'quaylog';",
  "import { decode } from '../index.js';",
  '',
  'for (const frame of process.argv.slice(2)) console.log(quaylog.log(frame, JSON.stringify(decode(frame))));',
);

const tests = file(
  "import assert from 'node:assert/strict';",
  "import test from 'node:test';",
  "import { decode, encode } from '../index.js';",
  '',
  "test('what is encoded is decoded', () => {",
  "  assert.deepEqual(decode(encode({ kind: 3, dock: 7, bike: 300 })), { kind: 'broken', dock: 7, bike: 300 });",
  '});',
  '',
  "test('a damaged frame is refused', () => assert.throws(() => decode('0107002a00'), /damaged/));",
);

/** Yarn 4 without a committed release, an executable, ES modules, no scope. */
export const docktalk: Story = {
  folder: 'docktalk',
  manager: 'Yarn 4',
  begin: '2023-02-13T13:30:00Z',
  hoursBetween: 500,
  events: [
    commit(yuki, 'Start docktalk', {
      manifest: {
        name: 'docktalk',
        version: '0.1.0',
        license: 'UNLICENSED',
        type: 'module',
        exports: './index.js',
        scripts: { test: 'node --test' },
        dependencies: { hexmatch: '^1.1.0' },
      },
      files: {
        '.gitignore': 'node_modules\n.yarn/*\n!.yarn/releases\n',
        '.yarnrc.yml': `nodeLinker: node-modules\n\nnpmRegistryServer: "${COMPANY_REGISTRY}"\n`,
        'README.md': '# docktalk\n\nWhat a dock and its station say to each other.\n',
        'index.js': entry('decode'),
        'src/decode.js': decode(twoKinds, []),
      },
    }),
    commit(yuki, 'A program to look into frames', {
      files: { 'bin/dock-decode.js': { executable: program } },
      manifest: { bin: 'bin/dock-decode.js', dependencies: { quaylog: '^2.4.0' } },
    }),
    commit(yuki, 'Checksums', { files: { 'src/checksum.js': checksum('sum + byte') } }),
    commit(tom, 'Keep the checksum in one byte', { files: { 'src/checksum.js': checksum('(sum + byte) & 255') } }),
    commit(yuki, 'Refuse damaged frames', { files: { 'src/decode.js': decode(twoKinds, check) } }),
    ...release(yuki, '0.3.0'),
    ...branch(
      'encode',
      commit(ines, 'Encode, for the simulator', { files: { 'src/encode.js': encode }, manifest: { dependencies: { plumbob: '^2.0.0' } } }),
      commit(ines, 'Export it', { files: { 'index.js': entry('decode', 'encode') } }),
    ),
    commit(yuki, 'Broken bikes report themselves', { files: { 'src/decode.js': decode(threeKinds, check) } }),
    merge(yuki, ['encode'], 'Merge encoding, for the simulator'),
    commit(tom, 'Test there and back', { files: { 'test/frames.test.js': tests } }),
    ...release(yuki, '1.0.0', 'The protocol is stable\n'),
    commit(bot, 'Update plumbob to 2.3', { manifest: { dependencies: { plumbob: '^2.3.0' } } }),
    commit(tom, 'Fix a word in the README', {
      files: { 'README.md': '# docktalk\n\nWhat a dock and its station tell each other.\n' },
    }),
    ...release(tom, '1.0.1'),
    commit(yuki, 'Number the bytes', {
      files: { 'docs/frame.md': '| byte | holds |\n|---|---|\n| 0 | kind |\n| 1 | dock |\n| 2, 3 | bike |\n| 4 | sum |\n' },
    }),
    ...release(yuki, '1.1.0', 'Documentation\n'),
  ],
};
