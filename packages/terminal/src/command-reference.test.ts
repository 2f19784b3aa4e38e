import { expect, test } from '@jest/globals';
import { Argument, Command, Option } from 'commander';
import { commandReference } from './command-reference.js';
import { addExamples, addGlobalOptions } from './global-options.js';

function createProgram(): Command {
  const program = addGlobalOptions(new Command('tool').description('Does one thing.'));
  addExamples(program, [{ line: 'tool import ../x', purpose: 'bring a repository in' }]);
  const command = program.command('import').description('Brings a repository in.');
  command.argument('<source>', 'an address | a path').addArgument(new Argument('[names...]', 'what').default([], 'all'));
  command.addOption(new Option('--strategy <name>', 'how history comes in').choices(['rewrite', 'merge']).default('rewrite'));
  command
    .option('--no-tags', 'leave tags out')
    .option('--into <folder>', 'the monorepo')
    .option('--to <path>', 'where (default: packages/<name>)')
    .addOption(new Option('--secret').hideHelp());
  command.command('undo').description('Takes it out.').option('--into <folder>', 'the monorepo');
  program
    .command('draw')
    .description('Prints a picture.')
    .addArgument(new Argument('<format>', 'the format').choices(['dot', 'svg']));
  return program;
}

test('a program becomes a page', () => {
  expect(commandReference(createProgram())).toBe(PAGE.replaceAll('~~~', '```').replaceAll("'", '`'));
});

test('the same program gives the same page', () => {
  expect(commandReference(createProgram())).toBe(commandReference(createProgram()));
});

const PAGE = `# tool

Does one thing.

~~~text
tool [options] [command]
~~~

## Examples

~~~sh
# bring a repository in
tool import ../x
~~~

## tool import

Brings a repository in.

~~~text
tool import [options] [command] <source> [names...]
~~~

### Arguments

| argument | meaning |
| --- | --- |
| '<source>' | an address \\| a path |
| '[names...]' | what (default: 'all') |

### Options

| option | meaning |
| --- | --- |
| '--strategy <name>' | how history comes in (one of 'rewrite', 'merge'; default: 'rewrite') |
| '--no-tags' | leave tags out |
| '--to <path>' | where (default: packages/\\<name>) |

[Of several commands](#options-of-several-commands): '--into'.

### tool import undo

Takes it out.

~~~text
tool import undo [options]
~~~

[Of several commands](#options-of-several-commands): '--into'.

## tool draw

Prints a picture.

~~~text
tool draw [options] <format>
~~~

### Arguments

| argument | meaning |
| --- | --- |
| '<format>' | the format (one of 'dot', 'svg') |

## Options of several commands

| option | meaning |
| --- | --- |
| '--into <folder>' | the monorepo |

## Options of every command

| option | meaning |
| --- | --- |
| '--cwd <folder>' | working folder (default: the current one) |
| '--json' | print the result as one JSON document |
| '--quiet' | print only results, warnings and errors |
| '--verbose' | print every step, and stack traces for errors |
| '--no-color' | print without colors, like the variable NO_COLOR |
| '--no-input' | never prompt; fail where a prompt would be needed |
| '-h, --help' | print this help |
`;
