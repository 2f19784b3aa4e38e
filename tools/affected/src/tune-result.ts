import type { AllReason } from '@tributary/model/changeset';
import { isInside, type RepoFolder } from '@tributary/model/paths';
import type { FileRow } from '@tributary/workspaces/affected';
import { type Counts, round, shareOf, sharesOf } from './replay-figures.js';
import type { TuneCause, TunedFigures, TuneProposal, TuneResult } from './result.js';
import type { CausePart } from './tune-causes.js';

/** A commit with its answer under one configuration. */
export interface Tried extends Counts {
  readonly commit: string;
  readonly parent: string;
  readonly files: readonly string[];
  readonly all: AllReason | null;
  readonly unclaimedFiles: readonly string[];
  readonly causes: readonly CausePart[];
  /** The share of the workspaces that each kind of `affected.reach` leaves out. */
  readonly saved: ReadonlyMap<FileRow, number>;
}

interface Outcome {
  readonly before: readonly Tried[];
  /** The same commits in the same order, with all proposals applied. */
  readonly after: readonly Tried[];
  readonly proposals: readonly TuneProposal[];
  /** Those of `after`. */
  readonly causes: readonly TuneCause[];
}

/** Compares the figures before and after. Savings of several proposals together are divided among them. */
export function tuneResult(head: string, { before, after, proposals, causes }: Outcome): Omit<TuneResult, 'workflow'> {
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
    reach: reachOf(before),
    left: causes.map((cause) => ({ ...cause, share: round(cause.share) })),
    written: [],
    warnings: [],
  };
}

function reachOf(tried: readonly Tried[]): TuneResult['reach'] {
  const kinds = new Set(tried.flatMap(({ saved }) => [...saved.keys()]));
  const savings = [...kinds].map((kind) => {
    const shares = tried.flatMap(({ saved }) => saved.get(kind) ?? []);
    return { kind, commits: shares.length, saves: round(shares.reduce((sum, share) => sum + share, 0) / tried.length) };
  });
  return savings.sort((one, other) => other.saves - one.saves);
}

/** Each rule is for one file, or for one folder (`folder/**`). */
function isAbout({ rule }: TuneProposal, { files }: Tried): boolean {
  return rule.files.some((glob) => files.some((path) => isInside(path, glob.replace(/\/\*\*$/, '') as RepoFolder)));
}

function figuresOf(tried: readonly Tried[]): TunedFigures {
  const { all, mean } = sharesOf(tried);
  return { all, mean };
}
