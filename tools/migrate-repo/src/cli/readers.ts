import { isToolError, ToolError } from '@tributary/model/errors';
import { branchRef, parseWorkspaceName, type WorkspaceName } from '@tributary/model/ids';

/** The option for the monorepo. */
export const INTO = ['--into <folder>', 'the monorepo, or a folder in it (default: the current folder)'] as const;

/** An address in the place of a name is the first mistake that everybody makes. */
export function readName(text: string): WorkspaceName {
  try {
    return parseWorkspaceName(text);
  } catch (error) {
    if (!isToolError(error)) throw error;
    throw new ToolError({
      code: 'USAGE',
      message: error.message,
      hint: 'Give the name that stands in its package.json; where the repository is goes into --from.',
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
    message: `Invalid kind for --allow-objects: ${JSON.stringify(odd)} is not a name of git fsck.`,
    hint: 'Such as: --allow-objects badTimezone,zeroPaddedFilemode',
  });
}
