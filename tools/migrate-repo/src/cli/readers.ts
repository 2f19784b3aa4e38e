import { resolve } from 'node:path';
import { isToolError, ToolError } from '@tributary/model/errors';
import { branchRef, parseWorkspaceName, type WorkspaceName } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { readCwd } from '@tributary/terminal/global-options';
import type { Command } from 'commander';
import type { ProposalOptions } from '../run/prepare-proposal.js';

/** The option for the monorepo. */
export const INTO = ['--into <folder>', 'folder in the monorepo (default: current folder)'] as const;

/** An address in the place of a name is the first mistake that everybody makes. */
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

/** Throws `USAGE` for what cannot be a branch. */
export function readBranch(name: string | undefined): string | undefined {
  if (name !== undefined) branchRef(name);
  return name;
}

/** Names that no git has allow nothing, as it would be with a newer one. */
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

/** `undefined`: no pull request is wanted. Throws `USAGE`. */
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

/** The refusal of a command line that names no package. */
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

/** Refuses what names one package beside --all. Throws `USAGE`. */
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
