import type { PolicyFigures, ReplayedCommit } from './result.js';

/** Returns the figures of each policy over the same commits. */
export function figuresOf(commits: readonly ReplayedCommit[]): readonly PolicyFigures[] {
  return [
    policyFigures(commits, 'everything', ({ workspaceCount }) => workspaceCount),
    policyFigures(commits, 'transitive', ({ affected }) => affected),
  ];
}

function policyFigures(
  commits: readonly ReplayedCommit[],
  policy: PolicyFigures['policy'],
  runsOf: (commit: ReplayedCommit) => number,
): PolicyFigures {
  const shares = commits.map((commit) => runsOf(commit) / Math.max(commit.workspaceCount, 1)).sort((a, b) => a - b);
  return {
    policy,
    runs: commits.reduce((sum, commit) => sum + runsOf(commit), 0),
    mean: round(shares.reduce((sum, share) => sum + share, 0) / Math.max(shares.length, 1)),
    median: round(quantile(shares, 0.5)),
    p90: round(quantile(shares, 0.9)),
    all: commits.filter((commit) => runsOf(commit) === commit.workspaceCount).length,
  };
}

/** Returns a quantile of sorted values by nearest rank; 0 if there are none. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? 0;
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
