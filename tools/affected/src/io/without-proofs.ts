import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { writeAtOnce } from '@tributary/terminal/write-at-once';
import { PROOF } from '../plan/watched-task.js';

/** Passes the output of turborepo on to stdout, without the proofs of tasks: those are for the log files that caches keep. */
export function withoutProofs(stream: Readable): void {
  const filter = new ProofFilter((text) => writeAtOnce(1, Buffer.from(text, 'latin1')));
  // Each byte is a character, so nothing of another encoding changes.
  stream.setEncoding('latin1').on('data', (text: string) => filter.take(text));
  stream.on('end', () => filter.end());
}

/** Leaves out each line with a proof, and the empty line that a task prints before it. */
export class ProofFilter {
  private readonly show: (text: string) => void;
  /** The begun line, behind a whole line that may be the empty one. */
  private kept = '';

  constructor(show: (text: string) => void) {
    this.show = show;
  }

  take(text: string): void {
    const lines = (this.kept + text).split(/(?<=\n)/);
    const last = lines.pop() ?? '';
    const [begun, whole] = last.endsWith('\n') ? ['', [...lines, last]] : [last, lines];
    const shown = whole.filter((line, at) => !line.includes(PROOF) && !isBefore(line, whole[at + 1]));
    const held = whole.length > 0 && shown.at(-1) === whole.at(-1) && isShort(whole.at(-1) ?? '') ? (shown.pop() ?? '') : '';
    if (shown.length > 0) this.show(shown.join(''));
    this.kept = held + begun;
  }

  end(): void {
    if (this.kept !== '') this.show(this.kept);
    this.kept = '';
  }
}

/** Tells whether a line has only what turborepo puts before the proof in the next one. */
function isBefore(line: string, next: string | undefined): boolean {
  const at = next?.indexOf(PROOF) ?? -1;
  return at >= 0 && line.trim() === next?.slice(0, at).trim();
}

/** Tells whether a line may be an empty one of a task: nothing, or its name with a colon, perhaps in colour. */
function isShort(line: string): boolean {
  return /^(?:\S*:)?\s*$/.test(stripVTControlCharacters(line));
}
