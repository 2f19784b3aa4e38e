import { tmpdir } from 'node:os';
import { relative } from 'node:path';
import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import { addExamples, addGlobalOptions, examplesOf, readCwd, readFlags } from './global-options.js';

function createProgram(seen: Command[] = []): Command {
  const program = addGlobalOptions(
    new Command('tool')
      .description('Does one thing.')
      .exitOverride()
      .configureOutput({ outputError: () => {} }),
  );
  program
    .command('import')
    .description('bring a repository in')
    .argument('<source>', 'where it is')
    .option('--strategy <name>', 'how history comes in; what is said here is long enough to need a second line in the help')
    .action((_source, _options, command) => void seen.push(command));
  return addExamples(program, [
    { line: 'tool import ../x', purpose: 'bring a repository in' },
    { line: 'tool import ../x --json', purpose: 'the same for machines' },
  ]);
}

test('help starts with examples, and nothing in it is wider than 80 columns', () => {
  let text = '';
  const program = createProgram().configureOutput({ writeOut: (part) => (text += part) });
  program.outputHelp();
  expect(text).toBe(HELP);
  const lines = [text, program.commands[0]?.helpInformation() ?? ''].join('\n').split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('the help of a subcommand shows the global options too', () => {
  expect(createProgram().commands[0]?.helpInformation()).toContain('Global Options:\n  --cwd <folder>     working folder');
});

test('the empty list that an option begins with is no default to tell', () => {
  const add = (value: string, before: readonly string[]): readonly string[] => [...before, value];
  const command = createProgram()
    .command('pack')
    .option('--only <name>', 'only this', add, [])
    .option('--with <name>', 'this too', add, ['a']);
  expect(command.helpInformation()).toContain('  --only <name>   only this\n  --with <name>   this too (default: ["a"])\n');
});

test('a subcommand with long names is wrapped at 80 columns too, and does not offer the version of the program', () => {
  const program = createProgram().version('1.2.3');
  const help = program
    .command(`export-${'x'.repeat(36)}`)
    .description('says more than fits beside such a long name')
    .helpInformation();
  expect([help, program.helpInformation()].flatMap((text) => text.split('\n')).filter((line) => line.length > 80)).toEqual([]);
  expect(help).not.toContain('--version');
});

/** Returns the help of the program and its command, as on a terminal with so many columns. */
function helpOn(columns: number): string {
  let text = '';
  const program = createProgram();
  for (const command of [program, ...program.commands]) {
    command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => columns });
    command.outputHelp();
  }
  return text;
}

test.each([
  [50, 50],
  [40, 40],
  [20, 40],
  [0, 80],
  [300, 80],
])('on a terminal of %p columns, the help is at most %p wide, and the lines of examples stay whole', (columns, width) => {
  const text = helpOn(columns);
  const widths = text.split('\n').flatMap((line) => (line.startsWith('  $ ') ? [] : [line.length]));
  expect(Math.max(...widths)).toBeLessThanOrEqual(width);
  expect(Math.max(...widths)).toBeGreaterThan(width - 15);
  expect(text).toContain('  $ tool import ../x --json\n');
});

test('a description beside its term that would be narrower than 20 columns goes below it', () => {
  expect(helpOn(40)).toContain(`
  --strategy <name>
      how history comes in; what is said
      here is long enough to need a
      second line in the help
`);
});

test.each([[['--cwd', tmpdir(), 'import', 'x']], [['import', 'x', '--cwd', relative(process.cwd(), tmpdir())]]])(
  '%p: the folder is read before and after the command',
  (argv) => {
    const seen: Command[] = [];
    createProgram(seen).parse(argv, { from: 'user' });
    expect(seen.map(readCwd)).toEqual([tmpdir()]);
  },
);

test('without --cwd it is the current folder', () => {
  const seen: Command[] = [];
  createProgram(seen).parse(['import', 'x'], { from: 'user' });
  expect(seen.map(readCwd)).toEqual([process.cwd()]);
});

test.each([
  [['--cwd', '/no/such/folder'], "error: option '--cwd <folder>' argument '/no/such/folder' is invalid. The folder does not exist."],
  [['--quiet', '--verbose', 'import', 'x'], "error: option '--quiet' cannot be used with option '--verbose'"],
])('%p is refused', (argv, message) => {
  expect(() => createProgram().parse(argv, { from: 'user' })).toThrow(message);
});

test('flags are read from the raw command line, up to --', () => {
  const none = { quiet: false, verbose: false, color: 'auto', input: 'auto', json: false };
  expect(readFlags(['import', '--', '--json', '--quiet'])).toEqual(none);
  expect(readFlags(['--quiet', '--verbose', 'import', '--no-color', '--no-input', '--json'])).toEqual({
    quiet: true,
    verbose: true,
    color: 'never',
    input: 'never',
    json: true,
  });
});

test('examples can be read back', () => {
  expect(examplesOf(createProgram()).map(({ line }) => line)).toEqual(['tool import ../x', 'tool import ../x --json']);
  expect(examplesOf(new Command())).toEqual([]);
});

const HELP = `Examples:
  # bring a repository in
  $ tool import ../x

  # the same for machines
  $ tool import ../x --json

Usage: tool [options] [command]

Does one thing.

Options:
  -h, --help       print this help

Global Options:
  --cwd <folder>   working folder (default: the current one)
  --json           print the result as one JSON document
  --quiet          print only results, warnings and errors
  --verbose        print every step, and stack traces for errors
  --no-color       print without colors, like the variable NO_COLOR
  --no-input       never prompt; fail where a prompt would be needed

Commands:
  import <source>  bring a repository in
  help [command]   print the help of a command

Exit codes:
  0    done
  1    failed, with a named reason
  2    wrong command line
  70   internal error
  129  the terminal closed
  130  interrupted
  143  terminated
`;
