import type { Git } from '@tributary/git/git';
import type { ObjectId } from '@tributary/model/ids';
import { type ObjectFault, REFUSED_KINDS } from '../plan/object-faults.js';

/** Settings that make a fetch check each object while git indexes it, and only warn. */
export const CHECK_OBJECTS = ['fetch.fsckObjects=true', ...REFUSED_KINDS.map((kind) => `fetch.fsck.${kind}=warn`)].flatMap((setting) => [
  '-c',
  setting,
]);

const EXAMPLES = 3;

/** Reads git's messages about malformed objects from stderr as it arrives. Supports `git fetch` with `CHECK_OBJECTS`, and `git fsck`. */
export class FaultReader {
  private readonly faults = new Map<string, { count: number; examples: ObjectId[] }>();
  private rest = '';

  readonly take = (text: string): void => {
    const lines = (this.rest + text).split(/[\r\n]/);
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.takeLine(line);
  };

  /** Returns the faults, ordered by kind. All of stderr must have been taken. */
  result(): readonly ObjectFault[] {
    this.take('\n');
    return [...this.faults].map(([kind, { count, examples }]) => ({ kind, count, examples })).sort((a, b) => (a.kind < b.kind ? -1 : 1));
  }

  private takeLine(line: string): void {
    const [, id, kind] = FAULT.exec(line) ?? [];
    if (id === undefined || kind === undefined) return;
    const known = this.faults.get(kind) ?? { count: 0, examples: [] };
    known.count++;
    if (known.examples.length < EXAMPLES) known.examples.push(id as ObjectId);
    this.faults.set(kind, known);
  }
}

const FAULT = /^(?:warning: object|(?:warning|error) in \w+) ([0-9a-f]{40,64}): (\w+): /;

/** Checks every object of a repository again, if the fetch did not check them. Throws `GIT_MISSING`, `INTERRUPTED`. */
export async function readFaults(git: Git): Promise<readonly ObjectFault[]> {
  const reader = new FaultReader();
  // The exit code adds nothing to the messages. Missing objects were found by the fetch.
  await git.attempt(['fsck', '--strict', '--full', '--no-dangling', '--no-reflogs', '--no-progress'], { onStderr: reader.take });
  return reader.result();
}
