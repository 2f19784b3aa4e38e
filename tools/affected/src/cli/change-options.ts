import { parseRevision } from '@tributary/git/changeset';
import { ToolError } from '@tributary/model/errors';
import { readCwd } from '@tributary/terminal/global-options';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AffectedRequest } from '../run/request.js';

export interface ChangeOptions {
  readonly base?: string;
  readonly head?: string;
  readonly filesFrom?: string;
  readonly pullRequest?: number;
  readonly uncommitted?: true;
  readonly fetch: boolean;
  readonly task?: string;
}

/** Adds the options for the compared commits, the same for every command that compares. */
export function addChangeOptions(command: Command): Command {
  return command
    .option('--base <ref>', 'base revision (default: auto-detected)')
    .option('--head <ref>', 'changed commit (default: HEAD)')
    .option('--files-from <file>', 'read changed file names from a file, or from stdin (-)')
    .addOption(new Option('--pull-request <number>', 'take the files of a pull request from GitHub').argParser(readNumber))
    .option('--uncommitted', 'include uncommitted and untracked files')
    .option('--no-fetch', 'do not fetch missing objects');
}

/** Adds the option for commands whose answer may be for one task. */
export function addTaskOption(command: Command): Command {
  return command.option('--task <name>', 'turborepo task of the result (default: test)');
}

/** Validates the command line before anything is read. Throws `USAGE`. */
export function readRequest(command: Command, options: ChangeOptions): AffectedRequest {
  const { base, head, filesFrom, pullRequest } = options;
  for (const ref of [base, head]) if (ref !== undefined) parseRevision(ref);
  const sources = [filesFrom, pullRequest].filter((source) => source !== undefined);
  if (sources.length > 1) throw clash('--files-from and --pull-request');
  if (options.uncommitted === true && (head !== undefined || sources.length > 0))
    throw clash('--uncommitted and --head, --files-from or --pull-request');
  return {
    cwd: readCwd(command),
    base,
    head,
    filesFrom,
    pullRequest,
    uncommitted: options.uncommitted === true ? 'with' : 'without',
    fetch: options.fetch ? 'allowed' : 'never',
    ...(options.task === undefined ? {} : { task: options.task }),
  };
}

function clash(options: string): ToolError {
  return new ToolError({ code: 'USAGE', message: `${options} cannot be used together.`, hint: 'Use only one of them.' });
}

export function readNumber(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It must be an integer above zero.');
  return Number(text);
}
