import type { RepoPath } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import { readReferences } from '../read-references.js';

/**
 * FOR TESTS. Returns what a file refers to, without keys: `../x`, `../x/*` for a pattern, `module react`, `text ../x`, `/x` for a path from
 * the root if the file is deeper, `for @m/d: ../x` with a reader.
 */
export function namesIn(path: string, content: string | object): readonly string[] {
  return keyedNames(path, content).map(([, name]) => name);
}

/** FOR TESTS. Returns the same with keys. */
export function keyedNames(path: string, content: string | object): readonly (readonly [key: string, name: string])[] {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const folder = parentFolder(path);
  return readReferences(path as RepoPath, text).names.flatMap((name): readonly (readonly [string, string])[] => {
    const form = name.form === 'path' ? '' : `${name.form} `;
    if (!('key' in name)) return [['', `${form}${name.specifier}`]];
    const from = name.base === folder ? '' : `/${name.base === '' ? '' : `${name.base}/`}`;
    const reader = name.reader === undefined ? '' : `for ${name.reader}: `;
    const written = `${name.specifier}${name.isPattern ? '/*' : ''}`;
    const further = name.otherwise === undefined ? [] : [[name.key, `${form}/${written}`] as const];
    return [[name.key, `${reader}${form}${from}${written}`], ...further];
  });
}

/** FOR TESTS. Returns the folders that unreadable parts of a file may reach. */
export function opaqueIn(path: string, content: string): readonly string[] {
  return readReferences(path as RepoPath, content).opaque.map(({ folder }) => folder);
}

/** FOR TESTS. Returns `a|b:2` for each setting: the packages that its tool looks for, and its line. */
export function meantIn(path: string, text: string): string {
  const found = new Map<string, string[]>();
  for (const name of readReferences(path as RepoPath, text).names) {
    if (!('key' in name) || name.isGuess === true || name.form !== 'module') continue;
    const place = `${name.key}:${name.line}`;
    found.set(place, [...(found.get(place) ?? []), name.specifier]);
  }
  return [...found].map(([place, names]) => `${names.join('|')}${place.slice(place.lastIndexOf(':'))}`).join(', ');
}
