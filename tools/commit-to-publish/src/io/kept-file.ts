import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { syncFolder } from '@tributary/process/sync-to-disk';
import { collectedFile } from './collected-file.js';
import { makeFolders } from './durable.js';

/** A file beside a record that keeps what the forge reported of a repository, as lines of NDJSON. It is only ever appended to. */
export class KeptFile<Line> {
  private readonly path: string;
  private handle: number | undefined;

  /** `repo`: what it is called in the record. */
  constructor(record: AbsolutePath, repo: string, what: 'github' | 'jobs') {
    this.path = collectedFile(record, repo, `.${what}.ndjson`);
  }

  /** None where nothing was kept yet. */
  lines(): readonly string[] {
    return existsSync(this.path) ? readFileSync(this.path, 'utf8').split('\n') : [];
  }

  /** Makes it where it is missing. */
  open(): void {
    makeFolders(dirname(this.path));
    this.handle = openSync(this.path, 'a');
    syncFolder(dirname(this.path));
  }

  /** The line is on the disk when it returns. */
  append(line: Line): void {
    if (this.handle === undefined) throw new Error('The file is not open.');
    // The line break before it ends what a killed one has left of its line.
    writeFileSync(this.handle, `\n${JSON.stringify(line)}`);
    fsyncSync(this.handle);
  }

  close(): void {
    if (this.handle !== undefined) closeSync(this.handle);
    this.handle = undefined;
  }
}
