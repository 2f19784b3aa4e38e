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
}

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** The numbers of a member in `assembly/lock-scan/room.ts`. */
const ROW = 11;
const [START, END, NAME_END, PATH, PATH_END] = [0, 1, 2, 4, 5];

/** The workspaces of a yarn.lock, found by machine code. */
export class LockScan {
  readonly members: readonly Member[];
  /** Where the entries begin and end. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  private readonly scan: Exports;
  private startsOf = new Int32Array();
  private edges = new Int32Array();

  /** `undefined` if the text is not, from end to end, as Yarn writes it. `nameSize`: the most that `findEdges` will be given. */
  static of(text: string, nameSize: number): LockScan | undefined {
    const scan = startScan();
    if (scan === undefined) return undefined;
    const bytes = Buffer.from(text);
    const at = scan.prepare(bytes.length, nameSize);
    new Uint8Array(scan.memory.buffer).set(bytes, at);
    return scan.findMembers() === 1 ? new LockScan(text, scan) : undefined;
  }

  private constructor(text: string, scan: Exports) {
    this.scan = scan;
    const count = scan.countMembers();
    const rows = new Int32Array(scan.memory.buffer, scan.membersAt(), count * ROW);
    const places = Array.from({ length: count }, (_, place) => place * ROW);
    const cell = (row: number, column: number): number => rows[row + column] ?? 0;
    this.starts = places.map((row) => cell(row, START));
    this.ends = places.map((row) => cell(row, END));
    this.members = places.map((row) => ({
      name: text.slice(cell(row, START) + 1, cell(row, NAME_END)) as WorkspaceName,
      path: text.slice(cell(row, PATH), cell(row, PATH_END)).replace(/^\.$/, '') as RepoFolder,
    }));
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
    const edges = this.edges.subarray(this.startsOf[place], this.startsOf[place + 1]);
    return Array.from(edges, (edge) => ({ from: edge >> 1, to: place, field: (edge & 1) === 1 ? 'peer' : 'any' }));
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
