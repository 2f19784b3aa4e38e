import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';

/** A new empty folder under the system's temporary folder; `path` holds no symbolic link, as programs report it. */
export class TempFolder {
  readonly path: AbsolutePath;

  constructor() {
    // macOS: /var is a link to /private/var, and git answers with the latter.
    this.path = parseAbsolutePath(realpathSync(mkdtempSync(join(tmpdir(), 'tributary-'))));
  }

  /** The native path of something below the folder; it need not exist. */
  join(...names: string[]): AbsolutePath {
    return parseAbsolutePath(join(this.path, ...names));
  }

  /** Writes a file below the folder, with the folders above it, and returns its path. */
  write(name: string, content: string | Uint8Array): AbsolutePath {
    const file = this.join(name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  /** Removes the folder and everything in it; a second call does nothing. */
  dispose(): void {
    // Retries: a git that was killed may have left a child that still writes.
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}
