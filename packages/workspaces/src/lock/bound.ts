import type { RepoFolder } from '@tributary/model/paths';
import { resolveFolder } from '../folders.js';
import { endOfLine } from './lines.js';

/** A name that leads to a path: what `portal:`, `link:`, `file:` and `exec:` stand for in a lockfile. */
export interface BoundPath {
  readonly name: string;
  /** From the root of the project. */
  readonly folder: RepoFolder;
}

/** `lib@portal:../lib::locator=app%40workspace%3Aapp` -> lib, `lib`. `undefined` for every other descriptor and locator. */
export function readBoundPath(descriptor: string): BoundPath | undefined {
  // Nearly all have none, and the expression below takes its time to find that out.
  if (!descriptor.includes('locator=')) return undefined;
  const [, name, path = '', locator = ''] =
    /^(.[^@]*)@(?:portal|link|file|exec):(.*?)(?:#.*?)?::.*?locator=.*?%40workspace%3A([^&]*)/s.exec(descriptor) ?? [];
  const from = name === undefined ? undefined : resolveFolder('', decode(locator));
  const folder = from === undefined ? undefined : resolveFolder(from, path);
  return name === undefined || folder === undefined ? undefined : { name, folder };
}

/** The descriptors of what is bound to a path, in the keys of a lockfile. */
export function boundKeys(text: string): readonly string[] {
  const keys: string[] = [];
  // A rare sign; the words themselves would take the search four times as long.
  for (let at = text.indexOf('='); at !== -1; at = text.indexOf('=', at + 1)) {
    if (!text.startsWith('::locator', at - '::locator'.length)) continue;
    const start = text.lastIndexOf('\n', at) + 1;
    // The whole line is read at once.
    at = endOfLine(text, at);
    // In its long form the colon stands on the next line.
    const key = text[start] === '"' ? text.slice(start + 1, at - 2) : text.startsWith('? "', start) ? text.slice(start + 3, at - 1) : '';
    if (key !== '') for (const one of key.split(', ')) keys.push(one);
  }
  return keys;
}

/** Where such descriptors lead. */
export function foldersOf(bound: readonly string[]): readonly RepoFolder[] {
  return bound.flatMap((key) => readBoundPath(key)?.folder ?? []);
}

/** As written where it is not encoded as Yarn would. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
