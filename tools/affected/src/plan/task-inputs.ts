import { type InputGlob, isPlainFolder, type Matched, parseInputGlob } from './input-globs.js';

/** Whether turborepo hashes a file for a task; `unknown`: only turborepo itself can tell. */
export type Hashed = 'hashed' | 'not-hashed' | 'unknown';

/** The `inputs` of a task as in turbo.json; `unknown`: of another type, or inherited from an unknown place. */
export type DeclaredInputs = readonly string[] | 'unknown';

/** The files that turborepo hashes for a task of one workspace. */
export interface TaskInputs {
  /** Whether it hashes every file of the workspace. */
  readonly isWhole: boolean;
  /** Whether it may hash files of other workspaces. */
  readonly leaves: boolean;
  /** For a path relative to the project's root. */
  readonly hashed: (path: string) => Hashed;
}

/**
 * Reads the inputs of a task of the workspace in `folder`. It never reports `hashed` for a file that turborepo does not hash, nor
 * `not-hashed` for one that it does. Source: turborepo 2.11.9; without inputs every tracked file counts, and with only globs also
 * package.json and turbo.json.
 */
export function readTaskInputs(declared: DeclaredInputs, folder: string): TaskInputs {
  const isDefault = declared !== 'unknown' && (declared.length === 0 || declared.includes(DEFAULT));
  if (declared === 'unknown' || !(isDefault || isPlainFolder(folder))) return { isWhole: false, leaves: true, hashed: () => 'unknown' };
  const globs = declared.filter((entry) => entry !== DEFAULT).map((entry) => parseInputGlob(entry, folder));
  const excludes = globs.filter(({ isNegative }) => isNegative);
  const includes = globs.filter(({ isNegative }) => !isNegative);
  return {
    isWhole: isDefault && excludes.length === 0,
    leaves: includes.some(({ leaves }) => leaves),
    hashed: (path) => {
      const isOwn = folder === '' || path.startsWith(`${folder}/`);
      const excluded = matchedBy(excludes, path);
      const isAlways = !isDefault && isOwn && ALWAYS.has(folder === '' ? path : path.slice(folder.length + 1));
      if (isAlways) return excluded === 'no' ? 'hashed' : 'unknown';
      return decide({ path, isByDefault: isDefault && isOwn, includes, excluded });
    },
  };
}

const DEFAULT = '$TURBO_DEFAULT$';
const ALWAYS: ReadonlySet<string> = new Set(['package.json', 'turbo.json']);

interface Question {
  readonly path: string;
  readonly isByDefault: boolean;
  readonly includes: readonly InputGlob[];
  readonly excluded: Matched;
}

function decide({ path, isByDefault, includes, excluded }: Question): Hashed {
  const included = isByDefault ? 'yes' : matchedBy(includes, path);
  if (included === 'no') return 'not-hashed';
  if (included === 'yes' && excluded === 'no') return 'hashed';
  // A literally named file takes precedence over a negated glob, but only in some notations.
  const named = includes.filter(({ isLiteral }) => isByDefault || isLiteral);
  return excluded === 'yes' && matchedBy(named, path) === 'no' && matchedBy(includes, path) !== 'maybe' ? 'not-hashed' : 'unknown';
}

function matchedBy(globs: readonly InputGlob[], path: string): Matched {
  const matches = new Set(globs.map((glob) => glob.matches(path)));
  return matches.has('yes') ? 'yes' : matches.has('maybe') ? 'maybe' : 'no';
}
