import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { Narrator } from './narrator.js';
import { type TypedCommands, type TypedOptions, typedCommands } from './typed-commands.js';

const cleanUp = cleanUpIn(afterAll);

/** Stands for `affected`: it ends with the given exit code. */
const PROGRAM = "console.log('to stdout'); console.error('to stderr'); process.exitCode = Number(process.argv[2]);\n";

function create(options: TypedOptions = {}): { readonly commands: TypedCommands; readonly shown: () => string; readonly path: string } {
  const folder = cleanUp.add(new TempFolder());
  const { path } = folder;
  const affected = folder.write('affected.cjs', PROGRAM);
  const folders = { root: path, templates: path, folder: path, sources: path, monorepo: path, clone: path, later: path };
  const stage = { ...folders, migrateRepo: path, affected, commitToPublish: path, programs: path };
  const streams = recordStreams();
  const ui = new Ui(streams, {}, { quiet: false, verbose: false, color: 'never', input: 'never', json: false });
  const place = { stage, narrator: new Narrator(ui), signal: new AbortController().signal };
  return { commands: typedCommands(path, place, options), shown: () => streams.stdoutText(), path };
}

test('what a command says is shown below it, its answer first', async () => {
  const { commands, shown } = create();
  await commands.affected('0');
  expect(shown()).toBe('  $ affected 0\n  to stdout\n  to stderr\n');
});

test('what a command writes can go into a file, and is not shown then', async () => {
  const { commands, shown, path } = create({ into: 'answer.txt' });
  await commands.affected('0');
  expect(shown()).toBe('  $ affected 0 > answer.txt\n  to stderr\n');
  expect(readFileSync(join(path, 'answer.txt'), 'utf8')).toBe('to stdout\n');
});

test('of a long answer the first lines are shown, as head would', async () => {
  const { commands, shown } = create({ head: 0 });
  await commands.affected('0');
  expect(shown()).toBe('  $ affected 0 | head -n 0\n  to stderr\n');
});

test('a command has to end with the exit code that is expected of it', async () => {
  await expect(create().commands.affected('1')).rejects.toMatchObject({ code: 'PROGRAM_FAILED' });
  await expect(create({ exit: 1 }).commands.affected('0')).rejects.toMatchObject({ code: 'PROGRAM_FAILED' });
  await expect(create({ exit: 1 }).commands.affected('2')).rejects.toMatchObject({ code: 'PROGRAM_FAILED' });
  const { commands, shown } = create({ exit: 1 });
  await commands.affected('1');
  expect(shown()).toContain('to stdout');
});

test('stdout can be left out of the story, but not of an error', async () => {
  const { commands, shown } = create({ shown: 'stderr' });
  await commands.affected('0');
  expect(shown()).toBe('  $ affected 0\n  to stderr\n');
  await expect(commands.affected('1')).rejects.toMatchObject({ message: expect.stringContaining('to stdout') });
});

test('a folder of programs is searched before PATH', async () => {
  const programs = cleanUp.add(new TempFolder());
  chmodSync(programs.write('git', '#!/bin/sh\necho "not git: $*"\n'), 0o755);
  const { commands, shown } = create({ programs: programs.path });
  await commands.git('status');
  expect(shown()).toContain('not git: --no-pager status');
});
