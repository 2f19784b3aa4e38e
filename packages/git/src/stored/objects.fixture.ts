import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { ObjectId } from '@tributary/model/ids';
import type { WorkTree } from '../git.fixture.js';
import { hashObject } from '../object-id.js';
import { StoredObjects } from './objects.js';

/** What is asked of a `TempRepo`. */
interface Committed {
  write(files: Readonly<Record<string, string>>): unknown;
  commit(message: string): unknown;
}

export function open(repo: WorkTree): StoredObjects {
  return new StoredObjects(join(repo.path, '.git'));
}

export function fileOf(repo: WorkTree, id: ObjectId): string {
  return join(repo.path, '.git/objects', id.slice(0, 2), id.slice(2));
}

/** Lays an object down as a file, deflated in some way. */
export function lay(repo: WorkTree, content: Buffer, options: { level?: number; strategy?: number; memLevel?: number }): ObjectId {
  const id = hashObject('sha1', 'blob', content);
  mkdirSync(dirname(fileOf(repo, id)), { recursive: true });
  writeFileSync(fileOf(repo, id), deflateSync(Buffer.concat([Buffer.from(`blob ${content.length}\0`), content]), options));
  return id;
}

/** Commits to one file of many lines and a folder of many entries: what git makes long chains of deltas of. */
export function commitChanges(repo: Committed, commits: number): void {
  const lines = Array.from({ length: 900 }, (_, line) => `line ${line} ${hashObject('sha1', 'blob', Buffer.from(`${line}`))}`);
  for (let at = 0; at < commits; at++) {
    lines[at * 29] = `changed ${at}`;
    lines.splice(at * 7, 3);
    const folder = Object.fromEntries(Array.from({ length: at === 0 ? 300 : 1 }, (_, file) => [`many/f${file * 7 + at}`, `${at}`]));
    repo.write({ 'many.txt': lines.join('\n'), ...folder });
    repo.commit(`Commit ${at}`);
  }
}

/** The one pack of a repository. */
export function packIn(repo: WorkTree): string {
  const folder = join(repo.path, '.git/objects/pack');
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.pack')) ?? '');
}
