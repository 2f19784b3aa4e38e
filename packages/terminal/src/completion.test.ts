import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { Argument, Command, Option } from 'commander';
import { addCompletionCommand, completionScript, type Shell } from './completion.js';
import { addGlobalOptions } from './global-options.js';

function createProgram(): Command {
  const program = addGlobalOptions(new Command('the-tool'));
  const command = program.command('import').description("it's a repository").option('-n, --dry-run', 'change nothing');
  command.addOption(new Option('--strategy <name>', 'how').choices(['rewrite', 'merge'])).addOption(new Option('--secret').hideHelp());
  command.command('undo').addArgument(new Argument('<what>').choices(['all', 'tags']));
  program.command('status');
  return addCompletionCommand(program, { data: () => {} });
}

const global = ['--cwd', '--json', '--quiet', '--verbose', '--no-color', '--no-input'];
const help = ['--help', '-h'];

// The command line up to the cursor, and the completions offered there.
const cases: readonly [string, readonly string[]][] = [
  ['the-tool ', ['import', 'status', 'completion', 'help']],
  ['the-tool s', ['status']],
  ['the-tool --', [...global, '--help']],
  ['the-tool --json import ', ['undo', 'help']],
  ['the-tool import -', ['--dry-run', '-n', '--strategy', ...help, ...global]],
  ['the-tool import --strategy ', ['rewrite', 'merge']],
  ['the-tool import --strategy m', ['merge']],
  ['the-tool import undo ', ['all', 'tags']],
  ['the-tool completion ', ['bash', 'zsh', 'fish']],
  ['the-tool import undo nothing-like-this', []],
];

test.each(cases)('bash offers after %p', (line, expected) => {
  const words = line.split(' ');
  const ask = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _the_tool; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const run = spawnSync('bash', ['--norc', '-euc', `${completionScript(createProgram(), 'bash')}\n${ask}`], { encoding: 'utf8' });
  expect(run.stderr).toBe('');
  expect(
    run.stdout
      .split('\n')
      .filter((word) => word !== '')
      .sort(),
  ).toEqual([...expected].sort());
});

test('the options of a command that runs without its name are offered without it', () => {
  const program = createProgram();
  const main = program.commands.find((command) => command.name() === 'import');
  const ask = `COMP_WORDS=(the-tool left-pad --s); COMP_CWORD=2; _the_tool; printf '%s ' "\${COMPREPLY[@]}"`;
  const run = spawnSync('bash', ['--norc', '-euc', `${completionScript(program, 'bash', main)}\n${ask}`], { encoding: 'utf8' });
  expect([run.stdout, run.stderr]).toEqual(['--strategy ', '']);
});

// Runs without these shells too: the scripts contain no character that could end a quotation early.
test.each(['bash', 'zsh', 'fish'] as const)('every quotation of the script for %s is closed', (shell) => {
  const lines = completionScript(createProgram(), shell).split('\n');
  expect(lines.filter((line) => line.split("'").length % 2 === 0)).toEqual([]);
});

test.each(['bash', 'zsh', 'fish'] as const)('the command writes the script for %s', async (shell: Shell) => {
  const written: string[] = [];
  const program = addCompletionCommand(new Command('tool'), { data: (text) => void written.push(text) });
  await program.parseAsync(['completion', shell], { from: 'user' });
  expect(written).toEqual([completionScript(program, shell)]);
});

test('--json is refused, because a shell reads the script', async () => {
  const written: string[] = [];
  const program = addCompletionCommand(addGlobalOptions(new Command('tool')), { data: (text) => void written.push(text) });
  await expect(program.parseAsync(['completion', 'bash', '--json'], { from: 'user' })).rejects.toMatchObject({ code: 'USAGE' });
  expect(written).toEqual([]);
});
