import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { isToolError } from '@tributary/model/errors';
import { systemClock } from '@tributary/terminal/clock';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { typosOf } from '@tributary/test-repo/typos';
import type { Command } from 'commander';
import { VERSION } from '../version.js';
import { buildProgram } from './program.js';

const cleanUp = cleanUpIn(afterAll);
const folder = cleanUp.add(new TempFolder());

function createProgram(): Command {
  const ui = new Ui(recordStreams(), {}, { quiet: false, verbose: false, color: 'never', input: 'never', json: false });
  return buildProgram({ ui, clock: systemClock, signal: new AbortController().signal });
}

const ONE_ONLY = 'works with one package only.';
const wrong: readonly [string, string][] = [
  ['a b --from ../x', `--from ${ONE_ONLY}`],
  ['a b --to packages/x', `--to ${ONE_ONLY}`],
  ['a b --subdirectory libs', `--subdirectory ${ONE_ONLY}`],
  ['a b --source-branch main', `--source-branch ${ONE_ONLY}`],
  ['migrate a b --from ../x', `--from ${ONE_ONLY}`],
  ['a --strategy merge --subdirectory libs', '--strategy merge keeps commits unchanged'],
  ['--all a', '"a" cannot be combined with --all.'],
  ['--all --from ../x', `--from ${ONE_ONLY}`],
  ['--dry-run', 'Missing package name.'],
  ['../left-pad', '"../left-pad" is not a valid package name.'],
  ['https://example.com/left-pad', '"https://example.com/left-pad" is not a valid package name.'],
  ['a --to ../x', '"../x" cannot be used as a path: it leaves the repository.'],
  ['a --to /x', '"/x" cannot be used as a path: it is absolute'],
  ['a --to .git/hooks', 'it passes through .git'],
  ['a --subdirectory ..', 'it leaves the repository'],
  ['a --branch a..b', '"refs/heads/a..b" is not a valid git ref name.'],
  ['a --branch=-x', '"-x" cannot be the name of a branch.'],
  ['a --branch=', 'is not a valid git ref name.'],
  ['a --source-branch x.lock', 'is not a valid git ref name.'],
  ['a --tags {verison}', 'The pattern of --tags has {verison}, which is unknown here; known: {name}, {shortName}, {version}, {tag}.'],
  ['a --tags {name}~{version}', 'is not a valid git ref name.'],
  ['a --tags=', 'is not a valid git ref name.'],
  ['a --allow-objects badEmail,', 'Invalid kind for --allow-objects: "" is not a message id of git fsck.'],
  ['a --allow-objects bad-email', 'Invalid kind for --allow-objects: "bad-email"'],
  ['a --tests test --no-install', '--tests test cannot be combined with --no-install'],
  ['a --tests install --no-align', '--tests install cannot be combined with --no-align'],
  ['a --tests test --tests-timeout 0', 'Invalid limit for --tests-timeout: "0"'],
  ['a --tests-timeout soon', 'Invalid limit for --tests-timeout: "soon"'],
  ['a --remote origin', '--remote works only with --pull-request.'],
  ['a --base main', '--base works only with --pull-request.'],
  ['a --pull-request --base a..b', 'is not a valid git ref name.'],
  ['sync a --remote origin', '--remote works only with --pull-request.'],
  ['sync a --pull-request --source-branch release-1', '--pull-request with --source-branch needs --base'],
  ['verify ../x', '"../x" is not a valid package name.'],
  ['verify', 'Missing package name.'],
  ['verify a --all', '"a" cannot be combined with --all.'],
  ['verify --all --from ../x', '--from cannot be combined with --all.'],
  ['verify --all --source-branch main', '--source-branch cannot be combined with --all.'],
  ['verify a --source-branch x.lock', 'is not a valid git ref name.'],
];

describe('what is wrong in a command line is refused before anything is read', () => {
  test.each(wrong)('%s', async (line, message) => {
    const failure: unknown = await createProgram()
      .parseAsync(line.split(' '), { from: 'user' })
      .catch((error: unknown) => error);
    if (!isToolError(failure)) throw failure;
    expect(failure.code).toBe('USAGE');
    expect(failure.message).toContain(message);
  });

  test.each([
    '--strategy x a',
    '--internal none a',
    '--tests all a',
    '--internal all --no-align a',
    'verify',
    'verify a b',
    'discard',
    'status a',
    'a --jsno',
  ])('exit code 2: %p', async (line) => {
    const args = line.split(' ').filter((word) => word !== '');
    const { code, stdout, stderr } = await runCli('migrate-repo', args, { cwd: folder.path });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .*\[USAGE\]\nhint: /);
  });
});

describe('a mistyped command is refused before anything is asked, and told which one was meant', () => {
  const mistyped = createProgram().commands.flatMap((command) => typosOf(command.name()).map((typo) => [typo, command.name()] as const));

  test('whatever the typo', async () => {
    expect(mistyped.length).toBeGreaterThan(150);
    const hints = await Promise.all(mistyped.map(([typo]) => refusalOf([typo, '--unknown-to-migrate'])));
    const wrong = mistyped.filter(
      ([typo, command], at) => !hints[at]?.startsWith(`USAGE Unknown command "${typo}". Did you mean ${command}?`),
    );
    expect(wrong).toEqual([]);
  });

  test.each([
    ['verfy left-pad --ref migrate/left-pad', 'verify'],
    ['verfy --all', 'verify'],
    ['verfy', 'verify'],
    ['statsu --pull-request', 'status'],
    ['discrd left-pad ../left-pad', 'discard'],
    ['verfy left-pad --from ../left-pad', 'verify'],
    ['hlep status', 'help'],
  ])('%s', async (line, command) => {
    expect(await refusalOf([...line.split(' '), '--into', folder.path])).toMatch(`Did you mean ${command}?`);
  });

  test.each(['migrate verfy', 'verfy --from ../verfy', 'left-pad', 'vue react'])('but not in "%s"', async (line) => {
    expect(await refusalOf([...line.split(' '), '--dry-run', '--into', folder.path])).toMatch(/^TARGET_NOT_FOUND /);
  });
});

/** Returns code, message and hint of the error of a command line. */
async function refusalOf(args: readonly string[]): Promise<string> {
  const program = createProgram();
  for (const command of [program, ...program.commands])
    command.exitOverride().configureOutput({ writeOut: () => {}, outputError: () => {} });
  const failure: unknown = await program.parseAsync([...args], { from: 'user' }).catch((error: unknown) => error);
  if (!isToolError(failure)) throw failure;
  return `${failure.code} ${failure.message} ${failure.hint}`;
}

test('several packages may be repeated, and go with --branch, --tags, --yes and --dry-run', async () => {
  const args = 'a b a --branch x --tags {name}-{tag} --yes --dry-run'.split(' ');
  const { stderr } = await runCli('migrate-repo', args, { cwd: folder.path });
  expect(stderr).toContain('[TARGET_NOT_FOUND]');
});

const commands = ['', 'migrate', 'verify', 'status', 'discard'];

describe('help', () => {
  test.each(commands)('of %p is at most 80 columns wide, begins with examples, and says how it is called', async (command) => {
    const { code, stdout, stderr } = await runCli('migrate-repo', [command, '--help'].filter(Boolean), { cwd: folder.path });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatch(/^Examples:\n {2}# .*\n {2}\$ migrate-repo /);
    expect(stdout).toMatch(new RegExp(`^Usage: migrate-repo ${command === '' ? '<package>\\.\\.\\.' : command} `, 'm'));
  });

  test('of the program tells where the options of migrating stand', () => {
    expect(createProgram().helpInformation().replaceAll(/\s+/g, ' ')).toContain('"migrate-repo migrate --help" shows the options for it.');
  });

  test('every command and every option says what it is for, in the same manner', () => {
    const all = [createProgram(), ...createProgram().commands];
    const texts = all.flatMap((command) => command.options.map((option) => option.description));
    expect(texts.filter((text) => !/^[a-z].*[^.]$/.test(text))).toEqual([]);
    expect(all.map((command) => command.description()).filter((text) => !/^[A-Z][\s\S]*\.$/.test(text))).toEqual([]);
    expect(
      createProgram()
        .commands.map((command) => command.summary())
        .filter((text) => !/^[a-z].*[^.]$/.test(text)),
    ).toEqual([]);
  });
});

describe('what needs no command loads none', () => {
  // A file that Node loads before the program; it writes the list when the program ends.
  const hook = folder.write(
    'list-modules.cjs',
    `process.on('exit', () => require('node:fs').writeFileSync(process.env.MODULES, JSON.stringify(Object.keys(require.cache))));`,
  );

  async function listLoaded(...args: string[]): Promise<string[]> {
    const list = folder.join('modules.json');
    const { code } = await runCli('migrate-repo', args, { cwd: folder.path, env: { NODE_OPTIONS: `--require "${hook}"`, MODULES: list } });
    expect(code).not.toBe(70);
    const files = JSON.parse(readFileSync(list, 'utf8')) as string[];
    return files.filter((file) => file !== hook).map((file) => file.slice(file.lastIndexOf('/out/') + '/out/'.length));
  }

  test('the name alone shows the help', async () => {
    const alone = await runCli('migrate-repo', [], { cwd: folder.path });
    expect(alone).toEqual(await runCli('migrate-repo', ['--help'], { cwd: folder.path }));
    expect(alone.code).toBe(0);
  });

  test.each([['--help'], ['migrate', '--help'], ['--version'], ['a', 'b', '--from', 'x']])(
    '%p %p loads the start file alone',
    async (...args) => {
      expect(await listLoaded(...args.filter((arg) => arg !== undefined))).toEqual(['cli.cjs']);
    },
  );

  test('a command loads its late file: the test sees such files', async () => {
    const own = (await listLoaded('status')).filter((file) => /^(?:cli|late-migrate-repo)\b/.test(file));
    expect(own).toEqual(['cli.cjs', expect.stringMatching(/^late-migrate-repo-.*commands\.cjs$/)]);
  });

  test('the start file holds neither @yarnpkg/core nor simple-git nor a command', () => {
    const map = JSON.parse(readFileSync(join(findProjectRoot(), 'tools/migrate-repo/out/cli.cjs.map'), 'utf8')) as { sources: string[] };
    expect(map.sources.filter((file) => /yarnpkg|simple-git|\/commands\.ts|\/(io|run|history|plan)\//.test(file))).toEqual([]);
    expect(map.sources.some((file) => file.endsWith('cli/program.ts'))).toBe(true);
  });
});

test('--version', async () => {
  expect(await runCli('migrate-repo', ['--version'], { cwd: folder.path })).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
});
