import { ToolError } from '@tributary/model/errors';
import type { ObjectId } from '@tributary/model/ids';
import { writeAll } from '@tributary/process/spawn';
import type { Git } from './git.js';
import type { GitObject, NamedObject, ObjectType } from './object-id.js';
import { ObjectReader } from './object-reader.js';

const LINE_FEED = 0x0a;

/**
 * Reads objects in the order of `ids`, through one `cat-file --batch`, in groups as large as git delivers them. Throws `GIT_FAILED` for a
 * missing object.
 */
export async function* streamObjects(git: Git, ids: readonly ObjectId[]): AsyncGenerator<readonly GitObject[]> {
  if (ids.length === 0) return;
  const running = git.start(['cat-file', '--batch', '--buffer']);
  const writing = writeAll(running.stdin, inLines(ids));
  const parser = new BatchParser();
  for await (const chunk of running.stdout) {
    const group = parser.push(chunk as Buffer);
    if (group.length > 0) yield group;
  }
  await writing;
  await running.done();
  if (parser.count !== ids.length) {
    throw new ToolError({ code: 'GIT_FAILED', message: `git delivered ${parser.count} of ${ids.length} objects.` });
  }
}

/** Returns the objects in the order of `ids`. For small numbers: all are held in memory. Throws like `streamObjects`. */
export async function readObjects(git: Git, ids: readonly ObjectId[]): Promise<GitObject[]> {
  const objects: GitObject[] = [];
  for await (const group of streamObjects(git, ids)) objects.push(...group);
  return objects;
}

/** Returns objects by name, like `ObjectReader.read`. Throws `GIT_FAILED`. */
export async function readNamedObjects(git: Git, names: readonly string[]): Promise<(GitObject | undefined)[]> {
  if (git.objects !== undefined || names.length === 0) return git.objects?.read(names) ?? [];
  return withObjectReader(git, ({ objects }) => objects.read(names));
}

/** Returns the contents of blobs by name; `undefined` if there is no such blob. Throws `GIT_FAILED`. */
export async function readNamedBlobs(git: Git, names: readonly string[]): Promise<(Buffer | undefined)[]> {
  return (await readNamedObjects(git, names)).map((object) => (object?.type === 'blob' ? object.content : undefined));
}

/** Returns what names refer to, like `ObjectReader.resolve`. Throws `GIT_FAILED`. */
export async function resolveNames(git: Git, names: readonly string[]): Promise<(NamedObject | undefined)[]> {
  if (git.objects !== undefined || names.length === 0) return git.objects?.resolve(names) ?? [];
  return withObjectReader(git, ({ objects }) => objects.resolve(names));
}

/** Calls `use` with a git that resolves and reads names through one process. */
export async function withObjectReader<T>(git: Git, use: (git: Git & { readonly objects: ObjectReader }) => Promise<T>): Promise<T> {
  const objects = new ObjectReader(git);
  try {
    return await use({ ...git, objects });
  } finally {
    objects.close();
  }
}

/** Parses the output of `cat-file --batch` into objects, regardless of how it is split into chunks. */
class BatchParser {
  count = 0;
  private held: Buffer[] = [];
  private heldBytes = 0;
  private needed = 1;

  push(chunk: Buffer): GitObject[] {
    this.held.push(chunk);
    this.heldBytes += chunk.length;
    // Joining after each chunk would copy a large object again and again.
    if (this.heldBytes < this.needed) return [];
    return this.cut(this.held.length === 1 ? chunk : Buffer.concat(this.held));
  }

  private cut(bytes: Buffer): GitObject[] {
    const objects: GitObject[] = [];
    let at = 0;
    this.needed = 1;
    while (at < bytes.length) {
      const end = bytes.indexOf(LINE_FEED, at);
      if (end < 0) break;
      const header = parseHeader(bytes.toString('latin1', at, end));
      const next = end + 1 + header.size + 1;
      if (next > bytes.length) {
        this.needed = next - at;
        break;
      }
      objects.push({ id: header.id, type: header.type, content: bytes.subarray(end + 1, next - 1) });
      at = next;
    }
    this.held = at === bytes.length ? [] : [bytes.subarray(at)];
    this.heldBytes = bytes.length - at;
    this.count += objects.length;
    return objects;
  }
}

function parseHeader(line: string): { id: ObjectId; type: ObjectType; size: number } {
  const [id = '', type = '', size] = line.split(' ');
  if (size === undefined) {
    throw new ToolError({
      code: 'GIT_FAILED',
      message: `The object ${id} is ${type === '' ? 'unreadable' : type} in the repository.`,
      data: { object: id },
    });
  }
  return { id: id as ObjectId, type: type as ObjectType, size: Number(size) };
}

/** Returns the ids in blocks of some hundred lines: a write for each id would cost more than reading the object. */
function* inLines(ids: readonly ObjectId[]): Generator<string> {
  for (let at = 0; at < ids.length; at += 512) yield `${ids.slice(at, at + 512).join('\n')}\n`;
}
