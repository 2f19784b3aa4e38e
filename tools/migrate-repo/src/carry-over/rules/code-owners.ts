import type { RepoPath } from '@tributary/model/paths';
import { type FencedBlock, isFence, withBlock } from '../../edit/fence.js';
import { someOf } from '../../text.js';
import { escapePath, prefixPattern } from '../git-pattern.js';
import { type CarryOverRule, dropped, type FileNote, firstOf, kept, type RuleOutcome, type RuleSubject, without } from '../rule.js';

/** The places in GitHub's order. Only the first existing file is used. */
const PLACES = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'];

export const codeOwners: CarryOverRule = {
  title: 'Code owners',
  matches: [...PLACES, '.gitlab/CODEOWNERS'],
  action: 'merge',
  reason: 'GitHub reads one file for the whole repository; every file keeps its owner; one without gets the owner that the root has for it',
  inherits: true,
  apply: mergeOwners,
};

function mergeOwners(subject: RuleSubject): RuleOutcome {
  const used = PLACES.find((place) => subject.files.includes(place)) ?? subject.files[0] ?? '';
  const text = subject.read(used);
  const unused = subject.files.filter((file) => file !== used);
  const sections = text === undefined ? [] : sectionsOf(text);
  if (text === undefined || used.startsWith('.gitlab/') || sections.length > 0)
    return { edits: new Map(), notes: subject.files.map((file) => notMerged(file, sections)) };
  const root = firstOf(subject, PLACES) ?? ('.github/CODEOWNERS' as RepoPath);
  const before = subject.monorepo.read(root) ?? '';
  const edits = new Map([...without(subject, subject.files), [root, withBlock(before, ownersBlock(subject, text))] as const]);
  const owners = ownersIn(text).filter((owner) => !ownersIn(before).includes(owner));
  const merged: FileNote = {
    file: used,
    action: 'merge',
    done: { text: `Its patterns were added to \`${root}\`, for the folder of the package.` },
    remarks: owners.length === 0 ? [] : [{ ...ACCESS, detail: someOf(owners) }],
  };
  const others = unused.map((file) => dropped(file, 'It was removed: GitHub did not use it, because another one takes precedence.'));
  return { edits, notes: [merged, ...others] };
}

const ACCESS = { text: 'Check that these owners can write to the monorepo: GitHub ignores those that cannot.' };

function notMerged(file: string, sections: readonly string[]): FileNote {
  return sections.length > 0
    ? kept(file, {
        topic: 'workflows',
        text: 'It has GitLab sections, whose rules apply independently, and nothing reads it here: carry its owners over by hand.',
        detail: someOf(sections),
      })
    : kept(file, {
        topic: 'workflows',
        text: 'Neither GitHub nor another tool reads it here: carry its owners over by hand.',
      });
}

function ownersBlock({ importedPackage }: RuleSubject, text: string): FencedBlock {
  const folder = importedPackage.path;
  const written = text.split(/\r?\n/).map((line) => ({ line, entry: parseOwnersLine(line) }));
  const firstOwned = written.findIndex(({ entry }) => entry !== undefined && entry.owners.length > 0);
  const patternsFrom = (at: number): readonly (string | undefined)[] => written.slice(at).map(({ entry }) => entry?.pattern);
  const lines = written.flatMap(({ line, entry }, at) => {
    if (entry === undefined) return line.trimStart().startsWith('#') && !isFence(line) ? [line.trim()] : [];
    // "/" matches nothing, and its rewritten form would match everything.
    if (entry.pattern === '/') return [];
    // Without an owner of the package to take away, it would take away that of the root.
    const takesFromRoot = entry.owners.length === 0 && (firstOwned === -1 || at < firstOwned);
    const later = patternsFrom(at + 1);
    if (takesFromRoot || later.includes(entry.pattern) || later.includes('*')) return [];
    return [`${[patternAtRoot(entry.pattern, folder), ...entry.owners].join(' ')}${entry.comment}`];
  });
  return { name: importedPackage.name, lines };
}

function patternAtRoot(pattern: string, folder: RepoPath): string {
  if (pattern === '*') return `/${escapePath(folder)}/`;
  // `**/` matches everything in any folder.
  return /^\/?(\*\*\/)+$/.test(pattern) ? `/${escapePath(folder)}/*/` : prefixPattern(pattern, folder);
}

/** A line of a CODEOWNERS file. */
export interface OwnersLine {
  readonly pattern: string;
  /** Empty if the matching files have no owner. */
  readonly owners: readonly string[];
  /** With the space before it; empty if there is none. */
  readonly comment: string;
}

/** Parses a line; `undefined` for an empty line or a comment. */
export function parseOwnersLine(line: string): OwnersLine | undefined {
  const [, written = '', comment = ''] = /^((?:\\.|[^\s#\\]|\s(?!#)|(?<=\S)#)*)(\s*#.*)?\s*$/s.exec(line.replace(/^\uFEFF/, '')) ?? [];
  const [pattern, ...owners] = written.trim().match(/(?:\\.|[^\s\\])+/gs) ?? [];
  return pattern === undefined || pattern.startsWith('#')
    ? undefined
    : { pattern, owners, comment: comment.trimEnd().replace(/^\s+/, ' ') };
}

function ownersIn(text: string): readonly string[] {
  return [...new Set(text.split(/\r?\n/).flatMap((line) => parseOwnersLine(line)?.owners ?? []))];
}

/** Returns the headings of GitLab's sections: `[Docs]`, `^[Optional][2] @team`. */
function sectionsOf(text: string): readonly string[] {
  return text.split(/\r?\n/).flatMap((line) => /^\^?\[[^\]]+\](?=\[|\s|$)/.exec(line.trim())?.[0] ?? []);
}
