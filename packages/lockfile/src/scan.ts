import { parseRepoPath, type RepoFolder } from '@tributary/model/paths';
import { Unreadable } from './lockfile.js';
import { type Block, readSyml } from './syml.js';

/** An entry of a lockfile without its dependencies. */
export interface EntryHead {
  /** The descriptors, separated by commas, without quotes. */
  readonly key: string;
  /** The locator that it resolves to. */
  readonly resolution: string;
  /** The folder of a workspace; `undefined` for other packages. */
  readonly workspace: RepoFolder | undefined;
}

/**
 * One entry of a lockfile, with what is needed to find its dependents. It stores the block and offsets instead of the dependencies: every
 * string that outlives the scan costs more in garbage collection than finding it.
 */
export interface LockRecord extends EntryHead {
  /** The entry as in the file, including its line end. */
  readonly block: string;
  /** The offset in the block where the key ends. */
  readonly bodyAt: number;
  /**
   * The offsets in the block where its dependencies begin and end, as whole lines. `dependenciesAt` is 0 if the entry is not in Yarn's
   * usual notation; `pairsOf` then parses the block.
   */
  readonly dependenciesAt: number;
  readonly dependenciesEnd: number;
}

const NEWLINE = 10;
const SPACE = 32;
const HASH = 35;

/** The result of a scan. */
export interface LockScan {
  readonly records: readonly LockRecord[];
  /** By index in `similar`: 1 for records that were taken from there. */
  readonly taken: Uint8Array;
  /** The records that were not taken from `similar`. */
  readonly own: readonly LockRecord[];
}

/**
 * Reads the entries of a lockfile of Yarn 2 or later, in the order of the file. It accepts no text that `parseBerry` rejects. For other
 * texts it throws `Unreadable` (or `USAGE` for the folder of a workspace), and then `parseBerry` decides. Entries that are in `similar`
 * with the same text, in about the same order, are taken from there as the same objects. The text must have no byte order mark and no `\r`.
 */
export function scanLock(text: string, similar: readonly LockRecord[]): LockScan {
  return new Scanner(text, similar).scan();
}

class Scanner {
  private readonly text: string;
  private readonly similar: readonly LockRecord[];
  private at = 0;
  private metadata: Block | undefined;
  private readonly keys = new Set<string>();
  private readonly taken: Uint8Array;
  private cursor = 0;
  private positions: ReadonlyMap<string, number> | undefined;

  constructor(text: string, similar: readonly LockRecord[]) {
    this.text = text;
    this.similar = similar;
    this.taken = new Uint8Array(similar.length);
  }

  scan(): LockScan {
    const { text } = this;
    const records: LockRecord[] = [];
    const own: LockRecord[] = [];
    while (this.at < text.length) {
      const first = text.charCodeAt(this.at);
      if (first === NEWLINE) this.at++;
      else if (first === HASH) this.at = this.nextLine(this.at);
      else if (text.startsWith('__metadata:\n', this.at)) this.readMetadata();
      else {
        const similar = this.takeSimilar();
        const record = similar ?? this.readStandard() ?? this.readOther();
        if (similar === undefined) own.push(record);
        records.push(record);
      }
    }
    if (!Number.isInteger(Number(this.metadata?.texts.get('version')))) throw new Unreadable('it has no "__metadata" with a version');
    return { records, taken: this.taken, own };
  }

  /** Takes the similar entry at the cursor, or the one after it if an entry was removed or got another key. */
  private takeSimilar(): LockRecord | undefined {
    return this.takeAt(this.cursor) ?? this.takeAt(this.cursor + 1);
  }

  private takeAt(position: number): LockRecord | undefined {
    const record = this.similar[position];
    if (record === undefined || !this.text.startsWith(record.block, this.at)) return undefined;
    const end = this.at + record.block.length;
    // Otherwise the entry or its last line continues.
    if (this.text.charCodeAt(end) === SPACE || this.text.charCodeAt(end - 1) !== NEWLINE) return undefined;
    if (this.taken[position] === 1 || this.keys.has(record.key)) throw new Unreadable('repeats a key');
    this.at = end;
    this.taken[position] = 1;
    this.cursor = position + 1;
    return record;
  }

  private readStandard(): LockRecord | undefined {
    STANDARD.lastIndex = this.at;
    const match = STANDARD.exec(this.text);
    if (match === null) return undefined;
    // By index: destructuring takes the engine ten times as long to compile.
    const block = match[0];
    const key = match[1] ?? '';
    const head = match[2] ?? '';
    const resolution = match[3] ?? '';
    const dependencies = match[4];
    this.at += block.length;
    this.noteKey(key);
    const bodyAt = key.length + '"":\n'.length;
    const dependenciesAt = bodyAt + head.length + (dependencies === undefined ? 0 : '  dependencies:\n'.length);
    const dependenciesEnd = dependenciesAt + (dependencies ?? '').length;
    return { block, bodyAt, dependenciesAt, dependenciesEnd, key, resolution, workspace: workspaceOf(resolution) };
  }

  private readOther(): LockRecord {
    const { text, block } = this.readBlock();
    const resolution = block.texts.get('resolution');
    const linkType = block.texts.get('linkType')?.toLowerCase();
    if (resolution === undefined || (linkType !== 'hard' && linkType !== 'soft')) throw new Unreadable('no resolution or no link type');
    this.noteKey(block.key);
    return {
      block: text,
      bodyAt: text.indexOf('\n', text.startsWith('? ') ? text.indexOf('\n:') + 1 : 0) + 1,
      dependenciesAt: 0,
      dependenciesEnd: text.length,
      key: block.key,
      resolution,
      workspace: workspaceOf(resolution),
    };
  }

  private readMetadata(): void {
    if (this.metadata !== undefined) throw new Unreadable('repeats "__metadata"');
    this.metadata = this.readBlock().block;
  }

  /** Reads the lines up to the next one without indent, with `readSyml`. */
  private readBlock(): { readonly text: string; readonly block: Block } {
    const { text, at } = this;
    // `<<<<<<< HEAD:` is not a key.
    if (text.startsWith('<', at)) throw new Unreadable('a conflict');
    let end = this.nextLine(at);
    if (text.startsWith('? ', at)) end = this.nextLine(end);
    while (text.charCodeAt(end) === SPACE) end = this.nextLine(end);
    const part = text.slice(at, end);
    const [block, ...others] = readSyml(part);
    if (block === undefined || others.length > 0) throw new Unreadable('no entry');
    this.at = end;
    return { text: part, block };
  }

  /** Sets the cursor after the similar entry with the same key. Without such an entry the cursor stays: this entry is new. */
  private noteKey(key: string): void {
    if (this.keys.has(key)) throw new Unreadable('repeats a key');
    this.keys.add(key);
    if (this.similar.length === 0) return;
    this.positions ??= new Map(this.similar.map((record, position) => [record.key, position]));
    const position = this.positions.get(key);
    if (position === undefined) return;
    if (this.taken[position] === 1) throw new Unreadable('repeats a key');
    this.cursor = position + 1;
  }

  private nextLine(from: number): number {
    const end = this.text.indexOf('\n', from);
    return end < 0 ? this.text.length : end + 1;
  }
}

/** Returns the folder of a workspace: `app@workspace:packages/app` -> `packages/app`, `root@workspace:.` -> ``. */
function workspaceOf(resolution: string): RepoFolder | undefined {
  if (!resolution.includes('workspace:')) return undefined;
  const [, path] = /^(?:@[^/]+\/)?[^@/]+@workspace:(.*)$/.exec(resolution) ?? [];
  if (path === undefined) return undefined;
  return path === '.' ? '' : parseRepoPath(path);
}

/**
 * Matches one entry of a lockfile as Yarn writes it, at `lastIndex`. `readSyml` can read everything that it matches. One native match
 * replaces some twenty steps per line. In a new process, the interpreter takes 30 ms for what this does in 10 ms.
 */
const STANDARD = buildStandard();

function buildStandard(): RegExp {
  const quoted = String.raw`"[^"\\\n]*"`;
  const plain = String.raw`[\w^~.=</$][\w.~^+/<>=|*-]*(?: [\w.~^+/<>=|*-]+)*`;
  const name = String.raw`(?:[\w$][\w./$-]*|${quoted})`;
  const pair = String.raw`${name}: (?:${quoted}|${plain})\n`;
  const pairs = `(?: {4}${pair})*`;
  return new RegExp(
    [
      String.raw`"([^"\\\n]+)":\n`,
      String.raw`((?: {2}version: [A-Za-z0-9][\w.+-]*\n)? {2}resolution: "([^"\\\n]+)"\n)`,
      String.raw`(?: {2}dependencies:\n(${pairs}))?`,
      String.raw`(?: {2}peerDependencies:\n${pairs})?`,
      String.raw`(?: {2}(?:dependenciesMeta|peerDependenciesMeta|bin):\n(?: {4}(?:${pair}|${name}:\n(?: {6}${pair})*))*)*`,
      String.raw`(?: {2}checksum: [\w/+=-]+\n)?`,
      String.raw`(?: {2}conditions: [A-Za-z(][A-Za-z0-9=&|()! _-]*[A-Za-z0-9)]\n)?`,
      String.raw`(?: {2}languageName: [A-Za-z]+\n)?`,
      String.raw` {2}linkType: (?:hard|soft)\n(?! )`,
    ].join(''),
    'y',
  );
}
