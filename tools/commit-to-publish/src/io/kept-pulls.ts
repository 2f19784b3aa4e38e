import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import type { KeptPage } from '../collect/pull-walk.js';
import { syncFolder } from './journal.js';

/** The file beside a record in which the pull requests of a repository are kept, a page on each line. It is only ever appended to. */
export class KeptPullsFile {
  private readonly path: string;
  private handle: number | undefined;

  /** `repo`: what it is called in the record. */
  constructor(record: AbsolutePath, repo: string) {
    this.path = join(record, 'collected', `${encodeURIComponent(repo)}.github.ndjson`);
  }

  /** None where nothing was kept yet. */
  lines(): readonly string[] {
    return existsSync(this.path) ? readFileSync(this.path, 'utf8').split('\n') : [];
  }

  /** Makes it where it is missing. */
  open(): void {
    mkdirSync(dirname(this.path), { recursive: true });
    this.handle = openSync(this.path, 'a');
    syncFolder(dirname(this.path));
  }

  /** The page is on the disk when it returns. */
  append(page: KeptPage): void {
    if (this.handle === undefined) throw new Error('The file is not open.');
    // The line break before it ends what a killed one has left of its line.
    writeFileSync(this.handle, `\n${JSON.stringify(page)}`);
    fsyncSync(this.handle);
  }

  close(): void {
    if (this.handle !== undefined) closeSync(this.handle);
    this.handle = undefined;
  }
}
