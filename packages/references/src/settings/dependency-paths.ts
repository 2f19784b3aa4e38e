import type { RepoFolder } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import type { KeyedText } from './keyed-text.js';
import { cut } from './place.js';

/**
 * Lists the paths in the range of a dependency; none for versions and tags. Source: `structUtils` of @yarnpkg/core and the plugins file,
 * link, patch and exec of Yarn 4: paths are relative to the manifest's folder, and `~/` and `workspace:` to the root.
 */
export function readRange(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  const { line, key } = value;
  return pathsIn(value.text, folder, 0).map(({ text, base }) => ({ ...cut(text, NEVER), line, key, base, form: 'path' }));
}

/** A range has no patterns. */
const NEVER = /^\0$/;

interface PathIn {
  readonly text: string;
  readonly base: RepoFolder;
}

/** Patches of patches, each encoded once more. */
const MOST_PATCHES = 5;

function pathsIn(range: string, folder: RepoFolder, depth: number): readonly PathIn[] {
  const [, protocol = '', rest = ''] = /^(portal:|link:|file:|exec:|workspace:|patch:)?(.*)$/s.exec(range) ?? [];
  switch (protocol) {
    case 'workspace:':
      return workspaceAt(rest, folder);
    case 'patch:':
      return depth < MOST_PATCHES ? pathsOfPatch(rest, folder, depth) : [];
    case '':
      return /^(\.{1,2}|~)?\//.test(rest) || rest === '.' || rest === '..' ? [pathFrom(rest, folder)] : [];
    default:
      return [pathFrom(rest, folder)];
  }
}

/** `./x#./y::locator=…`: what follows a hash or two colons is data of Yarn. */
function pathFrom(written: string, folder: RepoFolder): PathIn {
  const path = written.replace(/(::|#).*$/s, '').replace(/^\/\//, '');
  return path.startsWith('~/') ? { text: path.slice(2) || '.', base: '' } : { text: path || '.', base: folder };
}

/** Yarn takes a path from the root; pnpm one with dots from the manifest. */
function workspaceAt(written: string, folder: RepoFolder): readonly PathIn[] {
  if (/^([\^~<>=*\s]|[vx]?\d|[vx]?$)|^(@[^/]*\/)?[^/@.]+@/i.test(written)) return [];
  const fromRoot = { text: written, base: '' as const };
  if (!written.startsWith('.') || folder === '') return [fromRoot];
  return written.startsWith('../') ? [{ text: written, base: folder }] : [fromRoot, { text: written, base: folder }];
}

/** `patch:name@npm%3A1.0.0#./a.patch&~/b.patch::version=1`: what it patches is encoded, and may be a path too. */
function pathsOfPatch(rest: string, folder: RepoFolder, depth: number): readonly PathIn[] {
  const [encoded, patches] = splitAt(rest, '#');
  const source = decode(encoded);
  const range = source.slice(source.indexOf('@', 1) + 1);
  const files = patches
    .replace(/::.*$/s, '')
    .split('&')
    .map((file) => file.slice(file.lastIndexOf('!') + 1))
    .filter((file) => file !== '' && !/^~?builtin</.test(file));
  return [...(range === source ? [] : pathsIn(range, folder, depth + 1)), ...files.map((file) => pathFrom(file, folder))];
}

function splitAt(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
