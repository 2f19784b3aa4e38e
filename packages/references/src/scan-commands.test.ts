import { describe, expect, test } from '@jest/globals';
import { commandsInCode, commandsInShell } from './scan-commands.js';

describe('code starts a command', () => {
  test.each<[code: string, expected: string]>([
    ["execSync('yarn workspace lib build');", 'yarn workspace lib build'],
    ['execSync("eslint .", { stdio: "inherit" });', 'eslint .'],
    ["spawnSync('npx', ['eslint', '--max-warnings', '0']);", 'npx eslint --max-warnings 0'],
    ["spawn('yarn', ['workspace', 'lib', 'start'], { cwd });", 'yarn workspace lib start'],
    ["run('yarn', [\n  'workspace',\n  name,\n  'start',\n]);", 'yarn workspace start'],
    ["export default { webServer: { command: 'cd ../.. && yarn start', port: 1 } };", 'cd ../.. && yarn start'],
    ["export default { webServer: { command: 'PORT=1 yarn start' } };", 'PORT=1 yarn start'],
    ['await $`yarn turbo run build`;', 'yarn turbo run build'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code
    ['execa(`yarn workspace ${name} build`);', 'yarn workspace ${name} build'],
    ['execSync(\'yarn workspace lib test -t "a b"\');', 'yarn workspace lib test -t "a b"'],
    ['execSync(`cd ../..\nyarn build`);', 'cd ../..\nyarn build'],
    ["crossSpawn.sync('make', ['all']);", 'make all'],
  ])('%s', (code, expected) => {
    expect(commandsInCode(code)).toEqual([expect.objectContaining({ line: 1, text: expected })]);
  });

  test('for certain where it is the argument of a call, and perhaps elsewhere', () => {
    expect(commandsInCode("exec('yarn a');\nconst server = { command: 'yarn b' };\n")).toEqual([
      { line: 1, text: 'yarn a' },
      { line: 2, text: 'yarn b', isPerhaps: true },
    ]);
  });

  test('with the line of each', () => {
    expect(commandsInCode("\nexec('a');\n\nexec('b');\n").map(({ line, text }) => `${line} ${text}`)).toEqual(['2 a', '4 b']);
  });
});

test.each([
  "// execSync('yarn workspace lib build')\n",
  '/*\n * yarn workspace lib build\n */\n',
  "const yarn = 'yarn';\nconst makes = 'made with npm';\n",
  "pattern.exec(text); spawn(program, ['x']);",
  "const hint = 'Run yarn build'; test.each([['yarn workspace lib gen', 1]]);",
])('%j starts none that can be read', (code) => {
  expect(commandsInCode(code)).toEqual([]);
});

test('a shell file starts what its lines say, without comments', () => {
  expect(commandsInShell('#!/bin/sh\n# yarn a\n\nset -e # stop\n  yarn b && c\n')).toEqual([
    { line: 4, text: 'set -e' },
    { line: 5, text: 'yarn b && c' },
  ]);
});

test.each([
  ['quotes', `exec(${"'x', ".repeat(200_000)}); yarn ${'["'.repeat(200_000)}`],
  ['calls on a line', "exec('yarn a');".repeat(100_000)],
  ['open lists', "run('yarn', [".repeat(100_000)],
  ['a text', `exec('yarn ${'a '.repeat(1_000_000)}')`],
])('%s without end are read to a limit', (_, code) => {
  const commands = commandsInCode(code);
  expect(commands.length).toBeLessThanOrEqual(500);
  expect(Math.max(0, ...commands.map(({ text }) => text.length))).toBeLessThanOrEqual(1000);
});
