import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { ObjectId } from '@tributary/model/ids';

export type RawType = 'blob' | 'tree' | 'commit' | 'tag';

/** One line of a tree. The name is bytes as Latin-1 text; the mode may be one that git never writes. */
export interface RawEntry {
  readonly mode: string;
  readonly name: string;
  readonly id: string;
}

/**
 * Writes objects with any content directly into the object folder of a repository: hundreds in the time of one git process. Nothing is
 * checked, so that objects of old tools can be reproduced.
 */
export class LooseObjects {
  private readonly folder: string;
  private readonly format: 'sha1' | 'sha256';

  /** `gitDir`: the repository itself if it is bare. */
  constructor(gitDir: string, format: 'sha1' | 'sha256') {
    this.folder = join(gitDir, 'objects');
    this.format = format;
  }

  write(type: RawType, content: string | Uint8Array): ObjectId {
    const body = Buffer.from(content);
    const object = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
    const id = createHash(this.format).update(object).digest('hex') as ObjectId;
    const file = join(this.folder, id.slice(0, 2), id.slice(2));
    if (existsSync(file)) return id;
    mkdirSync(join(this.folder, id.slice(0, 2)), { recursive: true });
    writeFileSync(file, deflateSync(object, { level: 1 }));
    return id;
  }

  /** Writes a tree with these entries, in git's sort order. */
  writeTree(entries: readonly RawEntry[]): ObjectId {
    const key = (entry: RawEntry): string => (entry.mode === '40000' ? `${entry.name}/` : entry.name);
    const sorted = [...entries].sort((a, b) => (key(a) < key(b) ? -1 : 1));
    return this.write(
      'tree',
      Buffer.concat(sorted.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(id, 'hex')])),
    );
  }
}
