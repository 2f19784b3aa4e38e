import { boundKeys } from './bound.js';
import { endsWithEntry } from './lines.js';
import { type LockMachine, startScan } from './lock-machine.js';

/** How much of the end is looked at for how it ends. */
const TAIL = 256;
const EQUALS_SIGN = 0x3d;
const LOCATOR = '::locator';

/**
 * A yarn.lock where the machine code looks for it. Who reads one from a disk reads it to there, so that a megabyte need not be copied twice; a text
 * is made of it where somebody asks for one.
 */
export class LaidLock {
  private readonly machine: LockMachine;
  private readonly at: number;
  private readonly size: number;
  private whole: string | undefined;
  private isTaken = false;

  /** Room for so many bytes; `undefined` if they are too many, or if no machine code can be run. */
  static ofSize(size: number): LaidLock | undefined {
    const machine = startScan();
    const at = machine?.roomForText(size) ?? 0;
    return machine === undefined || at === 0 ? undefined : new LaidLock(machine, { at, size });
  }

  /** `undefined` also for a text that is not of ASCII alone: the machine code does not read it. */
  static of(text: string): LaidLock | undefined {
    const lock = LaidLock.ofSize(text.length);
    // What is not ASCII takes more bytes than there is room for, and is found by them.
    if (lock === undefined || lock.bytes().write(text) !== text.length) return undefined;
    lock.whole = text;
    return lock;
  }

  private constructor(machine: LockMachine, { at, size }: { readonly at: number; readonly size: number }) {
    this.machine = machine;
    this.at = at;
    this.size = size;
  }

  /** To be written to, before anything else is asked; to be asked for anew each time, because the memory may have moved. */
  bytes(): Buffer {
    return Buffer.from(this.machine.memory.buffer, this.at, this.size);
  }

  /** For one scan; `undefined` if there was one, for the machine code keeps what it has found. */
  take(): LockMachine | undefined {
    const machine = this.isTaken ? undefined : this.machine;
    this.isTaken = true;
    return machine;
  }

  get text(): string {
    this.whole ??= this.bytes().toString('utf8');
    return this.whole;
  }

  /** `endsWithEntry` of the text, or false. */
  endsWithEntry(): boolean {
    return endsWithEntry(this.bytes().toString('latin1', this.size - TAIL));
  }

  /** `boundKeys` of the text. */
  boundKeys(): readonly string[] {
    const bytes = this.bytes();
    for (let at = bytes.indexOf(EQUALS_SIGN); at !== -1; at = bytes.indexOf(EQUALS_SIGN, at + 1))
      if (bytes.toString('latin1', at - LOCATOR.length, at) === LOCATOR) return boundKeys(this.text);
    return [];
  }
}
