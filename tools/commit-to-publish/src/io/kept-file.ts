import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { syncFolder } from '@tributary/process/sync-to-disk';
import { collectedFile } from './collected-file.js';
import { makeFolders } from './durable.js';

/** A file in a record that keeps the forge's reports about a repository, as lines of NDJSON. It is append-only. */
export class KeptFile<Line> {
  private readonly path: string;
  private handle: number | undefined;

  /** `repo`: the name of the repository in the record. */
  constructor(record: AbsolutePath, repo: string, what: 'github' | 'jobs') {
    this.path = collectedFile(record, repo, `.${what}.ndjson`);
  }

  /** Returns the lines; none if nothing was kept yet. */
  lines(): readonly string[] {
    return existsSync(this.path) ? readFileSync(this.path, 'utf8').split('\n') : [];
  }

  /** Creates the file if needed. */
  open(): void {
    makeFolders(dirname(this.path));
    this.handle = openSync(this.path, 'a');
    syncFolder(dirname(this.path));
  }

  /** Appends a line, which is on disk when it returns. */
  append(line: Line): void {
    if (this.handle === undefined) throw new Error('The file is not open.');
    // The leading line break ends a line that a killed process left incomplete.
    writeFileSync(this.handle, `\n${JSON.stringify(line)}`);
    fsyncSync(this.handle);
  }

  close(): void {
    if (this.handle !== undefined) closeSync(this.handle);
    this.handle = undefined;
  }
}
