import { closeSync, openSync, writeSync } from 'node:fs';
import { diskFull } from './spawn.js';
import { hasCode } from './system-error.js';

/** Size of the part kept from the beginning, and of the part kept from the end, in bytes. */
const HALF = 4 * 1024 * 1024;

/** A log file that accepts any amount of output and keeps its beginning and its end. */
export class BoundedLog {
  /** All bytes written so far, including those left out. */
  bytes = 0;
  private readonly file: number;
  private readonly half: number;
  private readonly head: Buffer[] = [];
  private headBytes = 0;
  private tail: Buffer[] = [];
  private tailBytes = 0;
  private text: string | undefined;

  constructor(file: string, half = HALF) {
    this.file = openSync(file, 'w');
    this.half = half;
  }

  /** Throws `DISK_FULL`. */
  write(piece: Buffer): void {
    this.bytes += piece.length;
    const first = piece.subarray(0, Math.max(0, this.half - this.headBytes));
    if (first.length > 0) this.keepFirst(first);
    if (first.length < piece.length) this.keepLast(piece.subarray(first.length));
  }

  /** Writes the end, closes the file and returns its content. A second call only returns the content. Throws `DISK_FULL`. */
  finish(): string {
    if (this.text !== undefined) return this.text;
    const end = Buffer.concat(this.tail).subarray(-this.half);
    const left = this.bytes - this.headBytes - end.length;
    const note = left > 0 ? Buffer.from(`\n[${left} bytes are left out here]\n`) : Buffer.alloc(0);
    this.text = Buffer.concat([...this.head, note, end]).toString('utf8');
    try {
      this.put(Buffer.concat([note, end]));
    } finally {
      closeSync(this.file);
    }
    return this.text;
  }

  private keepFirst(piece: Buffer): void {
    this.head.push(piece);
    this.headBytes += piece.length;
    this.put(piece);
  }

  private keepLast(piece: Buffer): void {
    this.tail.push(piece);
    this.tailBytes += piece.length;
    for (let first = this.tail[0]; first !== undefined && this.tailBytes - first.length >= this.half; first = this.tail[0]) {
      this.tailBytes -= first.length;
      this.tail.shift();
    }
  }

  private put(piece: Buffer): void {
    try {
      writeSync(this.file, piece);
    } catch (error) {
      throw hasCode(error, 'ENOSPC') ? diskFull(error) : error;
    }
  }
}
