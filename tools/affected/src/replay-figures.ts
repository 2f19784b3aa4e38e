import type { AffectedAnswer, AffectedQuestion } from '@tributary/workspaces/affected';
import type { PolicyFigures, ReplayedCommit } from './result.js';

/** How many workspaces a commit selects, and of how many, without the root: nearly every change selects it, and few have tests there. */
export type Counts = Pick<ReplayedCommit, 'affected' | 'workspaceCount'>;

/** Returns the counts of an answer. */
export function countsOf({
  answer,
  question,
}: {
  readonly answer: AffectedAnswer;
  readonly question: Pick<AffectedQuestion, 'joined'>;
}): Counts {
  const hasRoot = question.joined.graph.members.some(({ path }) => path === '');
  return {
    workspaceCount: answer.memberCount - (hasRoot ? 1 : 0),
    affected: answer.members.filter(({ path }) => path !== '').length,
  };
}

/** Returns the figures of each policy over the same commits. */
export function figuresOf(commits: readonly Counts[]): readonly PolicyFigures[] {
  const everything = commits.map(({ workspaceCount }) => ({ workspaceCount, affected: workspaceCount }));
  return [
    { policy: 'everything', ...sharesOf(everything) },
    { policy: 'transitive', ...sharesOf(commits) },
  ];
}

/** Returns the distribution of the shares that commits select. */
export function sharesOf(commits: readonly Counts[]): Omit<PolicyFigures, 'policy'> {
  const shares = commits.map(shareOf).sort((a, b) => a - b);
  return {
    runs: commits.reduce((sum, { affected }) => sum + affected, 0),
    mean: round(shares.reduce((sum, share) => sum + share, 0) / Math.max(shares.length, 1)),
    median: round(quantile(shares, 0.5)),
    p90: round(quantile(shares, 0.9)),
    all: commits.filter(isEverything).length,
  };
}

/** From 0 to 1. */
export function shareOf({ affected, workspaceCount }: Counts): number {
  return affected / Math.max(workspaceCount, 1);
}

export function isEverything({ affected, workspaceCount }: Counts): boolean {
  return affected >= workspaceCount;
}

/** Returns a quantile of sorted values by nearest rank; 0 if there are none. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? 0;
}

/** To hundredths of a percent. */
export function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
