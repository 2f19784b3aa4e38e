import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import type { Member, MemberEdge, Reached } from '../members.js';
import type { Block } from './blocks.js';
import type { LaidLock } from './laid-lock.js';
import type { LockMachine } from './lock-machine.js';

/** The numbers of a member in `assembly/lock-scan/room.ts`. */
const ROW = 11;
const [START, END, KEY_END, ASKED, ASKED_END, PEERS, PEERS_END] = [0, 1, 3, 6, 7, 8, 9];

/** The workspaces of a yarn.lock, found by machine code. */
export class LockScan {
  readonly members: readonly Member[];
  readonly machine: LockMachine;
  private readonly lock: LaidLock;
  private readonly rows: Int32Array;
  private startsOf = new Int32Array();
  private edges = new Int32Array();

  /** `undefined` if the text is not, from end to end, as Yarn writes it, or too large. `nameSize`: the most that `findEdges` will be given. */
  static of(lock: LaidLock, nameSize: number): LockScan | undefined {
    const machine = lock.take();
    if (machine?.prepare(nameSize) !== 1 || machine.findMembers() !== 1) return undefined;
    const size = machine.listSize();
    return size === 0 ? undefined : new LockScan(lock, machine, size);
  }

  private constructor(lock: LaidLock, machine: LockMachine, listSize: number) {
    this.lock = lock;
    this.machine = machine;
    const lines = Buffer.from(machine.memory.buffer, machine.listAt(), listSize).toString('latin1').split('\n');
    const members: Member[] = [];
    // As little as can be, for each of them: it is hardly compiled when it is over.
    for (let line = 1; line < lines.length; line += 2)
      members.push({ name: lines[line - 1] as WorkspaceName, path: lines[line] as RepoFolder });
    this.rows = new Int32Array(machine.memory.buffer, machine.membersAt(), members.length * ROW);
    this.members = members;
  }

  get text(): string {
    return this.lock.text;
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
      edges.push(edgeOf(this.edges[at] ?? 0, place));
    }
    return edges;
  }

  /** Over the edges that the scan has found. */
  reachedFrom(places: readonly number[]): Reached {
    const at = this.machine.stepsAt();
    new Int32Array(this.machine.memory.buffer, at, 2 * places.length).set(places.flatMap((place) => [2 * place, -1]));
    const steps = new Int32Array(this.machine.memory.buffer, at, 2 * this.machine.spread(places.length));
    const reached: MemberEdge[] = [];
    for (let step = 2 * places.length; step < steps.length; step += 2) reached.push(edgeOf(steps[step] ?? 0, steps[step + 1] ?? 0));
    return reached;
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

/** As the machine code notes them: who asks, doubled, and one more for a peer. */
function edgeOf(edge: number, to: number): MemberEdge {
  return { from: edge >> 1, to, field: (edge & 1) === 1 ? 'peer' : 'any' };
}
