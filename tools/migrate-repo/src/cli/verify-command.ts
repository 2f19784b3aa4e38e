import { resolve } from 'node:path';
import { parseAbsolutePath } from '@tributary/model/paths';
import { parseRepoUrl } from '@tributary/model/repo-url';
import { addExamples, readCwd } from '@tributary/terminal/global-options';
import { takesBack } from '@tributary/terminal/interruption';
import type { Services } from '@tributary/terminal/main';
import type { Command } from 'commander';
import type { VerifyRequest } from '../run/verify.js';
import { INTO, noPackage, readBranch, readInto, readName, refuseWithAll } from './readers.js';

interface VerifyOptions {
  readonly into?: string;
  readonly all?: true;
  readonly ref?: string;
  readonly refetch?: true;
  readonly from?: string;
  readonly sourceBranch?: string;
}

/** Adds the command `verify`. Its code is loaded when it runs. */
export function addVerify(program: Command, services: Services): void {
  const command = takesBack(program.command('verify'))
    .summary('verify one import, or all imports')
    .description(
      'Verifies that HEAD, or another ref, contains an import with its whole history: reversing the rewrite must reproduce the last commit of the source. ' +
        'The source is not needed, except for an import of a subdirectory. ' +
        'Fails if the import was squashed, rebased or rewritten, or if only another branch contains it. Changes nothing.',
    )
    .argument('[package]', 'name of the package')
    .option(...INTO)
    .option('--all', 'verify every import that the ref contains, and fail if the ref lost one; for CI')
    .option('--ref <ref>', 'branch, tag or commit that must contain the import (default: HEAD)')
    .option('--refetch', 'fetch the source, and check that rewriting it gives the same commits')
    .option('--from <address>', 'current address of the source, if it has moved; implies --refetch')
    .option(
      '--source-branch <name>',
      "branch of the source, if it was renamed; implies --refetch (default: the imported one, else the source's default branch)",
    );
  addExamples(command, [
    { line: 'migrate-repo verify left-pad', purpose: 'verify that HEAD contains it, from the record in its merge commit' },
    { line: 'migrate-repo verify left-pad --ref migrate/left-pad', purpose: 'verify the branch of a migration before it is merged' },
    { line: 'migrate-repo verify --all', purpose: 'in CI: fail if a pull request was squashed and its history was lost' },
    { line: 'migrate-repo verify left-pad --refetch --json', purpose: 'compare with the source, with JSON output' },
  ]);
  command.action(async (name: string | undefined, options: VerifyOptions) => {
    const place = { into: readInto(command, options.into), ref: options.ref };
    if (options.all === true) {
      refuseWithAll(name, options);
      const { runVerifyAll } = await import('./commands.js');
      return runVerifyAll({ ...place, source: options.refetch === true ? 'again' : 'from the record' }, services);
    }
    if (name === undefined) throw noPackage('verify all of them: migrate-repo verify --all');
    const sourceBranch = readBranch(options.sourceBranch);
    const request = { ...place, name: readName(name), source: readSource(command, options), sourceBranch };
    const { runVerify } = await import('./commands.js');
    return runVerify(request, services);
  });
}

function readSource(command: Command, options: VerifyOptions): VerifyRequest['source'] {
  const isAsked = options.refetch === true || options.sourceBranch !== undefined;
  if (options.from === undefined) return isAsked ? 'again' : 'from the record';
  return { at: parseRepoUrl(options.from, (path) => parseAbsolutePath(resolve(readCwd(command), path))) };
}
