import type { ObjectId } from '@tributary/model/ids';
import type { MessageCounts } from '../messages/rewrite-message.js';
import type { MovedBody } from './commit-bodies.js';

/** Changes of messages and signatures by a move. */
export interface HistoryChanges extends MessageCounts {
  /** The number of commits with a changed message. */
  readonly messages: number;
  /** The number of signatures that become invalid: of commits and tags, and of tags that merges embed. */
  readonly signatures: number;
  /** Up to one sample for each kind of change. */
  readonly samples: readonly ChangedLine[];
}

/** A line of a message, before and after. Invalid UTF-8 is replaced. */
export interface ChangedLine {
  /** Its id in the source. */
  readonly commit: ObjectId;
  readonly before: string;
  readonly after: string;
}

const KINDS = ['closingWords', 'references', 'mentions', 'commitIds'] as const;
type Kind = (typeof KINDS)[number];
const SAMPLES = 3;

/** Counts changes of messages and signatures, commit by commit. */
export class ChangeCounter {
  private readonly counts = { references: 0, unqualified: 0, closingWords: 0, mentions: 0, commitIds: 0, untouched: 0 };
  private readonly firsts = new Map<Kind, ChangedLine>();
  private messages = 0;
  private signatures = 0;

  add(commit: ObjectId, { signatures, message }: MovedBody): void {
    this.addSignatures(signatures);
    if (message === undefined) return;
    this.counts.unqualified += message.unqualified;
    this.counts.untouched += message.untouched;
    if (message.text === message.before) return;
    this.messages += 1;
    for (const kind of KINDS) this.counts[kind] += message[kind];
    const first = KINDS.find((kind) => message[kind] > 0 && !this.firsts.has(kind));
    if (first !== undefined) this.firsts.set(first, { commit, ...firstChange(message.before, message.text) });
  }

  addSignatures(count: number): void {
    this.signatures += count;
  }

  result(): HistoryChanges {
    const samples = KINDS.flatMap((kind) => this.firsts.get(kind) ?? []).slice(0, SAMPLES);
    return { ...this.counts, messages: this.messages, signatures: this.signatures, samples };
  }
}

/** Returns the first line that differs. No rule adds or removes a line. */
function firstChange(before: string, after: string): Pick<ChangedLine, 'before' | 'after'> {
  const lines = after.split('\n');
  const old = before.split('\n');
  const at = old.findIndex((line, index) => line !== lines[index]);
  return { before: readable(old[at]), after: readable(lines[at]) };
}

function readable(line: string | undefined): string {
  return Buffer.from(line ?? '', 'latin1')
    .toString('utf8')
    .trim();
}
