/** Whether a glob of `inputs` matches a file; `maybe`: turborepo alone could tell. */
export type Matched = 'yes' | 'no' | 'maybe';

/** A glob of `inputs`, as far as it can be read. */
export interface InputGlob {
  readonly isNegative: boolean;
  /** Without a wildcard. */
  readonly isLiteral: boolean;
  /** Whether it can match files outside of the workspace that it was written for. */
  readonly leaves: boolean;
  /** Paths count from the root of the project. */
  readonly matches: (path: string) => Matched;
}

/**
 * Reads a glob of `inputs` as turborepo does. Read is what the two surely agree on: `*`, `**` for whole folders, `{a,b}`, `../` in front,
 * `$TURBO_ROOT$/`. What else a glob may say (`[a-z]`, `?`, escapes, a folder `node_modules` with its links) matches `maybe`.
 * Source: turborepo 2.11.9, tried with `turbo run --dry=json`; its globs are those of the crate `wax`.
 */
export function parseInputGlob(entry: string, folder: string): InputGlob {
  const isNegative = entry.startsWith('!');
  const written = isNegative ? entry.slice(1) : entry;
  const read = resolve(written, folder);
  const leaves = written.startsWith('$TURBO_ROOT$') || /(?:^|\/)\.\.(?:\/|$)/.test(written);
  if (read === undefined) return { isNegative, isLiteral: false, leaves, matches: () => 'maybe' };
  const { base, glob, isFolder } = read;
  const isLiteral = !/[*{]/.test(glob);
  return { isNegative, isLiteral, leaves, matches: matcherOf({ base, glob, isFolder, isLiteral: isLiteral && !isNegative }) };
}

interface Located {
  /** A folder from the root of the project; `` for the root. */
  readonly base: string;
  /** From there. */
  readonly glob: string;
  /** Behind a slash no file is meant. */
  readonly isFolder: boolean;
}

function resolve(written: string, folder: string): Located | undefined {
  // Behind a wildcard a slash says that folders are meant, though only some that it finds are taken.
  if (!isPlainFolder(folder) || /[*{].*\/$/.test(written)) return undefined;
  const isFromRoot = written.startsWith(ROOT);
  const plain = (isFromRoot ? written.slice(ROOT.length) : written).replace(/^\.\//, '').replace(/\/$/, '');
  const up = isFromRoot ? 0 : (/^(?:\.\.\/)*/.exec(plain)?.[0].length ?? 0) / 3;
  const glob = plain.slice(up * 3);
  const isFolder = written.endsWith('/');
  const parts = folder === '' ? [] : folder.split('/');
  if (isFromRoot) return isReadable(glob) ? { base: '', glob, isFolder } : undefined;
  if (up > parts.length || !isReadable(glob)) return undefined;
  return { base: parts.slice(0, parts.length - up).join('/'), glob, isFolder };
}

const ROOT = '$TURBO_ROOT$/';

/** turborepo puts the folder in front of each glob, and reads wildcards in it as such. */
export function isPlainFolder(folder: string): boolean {
  return /^[\w@+=./-]*$/.test(folder);
}

function isReadable(glob: string): boolean {
  const parts = glob.split('/');
  const isClear = parts.every((part, at) => (part === '**' ? parts[at - 1] !== '**' : CLEAR.test(part) && part !== '.' && part !== '..'));
  const wildcards = glob.match(/\*+/g) ?? [];
  return isClear && wildcards.length <= MOST_WILDCARDS && !parts.includes('node_modules');
}

/** With many of them an expression tries all ways to share a path among them, and does not end. */
const MOST_WILDCARDS = 4;

/** Letters, a star by itself, and braces around plain choices. */
const CLEAR = /^(?:[\w@+=.-]|\*(?!\*)|\{[\w@+=.-]+(?:,[\w@+=.-]+)*\})+$/;

/** Names that nobody reads in another way: git and turborepo would write the others each in its own. */
const PLAIN = /^[ !#-[\]-~]*$/;

function matcherOf({ base, glob, isFolder, isLiteral }: Located & { readonly isLiteral: boolean }): InputGlob['matches'] {
  const whole = new RegExp(`^${expressionOf(glob)}$`);
  // `src/**` may match a file `src`.
  const head = glob.endsWith('/**') ? new RegExp(`^${expressionOf(glob.slice(0, -3))}$`) : undefined;
  return (path) => {
    const seen = relative(base, path);
    if (seen === undefined) return 'no';
    if (!PLAIN.test(path)) return 'maybe';
    if (whole.test(seen)) return isFolder ? 'maybe' : 'yes';
    // Of a folder that it names turborepo takes what lies below, unless the folder was found by a wildcard.
    if (foldersOf(seen).some((folder) => whole.test(folder))) return isLiteral ? 'yes' : 'maybe';
    return head?.test(seen) === true ? 'maybe' : 'no';
  };
}

function relative(base: string, path: string): string | undefined {
  if (base === '') return path;
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : undefined;
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

function expressionOf(glob: string): string {
  const parts = glob.split('/');
  return parts
    .map((part, at) => {
      const isLast = at === parts.length - 1;
      if (part === '**') return isLast ? '[^/]+(?:/[^/]+)*' : '(?:[^/]+/)*';
      return `${partExpression(part)}${isLast ? '' : '/'}`;
    })
    .join('');
}

function partExpression(part: string): string {
  if (part === '*') return '[^/]+';
  return part
    .replace(/[.+]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replace(/\{([^}]*)\}/g, (_, choices: string) => `(?:${choices.replaceAll(',', '|')})`);
}
