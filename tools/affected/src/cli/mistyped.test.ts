import { expect, test } from '@jest/globals';
import { systemClock } from '@tributary/terminal/clock';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import { typosOf } from '@tributary/test-repo/typos';
import type { Command } from 'commander';
import { buildProgram } from './program.js';

function createProgram(): Command {
  const ui = new Ui(recordStreams(), {}, { quiet: false, verbose: false, color: 'never', input: 'never', json: false });
  const program = buildProgram({ ui, clock: systemClock, signal: new AbortController().signal });
  for (const command of [program, ...program.commands])
    command.exitOverride().configureOutput({ writeOut: () => {}, outputError: () => {} });
  return program;
}

const parse = (...args: readonly string[]): Promise<Command> => createProgram().parseAsync([...args], { from: 'user' });

test('a mistyped command is told which one was meant, whatever the typo', async () => {
  const names = createProgram().commands.map((command) => command.name());
  const mistyped = names.flatMap((name) => typosOf(name).map((typo) => [typo, name] as const));
  expect(mistyped.length).toBeGreaterThan(200);
  for (const [typo, name] of mistyped)
    await expect(parse(typo)).rejects.toMatchObject({
      code: 'USAGE',
      message: `Unknown command "${typo}".`,
      hint: `Did you mean ${name}?`,
    });
});

test.each(['plna --shards 2 --out plan.json', 'plna --json', '--base main plna', 'select plna'])('affected %s', async (line) => {
  await expect(parse(...line.split(' '))).rejects.toMatchObject({ code: 'USAGE', hint: 'Did you mean plan?' });
});

test('a word that resembles none is told where the commands are listed', async () => {
  await expect(parse('frobnicate', '--to', 'x')).rejects.toMatchObject({ code: 'USAGE', hint: 'Run affected --help to see the commands.' });
});
