import { isPlainObject } from '@tributary/model/plain-object';
import { conflictLine } from '@tributary/workspaces/file-text';
import { readJson } from '@tributary/workspaces/json';
import compare from 'semver/functions/compare.js';
import valid from 'semver/functions/valid.js';
import type { LockfileName } from './main-commit.js';

/**
 * The versions that a lockfile resolves packages to: of Yarn 1, Yarn 2 and later, npm, or pnpm. Of several of one package the highest. `wanted`: which packages. A text that cannot be read as a lockfile has a
 * problem, a sentence that begins with file and line.
 */
export function lockedVersions(
  file: { readonly name: LockfileName; readonly text: string },
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, string> | LockProblem {
  const found = new Map<string, string>();
  const add = (name: string, text: string): void => {
    const version = wanted.has(name) ? valid(text) : null;
    const before = found.get(name);
    if (version !== null && (before === undefined || compare(version, before) > 0)) found.set(name, version);
  };
  const flaw = read(file, add);
  return flaw === undefined ? found : { problem: `${file.name}:${flaw.line}: ${flaw.problem}.` };
}

export interface LockProblem {
  readonly problem: string;
}

interface Flaw extends LockProblem {
  readonly line: number;
}

type Add = (name: string, version: string) => void;

function read({ name, text }: { readonly name: LockfileName; readonly text: string }, add: Add): Flaw | undefined {
  const conflict = conflictLine(text);
  if (conflict !== undefined) return { problem: 'it has the conflict markers of a merge that was not finished', line: conflict };
  if (name === 'yarn.lock') return readYarn(text, add);
  return name === 'pnpm-lock.yaml' ? readPnpm(text, add) : readNpm(text, add);
}

/** `/ui/1.2.3_react@18.0.0:`, `/ui@1.2.3(react@18.0.0):`, `'@acme/ui@1.2.3':`, as versions 5, 6 and 9 of the file have it. */
function readPnpm(text: string, add: Add): Flaw | undefined {
  if (!/^'?lockfileVersion'?:/m.test(text)) return { problem: 'it is no lockfile, for it has no version', line: 1 };
  const start = text.search(/^packages:/m);
  const packages = start === -1 ? '' : text.slice(start);
  for (const [, name = '', version = ''] of packages.matchAll(/^ {2}['"]?\/?((?:@[^/\s]+\/)?[^@/\s]+)[@/](\d[^\s(_'":]*)/gm))
    add(name, version);
  return undefined;
}

function readYarn(text: string, add: Add): Flaw | undefined {
  if (/^__metadata:/m.test(text)) return readBerry(text, add);
  // `"d3-array@1 - 2", d3-array@^1.1:`, and two spaces in `version "1.2.4"`.
  for (const [, key = '', version = ''] of text.matchAll(/^([^\s#][^\n]*):\r?\n {2}version "([^"\n]*)"/gm)) {
    for (const descriptor of key.split(/,\s*/)) {
      const [, name = '', alias] = /^"?(@?[^@"]+)@(?:npm:(@?[^@"]+)@)?/.exec(descriptor) ?? [];
      add(alias ?? name, version);
    }
  }
  return /^# yarn lockfile v1/m.test(text) ? undefined : { problem: 'it is no lockfile, by what Yarn 1 and later ones write', line: 1 };
}

/** A patched package is the one that was patched. */
function readBerry(text: string, add: Add): undefined {
  for (const [, name = '', version = '', patched = ''] of text.matchAll(
    /^ {2}resolution: "(@?[^@"\n]+)@(?:npm:([^":\n]+)[^"\n]*|patch:[^#"\n]*?@npm%3A([^#"\n%]+)[^"\n]*)"/gm,
  ))
    add(name, version === '' ? patched : version);
}

function readNpm(text: string, add: Add): Flaw | undefined {
  const reading = readJson(text);
  if ('problem' in reading) return reading;
  const lock = reading.value;
  if (!isPlainObject(lock)) return { problem: 'it must hold a JSON object', line: 1 };
  if (isPlainObject(lock['packages'])) {
    for (const [path, entry] of Object.entries(lock['packages'])) {
      const place = path.lastIndexOf('node_modules/');
      if (place === -1 || !isPlainObject(entry) || entry['link'] === true) continue;
      const name = typeof entry['name'] === 'string' ? entry['name'] : path.slice(place + 'node_modules/'.length);
      if (typeof entry['version'] === 'string') add(name, entry['version']);
    }
    return undefined;
  }
  readNested(lock['dependencies'], add);
  const isLock = 'lockfileVersion' in lock || 'dependencies' in lock;
  return isLock ? undefined : { problem: 'it is no lockfile, for it has neither a version nor dependencies', line: 1 };
}

/** As npm wrote it before version 7. */
function readNested(dependencies: unknown, add: Add): void {
  if (!isPlainObject(dependencies)) return;
  for (const [name, entry] of Object.entries(dependencies)) {
    if (!isPlainObject(entry) || typeof entry['version'] !== 'string') continue;
    const [, alias, version] = /^npm:(@?[^@]+)@(.*)$/.exec(entry['version']) ?? [];
    add(alias ?? name, version ?? entry['version']);
    readNested(entry['dependencies'], add);
  }
}
