/** The first moment of each kind; `Infinity`: never. Moments are line numbers of the trace. */
export interface PathUse {
  read: number;
  /** The same, by git, turborepo or a package manager. */
  readByTool: number;
  found: number;
  absent: number;
  listed: number;
  /** The same, by git, turborepo or a package manager. */
  listedByTool: number;
  /** From here on what is at the path was made, replaced or removed by the command. */
  written: number;
  /** The last moment of all but `written`; 0: never. */
  last: number;
  /** Whether something else got its content by `rename` or `link`, and that of everything below it. */
  moved: boolean;
}

type MomentKind = Exclude<keyof PathUse, 'moved' | 'last'>;

export type PathUses = ReadonlyMap<string, Readonly<PathUse>>;

/** What was done with each absolute path. */
export class UseTable {
  readonly uses = new Map<string, PathUse>();

  at(path: string): PathUse {
    const clean = cleanPath(path);
    const known = this.uses.get(clean);
    if (known !== undefined) return known;
    const use = {
      read: Infinity,
      readByTool: Infinity,
      found: Infinity,
      absent: Infinity,
      listed: Infinity,
      listedByTool: Infinity,
      written: Infinity,
      last: 0,
      moved: false,
    };
    this.uses.set(clean, use);
    return use;
  }

  mark(path: string, kind: MomentKind, moment: number): void {
    const use = this.at(path);
    use[kind] = Math.min(use[kind], moment);
    if (kind !== 'written' && moment !== Infinity) use.last = Math.max(use.last, moment);
  }
}

/** The uses of several tables as if one command had made them all: their moments are of one trace. */
export function mergeUses(tables: readonly PathUses[]): PathUses {
  const merged = new UseTable();
  for (const uses of tables)
    for (const [path, { moved, last, ...moments }] of uses) {
      const use = merged.at(path);
      use.moved ||= moved;
      use.last = Math.max(use.last, last);
      for (const [kind, moment] of Object.entries(moments)) merged.mark(path, kind as keyof typeof moments, moment);
    }
  return merged.uses;
}

/** When the command had surely made what is at a path: the path itself, or a folder above it. */
export function writtenAt(uses: PathUses, path: string): number {
  let first = Infinity;
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) first = Math.min(first, uses.get(at)?.written ?? Infinity);
  return first;
}

/** Joins a path to the folder that it counts from. Dots at its beginning are followed: Linux names a folder without links. */
export function joinPath(folder: string, path: string): string {
  let base = folder;
  let rest = path;
  for (let dots = /^\.\.?(?:\/+|$)/.exec(rest); dots !== null; dots = /^\.\.?(?:\/+|$)/.exec(rest)) {
    if (dots[0].startsWith('..')) base = base.slice(0, base.lastIndexOf('/'));
    rest = rest.slice(dots[0].length);
  }
  return rest === '' ? base || '/' : `${base}/${rest}`;
}

/** Without doubled slashes and dots. Two dots stay: behind a symbolic link they lead elsewhere. */
function cleanPath(path: string): string {
  if (!/\/(\/|\.?$|\.\/)/.test(path)) return path;
  return `/${path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/')}`;
}
