import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { startEarly } from './early.js';

const cleanUp = cleanUpIn(afterAll);
const repo = cleanUp.add(TempRepo.create());
repo.commit('one', { files: { 'package.json': '{}', 'yarn.lock': '', 'a/x': 'x' } });
repo.commit('two', { files: { 'a/x': 'y' } });
const nowhere = cleanUp.add(new TempFolder());

/** Begins, and waits for what was begun, so that nothing runs on behind the test. */
async function guess(...argv: readonly string[]): Promise<unknown> {
  const early = startEarly(argv);
  if (early === undefined) return undefined;
  const { reading, cwd, base, head } = early;
  const [comparison, changes, texts] = await Promise.all([reading.comparison, reading.changes, reading.texts]);
  return { cwd, base, head, met: comparison !== undefined, changes: changes?.map(({ path }) => path), manifest: texts['package.json'] };
}

describe('what is asked of git is guessed from the command line', () => {
  const cwd = repo.path;
  const found = { cwd, base: 'HEAD~1', head: 'HEAD', met: true, changes: ['a/x'], manifest: '{}' };
  test.each<[argv: readonly string[], guessed: unknown]>([
    [['--base', 'HEAD~1', '--cwd', cwd], found],
    [['--base=HEAD~1', `--cwd=${cwd}`], found],
    [['select', '--json', '--base', 'HEAD~1', '--cwd', cwd, '--head', 'HEAD'], found],
    [['--base', 'HEAD~1', '--head=HEAD~1', '--cwd', cwd], { ...found, head: 'HEAD~1', changes: [] }],
    [['--base', 'HEAD~1', '--cwd', join(cwd, 'a')], { ...found, cwd: join(cwd, 'a') }],
    [['--base', 'gone', '--cwd', cwd], { ...found, base: 'gone', met: false, changes: undefined }],
  ])('%j', async (argv, guessed) => {
    expect(await guess(...argv)).toEqual(guessed);
  });
});

describe('nothing is begun, and nothing is said,', () => {
  const given = ['--base', 'HEAD~1', '--cwd', repo.path];
  test.each<[title: string, argv: readonly string[]]>([
    ['without a base', ['--cwd', repo.path]],
    ['without any word', []],
    ['for help', [...given, '--help']],
    ['for help in short', [...given, '-h']],
    ['for the version', [...given, '--version']],
    ['for a list of files', [...given, '--files-from', '-']],
    ['for a list of files, in one word', [...given, '--files-from=x']],
    ['for a pull request', [...given, '--pull-request=7']],
    ['for another command', ['why', 'a', ...given]],
    ['for a base that is an option', ['--base', '--all', '--cwd', repo.path]],
    ['for a base that is a range', ['--base=a..b', '--cwd', repo.path]],
    ['for a head that is none', [...given, '--head', '-x']],
    ['for a base without a value', ['--cwd', repo.path, '--base']],
    ['for an empty base', ['--cwd', repo.path, '--base=']],
    ['outside of a repository', ['--base', 'HEAD~1', '--cwd', nowhere.path]],
    ['in a folder that is not there', ['--base', 'HEAD~1', '--cwd', nowhere.join('gone')]],
    ['with a folder that is none', ['--base', 'HEAD~1', '--cwd', '']],
  ])('%s', async (_, argv) => {
    const early = startEarly(argv);
    if (argv.at(-1) !== '') expect(early).toBe(undefined);
    await Promise.allSettled(early === undefined ? [] : Object.values(early.reading));
  });
});
