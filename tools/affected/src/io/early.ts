import { resolve } from 'node:path';
import { parseRevision } from '@tributary/git/changeset';
import { type Git, plumbing } from '@tributary/git/git';
import { isToolError } from '@tributary/model/errors';
import { parseAbsolutePath } from '@tributary/model/paths';
import { locate, type Place } from './locate.js';
import { type Reading, startReading } from './reading.js';

/** A reading that was started on a guess. */
export interface EarlyReading {
  readonly cwd: string;
  readonly base: string;
  readonly head: string;
  readonly place: Place;
  readonly git: Git;
  readonly reading: Reading;
}

/**
 * Guesses from the raw command line what will be asked of git, and asks it at once: it answers while the command line is still being
 * parsed, a quarter of the whole time. A guess and no more: who uses the result compares its base, head and folder with what was really
 * asked for, and a guess that is wrong is thrown away. Never throws.
 */
export function startEarly(argv: readonly string[]): EarlyReading | undefined {
  const base = optionOf(argv, '--base');
  if (
    base === undefined ||
    argv.some((word) => /^(-h|--help|-V|--version|--files-from.*|--pull-request.*|why|graph|check|replay)$/.test(word))
  )
    return undefined;
  const head = optionOf(argv, '--head') ?? 'HEAD';
  try {
    const cwd = resolve(optionOf(argv, '--cwd') ?? '.');
    const place = locate(parseAbsolutePath(cwd));
    const git = plumbing(place.gitDir);
    const reading = startReading(git, place, { base: parseRevision(base), head: parseRevision(head) });
    return { cwd, base, head, place, git, reading };
  } catch (error) {
    // It will be said when it is asked again.
    if (isToolError(error)) return undefined;
    throw error;
  }
}

function optionOf(argv: readonly string[], option: string): string | undefined {
  const at = argv.findIndex((word) => word === option || word.startsWith(`${option}=`));
  const word = argv[at];
  return word === option ? argv[at + 1] : word?.slice(option.length + 1);
}

/** Of this process, begun when this module is loaded: before the libraries that parse the command line. */
export const early = startEarly(process.argv.slice(2));
