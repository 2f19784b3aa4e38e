import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectId } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import type { CommitMap } from '../history/rewrite.js';
import { removeFolder } from './remove-folder.js';

/** How far the history of a mirror is made. */
export interface MirrorState {
  /** The commit of the monorepo that it was made from. */
  readonly head: ObjectId;
  readonly images: CommitMap;
}

/**
 * A mirror's history, kept for the next run: commits that the monorepo lacks, and the monorepo's commits that they
 * correspond to. All of it can be recreated, so damaged or other data is ignored.
 */
export interface KeptMirror {
  /** Packs with the commits of the mirror. */
  readonly objects: AbsolutePath;
  /** `undefined` if none matches the key. */
  readonly state: MirrorState | undefined;
  /** Keeps a state, with the packs of its scratch repository. `anew` removes what was kept before. */
  readonly keep: (state: MirrorState, scratch: AbsolutePath, how: 'anew' | 'continued') => void;
}

/** Each run adds a pack, and git is slow with many. */
const MOST_PACKS = 50;

/** Opens the kept state in the tool's own folder of a repository. `key`: everything that determines the result, apart from the commits. */
export function openKeptMirror(home: AbsolutePath, name: string, key: string): KeptMirror {
  const folder = parseAbsolutePath(join(home, `mirror-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`));
  const objects = parseAbsolutePath(join(folder, 'objects'));
  const packs = join(objects, 'pack');
  const isSmall = existsSync(packs) && readdirSync(packs).length <= 3 * MOST_PACKS;
  const state = isSmall ? readState(join(folder, 'state'), key) : undefined;
  const keep = (made: MirrorState, scratch: AbsolutePath, how: 'anew' | 'continued'): void => {
    if (how === 'anew') removeFolder(folder);
    mkdirSync(packs, { recursive: true });
    movePacks(join(scratch, 'objects', 'pack'), packs);
    // Written last, by renaming, so that a state never exists without its objects.
    writeFileSync(join(folder, 'state.new'), formatState(made, key));
    renameSync(join(folder, 'state.new'), join(folder, 'state'));
  };
  return { objects, state, keep };
}

/** Moves packs. The index is last, because git considers a pack complete once its index exists. */
function movePacks(from: string, to: string): void {
  const files = readdirSync(from).sort((a, b) => Number(a.endsWith('.idx')) - Number(b.endsWith('.idx')));
  for (const file of files) renameSync(join(from, file), join(to, file));
}

/** Formats a line of JSON, then a line for each commit, parents first. In a damaged file, the number of lines does not match. */
function formatState({ head, images }: MirrorState, key: string): string {
  const lines = [...images].map(([id, image]) => `${id} ${image}\n`);
  return `${JSON.stringify({ version: 1, key, head, commits: lines.length })}\n${lines.join('')}`;
}

function readState(file: string, key: string): MirrorState | undefined {
  if (!existsSync(file)) return undefined;
  const [first = '', ...lines] = readFileSync(file, 'latin1').split('\n');
  const header = parseHeader(first);
  if (header === undefined || header['version'] !== 1 || header['key'] !== key || header['commits'] !== lines.length - 1) return undefined;
  const images = new Map(lines.slice(0, -1).map((line) => line.split(' ') as [ObjectId, ObjectId]));
  return { head: header['head'] as ObjectId, images };
}

function parseHeader(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
