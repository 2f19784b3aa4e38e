import { nameAsText } from '@tributary/git/tree';

/** Paths that not every machine can check out, by reason. Relative to the imported folder, sorted. */
export interface UnportablePaths {
  /** Names that Windows rejects or changes. */
  readonly windows: readonly string[];
  /** Groups of paths that are equal if case or the form of accents is ignored. */
  readonly colliding: readonly (readonly string[])[];
}

/**
 * Whether git refuses to check out a name: it leaves its folder, or some file system takes it for `.git`. `name` is one
 * part of a path, as text; `mode` as in a tree. Source: `verify_path`, `is_ntfs_dotgit` and `is_hfs_dotgit` of git,
 * each with its protection enabled.
 */
export function isUnsafeName(name: string, mode: string): boolean {
  if (name === '' || name === '.' || name === '..') return true;
  const plain = name.replace(IGNORED_BY_HFS, '');
  if (/^\.git$/i.test(plain) || DOT_GIT_OF_NTFS.test(name)) return true;
  return mode === LINK && (/^\.gitmodules$/i.test(plain) || GITMODULES_OF_NTFS.test(name));
}

const LINK = '120000';
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** Includes the short name, and what NTFS removes from the end of a name. A backslash ends a name there. */
const DOT_GIT_OF_NTFS = /(?:^|\\)(?:\.git|git~1)[. ]*(?:$|[\\:])/i;
const GITMODULES_OF_NTFS = /^(?:\.gitmodules|gitmod~[1-4]|gi7eba~\d)[. ]*(?:$|:)/i;

/**
 * Returns paths that Windows or macOS cannot check out. `paths` are bytes as Latin-1 text. Paths that no machine can
 * check out are not included.
 */
export function findUnportable(paths: readonly string[]): UnportablePaths {
  const names = paths.map(nameAsText);
  return { windows: names.filter((path) => path.split('/').some(isRefusedByWindows)).sort(), colliding: findColliding(names) };
}

// Source: "Naming Files, Paths, and Namespaces" of the Windows documentation.
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:[.:]|$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const REFUSED = /[<>:"|?*\\\u0000-\u001f]|[. ]$/;

function isRefusedByWindows(name: string): boolean {
  return DEVICE.test(name) || REFUSED.test(name);
}

/** Returns colliding paths. A file and a folder of another path must not collide either. */
function findColliding(paths: readonly string[]): readonly (readonly string[])[] {
  const groups = new Map<string, Set<string>>();
  for (const path of paths) {
    const key = folded(path);
    groups.set(key, (groups.get(key) ?? new Set()).add(path));
  }
  for (const path of paths)
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) groups.get(folded(path.slice(0, at)))?.add(path.slice(0, at));
  return [...groups.values()].filter(({ size }) => size > 1).map((group) => [...group].sort());
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
