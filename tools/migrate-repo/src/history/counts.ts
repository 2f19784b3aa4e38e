import { authorOf, type CommitParts } from './commit.js';

/** What a history amounts to. */
export interface HistoryCounts {
  readonly commits: number;
  /** Commits with more than one parent. */
  readonly merges: number;
  /** Different names with addresses among the authors. */
  readonly authors: number;
}

/** Counts a history commit by commit. */
export class HistoryCounter {
  private commits = 0;
  private merges = 0;
  private readonly authors = new Set<string>();

  add(commit: CommitParts): void {
    this.commits += 1;
    if (commit.parents.length > 1) this.merges += 1;
    this.authors.add(authorOf(commit));
  }

  result(): HistoryCounts {
    return { commits: this.commits, merges: this.merges, authors: this.authors.size };
  }
}

export function sameCounts(a: HistoryCounts, b: HistoryCounts): boolean {
  return a.commits === b.commits && a.merges === b.merges && a.authors === b.authors;
}
