import { MOST_PATHS } from './hook-record.js';

/** The first moment of each kind of use; `Infinity`: never. Moments are line numbers of the trace. */
export interface PathUse {
  read: number;
  /** The same, by git, turborepo or a package manager. */
  readByTool: number;
  found: number;
  /** The same, by git, turborepo or a package manager. */
  foundByTool: number;
  absent: number;
  listed: number;
  /** The same, by git, turborepo or a package manager. */
  listedByTool: number;
  /** From this moment, the command has created, replaced or removed the path. */
  written: number;
  /** The last moment of any use except `written`; 0: never. */
  last: number;
  /** The last moment of `written`; 0: never. */
  lastWritten: number;
  /** Whether `rename` or `link` gave its content, and that of everything below, to another path. */
  moved: boolean;
}

type MomentKind = Exclude<keyof PathUse, 'moved' | 'last' | 'lastWritten'>;

export type PathUses = ReadonlyMap<string, Readonly<PathUse>>;

/** How many uses several tables may still keep together. */
export interface Room {
  left: number;
}

/** Returns the room for all test files of a task, each of which has a table of its own. */
export function roomOfTask(): Room {
  return { left: 2 * MOST_PATHS };
}

/** The uses of each absolute path. It keeps at most `most`, and what has room, because a trace names as many as a command likes. */
export class UseTable {
  readonly uses = new Map<string, PathUse>();
  /** Whether there were more. */
  isFull = false;
  private readonly most: number;
  private readonly room: Room;

  constructor(most = MOST_PATHS, room: Room = { left: Infinity }) {
    this.most = most;
    this.room = room;
  }

  at(path: string): PathUse {
    const clean = cleanPath(path);
    const known = this.uses.get(clean);
    if (known !== undefined) return known;
    const use = newUse();
    if (this.uses.size >= this.most || this.room.left <= 0) {
      this.isFull = true;
      return use;
    }
    this.room.left--;
    this.uses.set(clean, use);
    return use;
  }

  mark(path: string, kind: MomentKind, moment: number): void {
    const use = this.at(path);
    use[kind] = Math.min(use[kind], moment);
    if (kind === 'written') use.lastWritten = Math.max(use.lastWritten, moment);
    else if (moment !== Infinity) use.last = Math.max(use.last, moment);
  }
}

export function newUse(): PathUse {
  return {
    read: Infinity,
    readByTool: Infinity,
    found: Infinity,
    foundByTool: Infinity,
    absent: Infinity,
    listed: Infinity,
    listedByTool: Infinity,
    written: Infinity,
    last: 0,
    lastWritten: 0,
    moved: false,
  };
}

/** Joins the uses of several tables of one trace, as if one command had made them all. */
export function mergeUses(tables: readonly PathUses[]): PathUses {
  return joinTables(tables.map((uses) => ({ uses, isFull: false }))).uses;
}

export function joinTables(tables: readonly { readonly uses: PathUses; readonly isFull: boolean }[]): UseTable {
  const merged = new UseTable(Infinity);
  merged.isFull = tables.some(({ isFull }) => isFull);
  for (const { uses } of tables)
    for (const [path, { moved, last, lastWritten, ...moments }] of uses) {
      const use = merged.at(path);
      use.moved ||= moved;
      for (const [kind, moment] of Object.entries(moments))
        if (moment !== Infinity) merged.mark(path, kind as keyof typeof moments, moment);
      use.last = Math.max(use.last, last);
      use.lastWritten = Math.max(use.lastWritten, lastWritten);
    }
  return merged;
}

/** Returns the moment at which the command had certainly created a path: the path itself, or a folder above it. */
export function writtenAt(uses: PathUses, path: string): number {
  let first = Infinity;
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) first = Math.min(first, uses.get(at)?.written ?? Infinity);
  return first;
}

/** Returns the last moment at which the command created, replaced or removed a path, or a folder above it; 0: never. */
export function writtenLast(uses: PathUses, path: string): number {
  let last = 0;
  for (let at = cleanPath(path); at !== ''; at = at.slice(0, at.lastIndexOf('/'))) last = Math.max(last, uses.get(at)?.lastWritten ?? 0);
  return last;
}

/** Joins a path to the folder that it is relative to. Leading dots are resolved, because Linux reports folders without links. */
export function joinPath(folder: string, path: string): string {
  let base = folder;
  let rest = path;
  for (let dots = /^\.\.?(?:\/+|$)/.exec(rest); dots !== null; dots = /^\.\.?(?:\/+|$)/.exec(rest)) {
    if (dots[0].startsWith('..')) base = base.slice(0, base.lastIndexOf('/'));
    rest = rest.slice(dots[0].length);
  }
  return rest === '' ? base || '/' : `${base}/${rest}`;
}

/** Removes doubled slashes and single dots. Double dots stay, because after a symbolic link they lead elsewhere. */
function cleanPath(path: string): string {
  if (!/\/(\/|\.?$|\.\/)/.test(path)) return path;
  return `/${path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/')}`;
}

/** Returns a path as traces have it: one character per byte, and slashes also on Windows (`/C:/repo`). */
export function tracePath(path: string): string {
  const slashed = /^[A-Za-z]:\\/.test(path) ? `/${path.replaceAll('\\', '/')}` : path;
  return Buffer.from(slashed, 'utf8').toString('latin1');
}

/** Does the reverse, for functions of `fs`. */
export function systemPath(path: string): Buffer {
  return Buffer.from(path.replace(/^\/(?=[A-Za-z]:(?:\/|$))/, ''), 'latin1');
}
