import { ToolError } from '@tributary/model/errors';
import type { ObjectId } from '@tributary/model/ids';
import type { RepoUrl } from '@tributary/model/repo-url';

/** A kind of malformed objects in a source, named as in `git fsck --strict`. */
export interface ObjectFault {
  /** `badTimezone`, `zeroPaddedFilemode`. */
  readonly kind: string;
  readonly count: number;
  /** Some of the objects. */
  readonly examples: readonly ObjectId[];
}

/**
 * The kinds that a server with `receive.fsckObjects` rejects: git's errors, and its warnings, which count as errors
 * there. Kinds of newer git versions are missing here, and count as rejected too. Source: fsck.h of git 2.52.
 */
export const REFUSED_KINDS = [
  ...['badDate', 'badDateOverflow', 'badEmail', 'badName', 'badObjectSha1', 'badParentSha1', 'badTimezone', 'badTree', 'badTreeSha1'],
  ...['badType', 'duplicateEntries', 'missingAuthor', 'missingCommitter', 'missingEmail', 'missingNameBeforeEmail', 'missingObject'],
  ...['missingSpaceBeforeDate', 'missingSpaceBeforeEmail', 'missingTag', 'missingTagEntry', 'missingTree', 'missingType'],
  ...['missingTypeEntry', 'multipleAuthors', 'treeNotSorted', 'unknownType', 'zeroPaddedDate', 'gitmodulesMissing', 'gitmodulesBlob'],
  ...['gitmodulesLarge', 'gitmodulesName', 'gitmodulesSymlink', 'gitmodulesUrl', 'gitmodulesPath', 'gitmodulesUpdate'],
  ...['gitattributesMissing', 'gitattributesLarge', 'gitattributesLineLength', 'gitattributesBlob'],
  ...['emptyName', 'fullPathname', 'hasDot', 'hasDotdot', 'hasDotgit', 'nullSha1', 'zeroPaddedFilemode', 'nulInCommit', 'largePathname'],
] as const;

/** Kinds that are only information to git. */
const ACCEPTED_KINDS = new Set(
  [
    ...['badFilemode', 'badTagName', 'missingTaggerEntry', 'gitmodulesParse', 'gitignoreSymlink', 'gitattributesSymlink', 'mailmapSymlink'],
    ...['extraHeaderEntry'],
  ].map((kind) => kind.toLowerCase()),
);

/** Throws `SOURCE_FAULTY_OBJECTS` for objects that a server rejects, unless their kind is allowed (in lower case). */
export function refuseFaults(
  faults: readonly ObjectFault[],
  { url, allowed }: { readonly url: RepoUrl; readonly allowed: ReadonlySet<string> },
): void {
  const refused = faults.filter(({ kind }) => isRefused(kind) && !allowed.has(kind.toLowerCase()));
  if (refused.length === 0) return;
  const kinds = refused.map(({ kind }) => kind);
  throw new ToolError({
    code: 'SOURCE_FAULTY_OBJECTS',
    message: `${url} has malformed objects, which servers with receive.fsckObjects reject: ${refused.map(describeFault).join('; ')}.`,
    hint: `If your server accepts them: --allow-objects ${kinds.join(',')}. Otherwise correct them in the source first, with git filter-repo.`,
    data: { faults: refused },
  });
}

/** Returns warnings about malformed objects that are imported. */
export function faultWarnings(name: string, faults: readonly ObjectFault[]): readonly string[] {
  const tell = (some: readonly ObjectFault[], text: string): readonly string[] =>
    some.length === 0 ? [] : [`${name} has malformed objects, ${text}: ${some.map(describeFault).join('; ')}.`];
  return [
    ...tell(
      faults.filter(({ kind }) => isRefused(kind)),
      'which you allowed; servers with receive.fsckObjects reject them',
    ),
    ...tell(
      faults.filter(({ kind }) => !isRefused(kind)),
      'which git warns about but servers accept',
    ),
  ];
}

function isRefused(kind: string): boolean {
  return !ACCEPTED_KINDS.has(kind.toLowerCase());
}

const SHOWN = 3;

function describeFault({ kind, count, examples }: ObjectFault): string {
  const shown = examples.slice(0, SHOWN).map((id) => id.slice(0, 10));
  return `${count} ${kind} (${shown.join(', ')}${count > shown.length ? ', …' : ''})`;
}
