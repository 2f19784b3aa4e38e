import type { Message } from '../message.js';
import { someOf } from '../text.js';

/** The program that creates the archive. */
export type PackerName = 'npm' | 'Yarn';

/** The change in the files that would be published. */
export interface PackedFilesFinding {
  readonly outcome: 'equal' | 'differs';
  /**
   * Files that are no longer published because the migration removed them, such as lockfiles and CI settings, which no
   * consumer needs. Sorted.
   */
  readonly takenAway: readonly string[];
  /** Files that are no longer published, but still exist. Sorted. */
  readonly missing: readonly string[];
  /** Files that are published now, and were not before. Sorted. */
  readonly added: readonly string[];
  readonly done: Message;
  /** The decision for a person, with the `files` to write into the package.json; `undefined` if there is none. */
  readonly decision: Message | undefined;
}

/** The files that would be published, relative to the folder of the package, in any order. */
export interface PackedFiles {
  readonly packer: PackerName;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** All files of the package after the migration. */
  readonly present: readonly string[];
}

/** Compares what would be published before and after the migration. */
export function comparePackedFiles({ packer, before, after, present }: PackedFiles): PackedFilesFinding {
  const [was, is, there] = [new Set(before), new Set(after), new Set(present)];
  const gone = [...was].filter((file) => !is.has(file)).sort();
  const lists = {
    takenAway: gone.filter((file) => !there.has(file)),
    missing: gone.filter((file) => there.has(file)),
    added: [...is].filter((file) => !was.has(file)).sort(),
  };
  if (gone.length === 0 && lists.added.length === 0)
    return {
      ...lists,
      outcome: 'equal',
      done: { text: `${packer} would publish the same files as before.`, detail: plural(was.size) },
      decision: undefined,
    };
  const difference = differenceOf(gone, lists.added);
  const isHarmless = lists.missing.length === 0 && lists.added.length === 0;
  return {
    ...lists,
    outcome: 'differs',
    done: { text: `${packer} ${isHarmless ? TAKEN_AWAY : OTHERS}`, detail: difference },
    decision: isHarmless ? undefined : decisionOf({ packer, before, present }, differenceOf(lists.missing, lists.added)),
  };
}

const TAKEN_AWAY = 'would publish the same files as before, except those that the migration removed.';

const OTHERS = 'would publish different files than before.';

function decisionOf(packed: Omit<PackedFiles, 'after'>, difference: string): Message {
  return {
    text: `${packed.packer} ${OTHERS.slice(0, -1)}, because of rules above the package. Its own ignore files are unchanged; this entry in its package.json restores the former files.`,
    detail: `${difference}: \`"files": ${JSON.stringify(proposeFiles(packed))}\``,
  };
}

function differenceOf(gone: readonly string[], added: readonly string[]): string {
  return [sayList('no longer', gone), sayList('in addition', added)].filter((part) => part !== undefined).join(' and ');
}

/** Files that npm publishes regardless of `files`. */
const ALWAYS = /^(package\.json|readme(\..*)?|licen[cs]e(\..*)?)$/i;

/**
 * Returns the shortest list of `files` that publishes the same files as before, with whole folders if everything in
 * them was published. Names are escaped for npm, which has no escape for a star. Sorted.
 */
export function proposeFiles({ before, present }: Pick<PackedFiles, 'before' | 'present'>): readonly string[] {
  const wanted = new Set(before.filter((file) => present.includes(file)));
  const unwanted = present.filter((file) => !wanted.has(file));
  const named = [...wanted]
    .filter((file) => !ALWAYS.test(file))
    .map((file) => {
      const folders = foldersAbove(file);
      return folders.find((folder) => !unwanted.some((one) => one.startsWith(`${folder}/`))) ?? file;
    });
  return [...new Set(named.map(escapeName))].sort();
}

function escapeName(name: string): string {
  return name.replace(/[[?]/g, '[$&]').replace(/^!/, '/!');
}

/** Returns the folders above a file, from the top down. */
function foldersAbove(file: string): readonly string[] {
  const names = file.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

function sayList(how: string, files: readonly string[]): string | undefined {
  if (files.length === 0) return undefined;
  return `${plural(files.length)} ${how} (${someOf(files)})`;
}

function plural(count: number): string {
  return count === 1 ? 'one file' : `${count} files`;
}
