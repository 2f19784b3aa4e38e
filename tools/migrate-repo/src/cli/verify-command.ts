import { resolve } from 'node:path';
import { parseAbsolutePath } from '@tributary/model/paths';
import { parseRepoUrl } from '@tributary/model/repo-url';
import { addExamples, readCwd } from '@tributary/terminal/global-options';
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

/** Adds `verify`. Its code is loaded when it runs. */
export function addVerify(program: Command, services: Services): void {
  const command = program
    .command('verify')
    .summary('verify one import, or all imports')
    .description(
      'Proves that HEAD, or another ref, contains an import with its whole history: undoing the move must give the last commit of the source, id by id. ' +
        'The source is not needed, except for an import of a subdirectory; without it, the import is compared with its own record. ' +
        'An import that was squashed, rebased or rewritten on its way to the ref, or that only another branch contains, is not proven. Nothing is changed.',
    )
    .argument('[package]', 'the name of the package')
    .option(...INTO)
    .option('--all', 'prove every import that the ref contains, and fail if it has lost one; for CI')
    .option('--ref <ref>', 'the branch, tag or commit that must contain the import (default: HEAD)')
    .option('--refetch', 'fetch the source and move it again; the same commits must come out')
    .option('--from <address>', 'where the source is now, if not where it was; implies --refetch')
    .option(
      '--source-branch <name>',
      "the branch of the source, if it was renamed; implies --refetch (default: the one that was imported, else the source's default branch)",
    );
  addExamples(command, [
    { line: 'migrate-repo verify left-pad', purpose: 'prove that HEAD contains it, from the record in its merge commit' },
    { line: 'migrate-repo verify left-pad --ref migrate/left-pad', purpose: 'prove the branch of a migration before it is merged' },
    { line: 'migrate-repo verify --all', purpose: 'in CI: fail if a pull request was squashed, and history was lost' },
    { line: 'migrate-repo verify left-pad --refetch --json', purpose: 'compare with the source, for a program' },
  ]);
  command.action(async (name: string | undefined, options: VerifyOptions) => {
    const place = { into: readInto(command, options.into), ref: options.ref };
    if (options.all === true) {
      refuseWithAll(name, options);
      const { runVerifyAll } = await import('./commands.js');
      return runVerifyAll({ ...place, source: options.refetch === true ? 'again' : 'from the record' }, services);
    }
    if (name === undefined) throw noPackage('prove all of them: migrate-repo verify --all');
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
