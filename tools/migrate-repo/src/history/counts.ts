import { authorOf, type CommitParts } from './commit.js';

/** The size of a history. */
export interface HistoryCounts {
  readonly commits: number;
  /** Commits with more than one parent. */
  readonly merges: number;
  /** Distinct authors, by name and address. */
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
