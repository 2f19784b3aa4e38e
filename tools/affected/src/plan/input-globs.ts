import { isOpenEnded } from '@tributary/workspaces/glob';

/** Whether a glob of `inputs` matches a file; `maybe`: only turborepo can tell. */
export type Matched = 'yes' | 'no' | 'maybe';

/** A parsed glob of `inputs`. */
export interface InputGlob {
  readonly isNegative: boolean;
  /** Without a wildcard. */
  readonly isLiteral: boolean;
  /** Whether it can match files outside its workspace. */
  readonly leaves: boolean;
  /** Paths are relative to the project's root. */
  readonly matches: (path: string) => Matched;
}

/**
 * Parses a glob of `inputs`, for the syntax in which this surely agrees with turborepo: `*`, `**` for whole folders, `{a,b}`, a leading
 * `../`, and `$TURBO_ROOT$/`. Other syntax (`[a-z]`, `?`, escapes, a folder `node_modules` with its links) matches `maybe`. Source:
 * turborepo 2.11.9, tried with `turbo run --dry=json`; it uses the globs of the crate `wax`.
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
  /** A folder relative to the project's root; `` for the root. */
  readonly base: string;
  /** Relative to `base`. */
  readonly glob: string;
  /** A trailing slash matches no files. */
  readonly isFolder: boolean;
}

function resolve(written: string, folder: string): Located | undefined {
  // After a wildcard, a trailing slash means folders, but turborepo takes only some of those that match.
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

/** Tells whether a folder has no special characters: turborepo prepends it to each glob, and reads wildcards in it as such. */
export function isPlainFolder(folder: string): boolean {
  return /^[\w@+=./-]*$/.test(folder);
}

function isReadable(glob: string): boolean {
  const parts = glob.split('/');
  const isClear = parts.every((part, at) => (part === '**' ? parts[at - 1] !== '**' : CLEAR.test(part) && part !== '.' && part !== '..'));
  const wildcards = glob.match(/\*+/g) ?? [];
  const isBounded = wildcards.length <= MOST_WILDCARDS && parts.every((part) => part === '**' || part.split('*').length <= MOST_STARS + 1);
  return isClear && isBounded && !isOpenEnded(glob) && !parts.includes('node_modules');
}

/** With many wildcards, an expression tries every way to divide a path among them, and does not end. */
const MOST_WILDCARDS = 4;
/** In one name. */
const MOST_STARS = 2;

/** Letters, single stars, and braces with plain choices. */
const CLEAR = /^(?:[\w@+=.-]|\*(?!\*)|\{[\w@+=.-]+(?:,[\w@+=.-]+)*\})+$/;

/** Names that everybody writes in the same way; git and turborepo write others differently. */
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
    // A glob that names a folder includes everything below, unless a wildcard matched the folder.
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
