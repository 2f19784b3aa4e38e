import { faultWarnings, type ObjectFault } from './object-faults.js';
import { findUnportable } from './unportable-paths.js';

/** How much of a source is signed. */
export interface Signatures {
  readonly commits: number;
  readonly ofCommits: number;
  readonly tags: number;
}

/** What of a source may make trouble later, and is no reason to refuse it. */
export interface SourceConcerns {
  readonly name: string;
  readonly faults: readonly ObjectFault[];
  /** `undefined`: they keep. */
  readonly signatures: Signatures | undefined;
  /** Of the last commit, bytes as Latin-1 text. */
  readonly paths: readonly string[];
}

/** Says, in sentences, which machines and servers may refuse what comes, and which signatures end. */
export function sourceWarnings({ name, faults, signatures, paths }: SourceConcerns): readonly string[] {
  const { windows, colliding } = findUnportable(paths);
  return [
    ...faultWarnings(name, faults),
    ...(windows.length === 0 ? [] : [`Windows cannot check out ${counted(windows.length, 'path')} of ${name}: ${shown(windows)}.`]),
    ...(colliding.length === 0
      ? []
      : [
          `Where case and the form of accents do not count (Windows, macOS), ${counted(colliding.length, 'path')} of ${name} ${colliding.length === 1 ? 'is' : 'are'} there more than once: ${shown(colliding.map((group) => group.join(' and ')))}.`,
        ]),
    ...signatureWarning(name, signatures),
  ];
}

function signatureWarning(name: string, signatures: Signatures | undefined): readonly string[] {
  if (signatures === undefined || signatures.commits + signatures.tags === 0) return [];
  const { commits, ofCommits, tags } = signatures;
  const what = [
    ...(commits === 0 ? [] : [`${commits} of ${counted(ofCommits, 'commit')}`]),
    ...(tags === 0 ? [] : [counted(tags, 'tag')]),
  ].join(' and ');
  return [`${what} of ${name} are signed. No signature is valid after the move; "--strategy merge" keeps commits as they are.`];
}

const SHOWN = 3;

function shown(all: readonly string[]): string {
  const first = all.slice(0, SHOWN).map((one) => JSON.stringify(one).slice(1, -1));
  return `${first.join(', ')}${all.length > SHOWN ? ', …' : ''}`;
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
