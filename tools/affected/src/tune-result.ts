import type { AllReason } from '@tributary/model/changeset';
import { isInside, type RepoFolder } from '@tributary/model/paths';
import type { TunedFigures, TuneProposal, TuneResult } from './result.js';

/** A commit with its answer under one configuration. */
export interface Tried {
  readonly commit: string;
  readonly parent: string;
  readonly files: readonly string[];
  readonly all: AllReason | null;
  readonly unclaimedFiles: readonly string[];
  readonly affected: number;
  readonly workspaceCount: number;
}

interface Outcome {
  readonly before: readonly Tried[];
  /** The same commits in the same order, with all proposals applied. */
  readonly after: readonly Tried[];
  readonly proposals: readonly TuneProposal[];
}

/** Compares the figures before and after. Savings of several proposals together are divided among them. */
export function tuneResult(head: string, { before, after, proposals }: Outcome): TuneResult {
  const gains = proposals.map(() => ({ commits: 0, saves: 0 }));
  for (const [at, one] of before.entries()) {
    const saved = shareOf(one) - shareOf(after[at] ?? one);
    const takingPart = saved > 0 ? proposals.flatMap((proposal, index) => (isAbout(proposal, one) ? [index] : [])) : [];
    for (const index of takingPart) {
      const gain = gains[index];
      if (gain === undefined) continue;
      gain.commits++;
      gain.saves += saved / takingPart.length / Math.max(before.length, 1);
    }
  }
  const weighed = proposals.map((proposal, at) => ({ ...proposal, ...gains[at], saves: round(gains[at]?.saves ?? 0) }));
  return {
    schemaVersion: 1,
    head,
    commits: before.length,
    before: figuresOf(before),
    after: figuresOf(after),
    proposals: weighed.filter(({ saves }) => saves > 0).sort((one, other) => other.saves - one.saves),
    left: leftOf(after),
    written: [],
    warnings: [],
  };
}

/** Each rule is for one file, or for one folder (`folder/**`). */
function isAbout({ rule }: TuneProposal, { files }: Tried): boolean {
  return rule.files.some((glob) => files.some((path) => isInside(path, glob.replace(/\/\*\*$/, '') as RepoFolder)));
}

function shareOf({ affected, workspaceCount }: Tried): number {
  return affected / Math.max(workspaceCount, 1);
}

function figuresOf(tried: readonly Tried[]): TunedFigures {
  const shares = tried.map(shareOf);
  return {
    all: tried.filter(({ all }) => all !== null).length,
    mean: round(shares.reduce((sum, share) => sum + share, 0) / Math.max(shares.length, 1)),
  };
}

function leftOf(tried: readonly Tried[]): TuneResult['left'] {
  const counts = new Map<string, { code: string; subject: string | null; commits: number }>();
  for (const { all, unclaimedFiles } of tried) {
    if (all === null) continue;
    const subject = all.subject ?? (all.code === 'FILE_UNCLAIMED' ? unclaimedFiles[0] : undefined) ?? null;
    const known = counts.get(`${all.code} ${subject}`) ?? { code: all.code, subject, commits: 0 };
    counts.set(`${all.code} ${subject}`, { ...known, commits: known.commits + 1 });
  }
  return [...counts.values()].sort((one, other) => other.commits - one.commits);
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
