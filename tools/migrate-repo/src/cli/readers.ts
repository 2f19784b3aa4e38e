import { resolve } from 'node:path';
import { isToolError, ToolError } from '@tributary/model/errors';
import { branchRef, parseWorkspaceName, type WorkspaceName } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { readCwd } from '@tributary/terminal/global-options';
import type { Command } from 'commander';
import type { ProposalOptions } from '../run/prepare-proposal.js';

/** The option for the monorepo. */
export const INTO = ['--into <folder>', 'folder in the monorepo (default: current folder)'] as const;

/** Returns a package name. Its hint covers the most common mistake: an address instead of a name. Throws `USAGE`. */
export function readName(text: string): WorkspaceName {
  try {
    return parseWorkspaceName(text);
  } catch (error) {
    if (!isToolError(error)) throw error;
    throw new ToolError({
      code: 'USAGE',
      message: error.message,
      hint: 'Give the name from its package.json; pass the address of the repository with --from.',
      data: error.data,
    });
  }
}

/** Returns a branch name. Throws `USAGE` for an invalid one. */
export function readBranch(name: string | undefined): string | undefined {
  if (name !== undefined) branchRef(name);
  return name;
}

/**
 * Returns the kinds for `--allow-objects`, in lower case. A kind that git does not know is accepted, because a newer
 * git may know it. Throws `USAGE`.
 */
export function readKinds(given: string | undefined): ReadonlySet<string> {
  const kinds = (given ?? '').split(',').map((kind) => kind.trim());
  const odd = given === undefined ? undefined : kinds.find((kind) => !/^[a-z]+$/i.test(kind));
  if (odd === undefined) return new Set(given === undefined ? [] : kinds.map((kind) => kind.toLowerCase()));
  throw new ToolError({
    code: 'USAGE',
    message: `Invalid kind for --allow-objects: ${JSON.stringify(odd)} is not a message id of git fsck.`,
    hint: 'Such as: --allow-objects badTimezone,zeroPaddedFilemode',
  });
}

/** Options of the pull request for a new branch. */
export interface ProposalFlags {
  readonly pullRequest?: true;
  readonly remote?: string;
  readonly base?: string;
}

/** Adds the options that `readProposal` reads. */
export function addProposalOptions(command: Command): Command {
  return command
    .option(
      '--pull-request',
      'push the new branch, and open or update its pull request on GitHub; the token comes from GITHUB_TOKEN or GH_TOKEN',
    )
    .option('--remote <name>', 'remote of the monorepo for --pull-request (default: origin)')
    .option('--base <branch>', "target branch of --pull-request (default: the remote's default branch)");
}

/** Returns the options of the pull request; `undefined` if none is requested. Throws `USAGE`. */
export function readProposal({ pullRequest, remote, base }: ProposalFlags): ProposalOptions | undefined {
  if (pullRequest === true) return { remote: remote ?? 'origin', base: readBranch(base) };
  const wrong = remote !== undefined ? '--remote' : base !== undefined ? '--base' : undefined;
  if (wrong === undefined) return undefined;
  throw new ToolError({
    code: 'USAGE',
    message: `${wrong} works only with --pull-request.`,
    hint: `Add --pull-request, or leave out ${wrong}.`,
  });
}

/** Returns the error for a command line without a package. */
export function noPackage(instead: string): ToolError {
  return new ToolError({
    code: 'USAGE',
    message: 'Missing package name.',
    hint: `Name one, or ${instead}`,
  });
}

export function readInto(command: Command, into: string | undefined): AbsolutePath {
  return parseAbsolutePath(resolve(readCwd(command), into ?? '.'));
}

/** Throws `USAGE` if `--all` is combined with an argument that is for one package. */
export function refuseWithAll(
  name: string | undefined,
  { from, sourceBranch }: { readonly from?: string; readonly sourceBranch?: string },
): void {
  const wrong =
    name !== undefined ? `"${name}"` : from !== undefined ? '--from' : sourceBranch !== undefined ? '--source-branch' : undefined;
  if (wrong === undefined) return;
  throw new ToolError({
    code: 'USAGE',
    message: `${wrong} cannot be combined with --all.`,
    hint: 'Give a package name or --all, not both.',
  });
}
