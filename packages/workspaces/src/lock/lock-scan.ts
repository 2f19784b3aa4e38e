import { startMachineCode } from '@tributary/engine/machine-code';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import type { Member, MemberEdge } from '../members.js';
import type { Block } from './blocks.js';
import { LOCK_SCAN } from './lock-scan.wasm.js';

/** What `assembly/lock-scan.ts` exports: addresses in `memory`, counts, and 1 or 0 for yes or no. */
export interface LockMachine {
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
  readonly noteEntries: () => number;
  readonly noteRuled: (nameSize: number) => void;
  readonly reachFrom: (place: number) => number;
  readonly countKept: () => number;
  readonly keptAt: () => number;
  readonly waysAt: () => number;
  readonly countWays: () => number;
  readonly leftAt: () => number;
  readonly countLeft: () => number;
}

/** The numbers of a member in `assembly/lock-scan/room.ts`. */
const ROW = 11;
const [START, END, NAME_END, KEY_END, PATH, PATH_END, ASKED, ASKED_END, PEERS, PEERS_END] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** The workspaces of a yarn.lock, found by machine code. */
export class LockScan {
  readonly members: readonly Member[];
  readonly text: string;
  readonly machine: LockMachine;
  private readonly rows: Int32Array;
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

  private constructor(text: string, machine: LockMachine) {
    this.text = text;
    this.machine = machine;
    const rows = new Int32Array(machine.memory.buffer, machine.membersAt(), machine.countMembers() * ROW);
    const members: Member[] = [];
    // As little as can be, for each of them: it is hardly compiled when it is over.
    for (let row = 0; row < rows.length; row += ROW) {
      const path = text.slice(rows[row + PATH], rows[row + PATH_END]) as RepoFolder;
      members.push({ name: text.slice((rows[row] ?? 0) + 1, rows[row + NAME_END]) as WorkspaceName, path: path === '.' ? '' : path });
    }
    this.rows = rows;
    this.members = members;
  }

  /** Where an entry begins. */
  startOf(place: number): number {
    return this.cell(place, START);
  }

  /** The entry of a member, as the scan has found it. */
  blockOf(place: number): Block {
    const member = this.members[place];
    if (member === undefined) throw new Error(`there is no workspace ${place}`);
    const [start, end] = [this.cell(place, START), this.cell(place, END)];
    return {
      ...{ ...member, key: this.text.slice(start + 1, this.cell(place, KEY_END)), names: 'own', start, end },
      dependencies: { start: this.cell(place, ASKED), end: this.cell(place, ASKED_END) },
      peers: { start: this.cell(place, PEERS), end: this.cell(place, PEERS_END) },
    };
  }

  /** False if anything is not as Yarn writes it. Lines that ask for one of the further names will be among `oddLines`. */
  findEdges(names: readonly string[]): boolean {
    if (this.machine.findEdges(this.layNames(names)) !== 1) return false;
    this.startsOf = new Int32Array(this.machine.memory.buffer, this.machine.startsAt(), this.members.length + 1);
    this.edges = new Int32Array(this.machine.memory.buffer, this.machine.edgesAt(), this.machine.countEdges());
    return true;
  }

  /** Puts names where the machine looks for them; how many bytes they take. */
  layNames(names: readonly string[]): number {
    const bytes = Buffer.from(names.map((name) => `${name}\0`).join(''));
    new Uint8Array(this.machine.memory.buffer).set(bytes, this.machine.namesAt());
    return bytes.length;
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
    const rows = new Int32Array(this.machine.memory.buffer, this.machine.oddAt(), 2 * this.machine.countOdd());
    return Array.from({ length: this.machine.countOdd() }, (_, line) => ({ from: rows[2 * line] ?? 0, at: rows[2 * line + 1] ?? 0 }));
  }

  /** Of its descriptors in the key. */
  isAskedOutside(place: number): boolean {
    return this.machine.isAskedOutside(place) === 1;
  }

  /** `isAsYarnWrites` of `entries.ts` for all entries, or stricter. */
  isAsYarnWrites(): boolean {
    return this.machine.isAsYarnWrites() === 1;
  }

  private cell(place: number, column: number): number {
    return this.rows[place * ROW + column] ?? 0;
  }
}

/** `undefined` where the engine cannot run it: it is forbidden there, or the processor lacks what it needs. */
function startScan(): LockMachine | undefined {
  try {
    const abort = (): never => {
      throw new Error('the scan of a lockfile ended by itself');
    };
    return startMachineCode(LOCK_SCAN, { env: { abort } }) as LockMachine;
  } catch {
    return undefined;
  }
}
