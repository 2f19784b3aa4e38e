import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';

/** A new empty folder in the system's temporary folder. `path` contains no symbolic link, so that it matches what programs report. */
export class TempFolder {
  readonly path: AbsolutePath;

  constructor() {
    // On macOS, /var is a link to /private/var, and git prints the latter.
    this.path = parseAbsolutePath(realpathSync(mkdtempSync(join(tmpdir(), 'tributary-'))));
  }

  /** Returns the native path of a name below the folder; it need not exist. */
  join(...names: string[]): AbsolutePath {
    return parseAbsolutePath(join(this.path, ...names));
  }

  /** Writes a file below the folder, with its parent folders, and returns its path. */
  write(name: string, content: string | Uint8Array): AbsolutePath {
    const file = this.join(name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  /** Removes the folder with its content; a second call does nothing. */
  dispose(): void {
    // Retries: a killed git may have left a child that is still writing.
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}
