import { type BigIntStats, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ObjectId } from '@tributary/model/ids';

const SECOND = 1_000_000_000n;
/** The index is read in such parts. */
const PART = 128 * 1024;
/** What takes longer to be looked for than it saves is not: files at the root come late, and behind them little but the trees. */
const MOST = 4 * 1024 * 1024;
const [ID, FLAGS, NAME] = [40, 60, 62];
/** Names that are as long have another form. */
const LONG_NAME = 0xfff;

/**
 * Whether git's own index says that a file of the work tree is what git made of a blob or would make into it, as `git status` takes it, and
 * stricter: all that git notes of a file must be the same, down to the nanosecond. The index is looked for the one entry that git would have
 * written for it, so that whatever is unusual there is not found: another stage, a flag, a field with another value, an index of another form.
 *
 * `at`: the folder with the index, and the path of the file in the repository. `stat`: of the file, taken after it was read.
 */
export function isCleanInIndex(at: { readonly gitDir: string; readonly path: string }, id: ObjectId, stat: BigIntStats): boolean {
  const name = Buffer.from(at.path);
  // A clock that only tells seconds does not tell a file from what it became in the same second.
  if (name.length >= LONG_NAME || stat.mtimeNs % SECOND === 0n) return false;
  const file = openSync(`${at.gitDir}/index`, 'r');
  try {
    const { mtimeNs, size } = fstatSync(file, { bigint: true });
    // Else it may have changed once more after git had looked at it, without a sign ("racy git").
    const isOlder = stat.mtimeNs < mtimeNs && stat.ctimeNs < mtimeNs;
    return isOlder && contains(file, Number(size), entryOf(name, id, stat));
  } finally {
    closeSync(file);
  }
}

/** An entry without any flag (gitformat-index, version 2; in version 3 it is the same). */
function entryOf(name: Buffer, id: ObjectId, stat: BigIntStats): Buffer {
  const { ctimeNs, mtimeNs, dev, ino, uid, gid, size } = stat;
  const mode = (stat.mode & 0o100n) === 0n ? 0o100644n : 0o100755n;
  const times = [ctimeNs / SECOND, ctimeNs % SECOND, mtimeNs / SECOND, mtimeNs % SECOND];
  const entry = Buffer.alloc(NAME + name.length + 1);
  const fields = new DataView(entry.buffer, entry.byteOffset);
  // Of larger numbers git notes the lower half too.
  for (const [at, field] of [...times, dev, ino, mode, uid, gid, size].entries()) fields.setUint32(4 * at, Number(field));
  fields.setUint16(FLAGS, name.length);
  entry.write(id, ID, 'hex');
  entry.set(name, NAME);
  return entry;
}

/** From the end on. Each part goes as far into the next as what is looked for may lie across. */
function contains(file: number, size: number, bytes: Buffer): boolean {
  const part = Buffer.allocUnsafe(PART + bytes.length);
  for (let end = size; end > 0 && size - end < MOST; end -= PART) {
    const count = readSync(file, part, 0, part.length, Math.max(end - PART, 0));
    if (part.subarray(0, count).includes(bytes)) return true;
  }
  return false;
}
