import { writeAll } from '@tributary/process/spawn';
import type { Git } from './git.js';
import type { GitObject, ObjectFormat } from './object-id.js';
import { formatPack } from './pack.js';

// Limits memory use; a history of a million commits becomes some dozen packs.
const LARGEST_PACK_BYTES = 32 * 1024 * 1024;

/** Writes objects into a repository as packs. Nothing is readable before `finish`. Add each object only once. */
export class ObjectWriter {
  private readonly git: Git;
  private readonly format: ObjectFormat;
  private held: GitObject[] = [];
  private heldBytes = 0;

  constructor(git: Git, format: ObjectFormat) {
    this.git = git;
    this.format = format;
  }

  /** Throws `GIT_FAILED` or `DISK_FULL`. */
  async add(object: GitObject): Promise<void> {
    this.held.push(object);
    this.heldBytes += object.content.length;
    if (this.heldBytes >= LARGEST_PACK_BYTES) await this.flush();
  }

  /** Throws like `add`. */
  async finish(): Promise<void> {
    await this.flush();
  }

  private async flush(): Promise<void> {
    if (this.held.length === 0) return;
    const pieces = formatPack(this.format, this.held);
    this.held = [];
    this.heldBytes = 0;
    const running = this.git.start(['index-pack', '--stdin']);
    // The stream would stall if its output was not read.
    running.stdout.resume();
    await writeAll(running.stdin, inBlocks(pieces));
    await running.done();
  }
}

/** Joins small pieces: writing each one to a pipe would cost more than creating it. */
function* inBlocks(pieces: readonly Buffer[]): Generator<Buffer> {
  let from = 0;
  let bytes = 0;
  for (const [at, piece] of pieces.entries()) {
    bytes += piece.length;
    if (bytes < 256 * 1024) continue;
    yield Buffer.concat(pieces.slice(from, at + 1), bytes);
    from = at + 1;
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(pieces.slice(from), bytes);
}
