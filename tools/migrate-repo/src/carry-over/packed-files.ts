import type { Message } from '../message.js';

/** Who makes the archive. */
export type PackerName = 'npm' | 'Yarn';

/** What became of the files that would be published. */
export interface PackedFilesFinding {
  readonly outcome: 'equal' | 'differs';
  /** What would not be published any more, and was taken away by the migration: nobody needs a lockfile or a setting of CI in a package. Sorted. */
  readonly takenAway: readonly string[];
  /** What would not be published any more, and is still there. Sorted. */
  readonly missing: readonly string[];
  /** What would be published now, and was not before. Sorted. */
  readonly added: readonly string[];
  readonly done: Message;
  /** What a person must decide, with the `files` to write into the package.json; `undefined`: nothing. */
  readonly decision: Message | undefined;
}

/** The lists of files that would be published, from the folder of the package, in any order. */
export interface PackedFiles {
  readonly packer: PackerName;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** All files that the package has after the migration. */
  readonly present: readonly string[];
}

/** Compares what would be published before the migration and after it. */
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

/** What npm publishes whatever `files` says. */
const ALWAYS = /^(package\.json|readme(\..*)?|licen[cs]e(\..*)?)$/i;

/**
 * The shortest list of `files` that publishes what was published: whole folders where all that is in them was. Names are
 * escaped as npm reads them; for a star it knows no way. Sorted.
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

/** From the top down. */
function foldersAbove(file: string): readonly string[] {
  const names = file.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

const SHOWN = 5;

function sayList(how: string, files: readonly string[]): string | undefined {
  if (files.length === 0) return undefined;
  const shown = files.length <= SHOWN ? files.join(', ') : `${files.slice(0, SHOWN).join(', ')} and ${files.length - SHOWN} more`;
  return `${plural(files.length)} ${how} (${shown})`;
}

function plural(count: number): string {
  return count === 1 ? 'one file' : `${count} files`;
}
