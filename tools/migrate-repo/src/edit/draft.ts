import type { RepoPath } from '@tributary/model/paths';
import type { Edits, TreeFiles } from '../align/project.js';

/** Files with edits laid over them, so that one edit sees what another one has done. */
export class Draft implements TreeFiles {
  private readonly files: TreeFiles;
  private readonly changed = new Map<RepoPath, string | undefined>();
  private readonly known: ReadonlySet<RepoPath>;
  /** Until the next edit. */
  private sorted: readonly RepoPath[] | undefined;

  constructor(files: TreeFiles) {
    this.files = files;
    this.known = new Set(files.paths);
  }

  /** With what was added, without what was taken away. */
  get paths(): readonly RepoPath[] {
    if (this.changed.size === 0) return this.files.paths;
    this.sorted ??= [...new Set([...this.files.paths, ...this.changed.keys()])].filter((path) => this.has(path)).sort();
    return this.sorted;
  }

  readonly read = (path: RepoPath): string | undefined => (this.changed.has(path) ? this.changed.get(path) : this.files.read(path));

  has(path: RepoPath): boolean {
    return this.changed.has(path) ? this.changed.get(path) !== undefined : this.known.has(path);
  }

  /** An edit that changes nothing leaves no trace, nor does one that takes an earlier one back. */
  apply(edits: Edits): void {
    this.sorted = undefined;
    for (const [path, text] of edits) {
      const isAsBefore = text === undefined ? !this.known.has(path) : this.known.has(path) && text === this.files.read(path);
      if (isAsBefore) this.changed.delete(path);
      else this.changed.set(path, text);
    }
  }

  /** Ordered by path. */
  get edits(): Edits {
    return new Map([...this.changed].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
