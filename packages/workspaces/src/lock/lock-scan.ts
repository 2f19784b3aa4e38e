import { setFlagsFromString } from 'node:v8';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import type { Member, MemberEdge } from '../members.js';
import { LOCK_SCAN } from './lock-scan.wasm.js';

/** What `assembly/lock-scan.ts` exports: addresses in `memory`, counts, and 1 or 0 for yes or no. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly prepare: (size: number, nameSize: number) => number;
  readonly findMembers: () => number;
  readonly countMembers: () => number;
  readonly membersAt: () => number;
  readonly namesAt: () => number;
  readonly findEdges: (nameSize: number) => number;
  readonly startsAt: () => number;
  readonly edgesAt: () => number;
  readonly countEdges: () => number;
  readonly oddAt: () => number;
  readonly countOdd: () => number;
  readonly isAskedOutside: (place: number) => number;
  readonly isAsYarnWrites: () => number;
}

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** The numbers of a member in `assembly/lock-scan/room.ts`. */
const ROW = 11;
const [START, NAME_END, PATH, PATH_END] = [0, 2, 4, 5];

/** The workspaces of a yarn.lock, found by machine code. */
export class LockScan {
  readonly members: readonly Member[];
  /** Where the entries begin. */
  readonly starts: readonly number[];
  private readonly scan: Exports;
  private startsOf = new Int32Array();
  private edges = new Int32Array();

  /** `undefined` if the text is not, from end to end, as Yarn writes it, or too large. `nameSize`: the most that `findEdges` will be given. */
  static of(text: string, nameSize: number): LockScan | undefined {
    const scan = startScan();
    if (scan === undefined) return undefined;
    const at = scan.prepare(text.length, nameSize);
    if (at === 0) return undefined;
    // What is not ASCII takes more bytes than there is room for, and is found by them.
    const isLaid = Buffer.from(scan.memory.buffer).write(text, at, text.length) === text.length;
    return isLaid && scan.findMembers() === 1 ? new LockScan(text, scan) : undefined;
  }

  private constructor(text: string, scan: Exports) {
    this.scan = scan;
    const rows = new Int32Array(scan.memory.buffer, scan.membersAt(), scan.countMembers() * ROW);
    const cell = (row: number, column: number): number => rows[row + column] ?? 0;
    const members: Member[] = [];
    const starts: number[] = [];
    for (let row = 0; row < rows.length; row += ROW) {
      const start = cell(row, START);
      const name = text.slice(start + 1, cell(row, NAME_END)) as WorkspaceName;
      const path = text.slice(cell(row, PATH), cell(row, PATH_END)) as RepoFolder;
      members.push({ name, path: path === '.' ? '' : path });
      starts.push(start);
    }
    this.members = members;
    this.starts = starts;
  }

  /** False if anything is not as Yarn writes it. Lines that ask for one of the further names will be among `oddLines`. */
  findEdges(names: readonly string[]): boolean {
    const bytes = Buffer.from(names.map((name) => `${name}\0`).join(''));
    new Uint8Array(this.scan.memory.buffer).set(bytes, this.scan.namesAt());
    if (this.scan.findEdges(bytes.length) !== 1) return false;
    this.startsOf = new Int32Array(this.scan.memory.buffer, this.scan.startsAt(), this.members.length + 1);
    this.edges = new Int32Array(this.scan.memory.buffer, this.scan.edgesAt(), this.scan.countEdges());
    return true;
  }

  /** In the order of the text. */
  edgesTo(place: number): readonly MemberEdge[] {
    const edges: MemberEdge[] = [];
    for (let at = this.startsOf[place] ?? 0, end = this.startsOf[place + 1] ?? 0; at < end; at++) {
      const edge = this.edges[at] ?? 0;
      edges.push({ from: edge >> 1, to: place, field: (edge & 1) === 1 ? 'peer' : 'any' });
    }
    return edges;
  }

  /** What the scan could not decide: the member that asks, and where its line begins. */
  oddLines(): readonly { readonly from: number; readonly at: number }[] {
    const rows = new Int32Array(this.scan.memory.buffer, this.scan.oddAt(), 2 * this.scan.countOdd());
    return Array.from({ length: this.scan.countOdd() }, (_, line) => ({ from: rows[2 * line] ?? 0, at: rows[2 * line + 1] ?? 0 }));
  }

  /** Of its descriptors in the key. */
  isAskedOutside(place: number): boolean {
    return this.scan.isAskedOutside(place) === 1;
  }

  /** `isAsYarnWrites` of `entries.ts` for all entries, or stricter. */
  isAsYarnWrites(): boolean {
    return this.scan.isAsYarnWrites() === 1;
  }
}

/** `undefined` where the engine cannot run it: it is forbidden there, or the processor lacks what it needs. */
function startScan(): Exports | undefined {
  try {
    // Compiled a second time, and better, it would take longer than it is of use.
    setFlagsFromString('--wasm-tiering-budget=1000000000');
    const module = new WebAssembly.Module(Buffer.from(LOCK_SCAN, 'base64'));
    const abort = (): never => {
      throw new Error('the scan of a lockfile ended by itself');
    };
    return new WebAssembly.Instance(module, { env: { abort } }).exports as Exports;
  } catch {
    return undefined;
  }
}
