import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import { addLater, completeCommands } from './late-details.js';

function buildProgram(ran: string[]): Command {
  const program = new Command('tool').exitOverride().configureOutput({ writeOut: (text) => ran.push(text), writeErr: () => {} });
  for (const name of ['one', 'other']) {
    const command = program.command(name, { isDefault: name === 'other' }).summary(`summary of ${name}`);
    addLater(command, () => {
      ran.push(`made ${name}`);
      command.option('--deep', 'an option').action(({ deep }: { deep?: true }) => void ran.push(`${name} ${deep === true}`));
    });
  }
  return program;
}

test.each([
  [
    ['one', '--deep'],
    ['made one', 'one true'],
  ],
  [['--deep'], ['made other', 'other true']],
  [['one'], ['made one', 'one false']],
])('%j makes the command that it names, and no other', async (argv, expected) => {
  const ran: string[] = [];
  await buildProgram(ran).parseAsync(argv, { from: 'user' });
  expect(ran).toEqual(expected);
});

test.each([[['one', '--help']], [['help', 'one']]])('%j shows all options of the command', async (argv) => {
  const ran: string[] = [];
  await expect(buildProgram(ran).parseAsync(argv, { from: 'user' })).rejects.toMatchObject({ exitCode: 0 });
  expect(ran[0]).toBe('made one');
  expect(ran[1]).toContain('--deep');
});

test('the help of the program makes no command', async () => {
  const ran: string[] = [];
  await expect(buildProgram(ran).parseAsync(['--help'], { from: 'user' })).rejects.toMatchObject({ exitCode: 0 });
  expect(ran).toEqual([expect.stringContaining('summary of one')]);
});

test('all commands are made once', () => {
  const ran: string[] = [];
  const program = buildProgram(ran);
  completeCommands(program);
  completeCommands(program);
  expect(ran).toEqual(['made one', 'made other']);
});
