import type { RepoPath } from '@tributary/model/paths';
import type { Edits, TreeFiles } from '../align/project.js';

/** Files with edits on top, so that each edit sees the earlier ones. */
export class Draft implements TreeFiles {
  private readonly files: TreeFiles;
  private readonly changed = new Map<RepoPath, string | undefined>();
  private readonly known: ReadonlySet<RepoPath>;
  /** The paths in order, cached until the next edit. */
  private sorted: readonly RepoPath[] | undefined;

  constructor(files: TreeFiles) {
    this.files = files;
    this.known = new Set(files.paths);
  }

  /** The paths, including added files and excluding deleted ones. Sorted once anything is edited. */
  get paths(): readonly RepoPath[] {
    if (this.changed.size === 0) return this.files.paths;
    this.sorted ??= [...new Set([...this.files.paths, ...this.changed.keys()])].filter((path) => this.has(path)).sort();
    return this.sorted;
  }

  readonly read = (path: RepoPath): string | undefined => (this.changed.has(path) ? this.changed.get(path) : this.files.read(path));

  has(path: RepoPath): boolean {
    return this.changed.has(path) ? this.changed.get(path) !== undefined : this.known.has(path);
  }

  /** Adds edits. An edit that changes nothing, or that reverts an earlier one, is not recorded. */
  apply(edits: Edits): void {
    this.sorted = undefined;
    for (const [path, text] of edits) {
      const isAsBefore = text === undefined ? !this.known.has(path) : this.known.has(path) && text === this.files.read(path);
      if (isAsBefore) this.changed.delete(path);
      else this.changed.set(path, text);
    }
  }

  /** The edits, ordered by path. */
  get edits(): Edits {
    return new Map([...this.changed].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
