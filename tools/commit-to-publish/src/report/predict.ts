import { ToolError } from '@tributary/model/errors';
import { type Figures, figuresOf } from './figures.js';
import type { SideData, SideFigures, SideQuestion, StagedChange } from './side.js';

/** The stages that a move makes unnecessary, and the reason. */
export interface Scenario {
  /**
   * `as the package`, `as the consumer`: of two releases, only the package's or only the consumer's remains.
   * `at once`: a change reaches its consumer as soon as it is ready. `asked`: as the question says.
   */
  readonly kind: 'as the package' | 'as the consumer' | 'at once' | 'asked';
  /** Names of stages; those of a consumer's own publication have a prefix, as in `consumer-publish`. */
  readonly without: readonly string[];
}

interface PredictionQuestion {
  readonly side: SideQuestion;
  /** Empty: the stages that suit the end of the question. */
  readonly without: readonly string[];
}

/** The estimated effect of a move. Lengths in microseconds. */
export interface MovePrediction {
  readonly question: PredictionQuestion;
  readonly now: SideFigures;
  readonly measured: Figures;
  readonly scenarios: readonly PredictedScenario[];
}

export interface PredictedScenario extends Scenario {
  /** The remaining stages, in order. */
  readonly kept: readonly string[];
  /** The number of changes of which only a lower bound of them is known; `undefined`: they may be shorter or longer, so there are no figures. */
  readonly atLeast: number | undefined;
  /** The figures of the same changes with the remaining stages only. */
  readonly figures: Figures;
}

/**
 * Estimates the lead times of changes without some of their stages, if releases are as frequent as before: it removes the stages from each
 * change. Throws `USAGE` for an unknown stage.
 */
export function predict({ changes, stages, figures }: SideData, question: PredictionQuestion): MovePrediction {
  const { without, side } = question;
  const scenarios: readonly Scenario[] = without.length > 0 ? [{ kind: 'asked', without }] : scenariosOf(side.lead.until);
  const replay = (kept: readonly string[], atLeast: number): Figures => {
    const places = kept.map((stage) => stages.indexOf(stage));
    const total = (lengths: readonly number[]): number => places.reduce((sum, at) => sum + (lengths[at] ?? 0), 0);
    return figuresOf(
      changes.map(({ stages: lengths, cluster }) => ({ value: total(lengths), cluster })),
      atLeast,
    );
  };
  return {
    question,
    now: figures,
    measured: replay(stages, figures.atLeast),
    scenarios: scenarios.map((scenario) => {
      checkStages(scenario.without, stages);
      const kept = stages.filter((stage) => !scenario.without.includes(stage));
      const atLeast = countBounds(kept, { changes, stages });
      return { ...scenario, kept, atLeast, figures: atLeast === undefined ? UNKNOWN : replay(kept, atLeast) };
    }),
  };
}

const UNKNOWN: Figures = { p50: undefined, p90: undefined };

/**
 * Counts the changes of which only a lower bound of some stages is known. A publication that was later than its lower bound took that time
 * from the stage after it: together, they are known; that stage alone is not, and this returns `undefined`.
 */
function countBounds(kept: readonly string[], { changes, stages }: Pick<SideData, 'changes' | 'stages'>): number | undefined {
  const hasNext = kept.includes('upgrade-open');
  const isSum = hasNext && UP_TO_PUBLICATION.every((stage) => kept.includes(stage));
  const isBound = ({ areBounds }: StagedChange, stage: string): boolean => areBounds[stages.indexOf(stage)] === true;
  if (hasNext && !isSum && changes.some((change) => isBound(change, 'publish'))) return undefined;
  const bounded = kept.filter((stage) => !(isSum && UP_TO_PUBLICATION.includes(stage)));
  return changes.filter((change) => bounded.some((stage) => isBound(change, stage))).length;
}

const UP_TO_PUBLICATION = ['post-merge-tests', 'publish-wait', 'publish'];

function checkStages(without: readonly string[], stages: readonly string[]): void {
  const stray = without.find((stage) => !stages.includes(stage));
  if (stray === undefined) return;
  throw new ToolError({
    code: 'USAGE',
    message: `${stray} is no stage of this way.`,
    hint: `Its stages are: ${stages.join(', ')}.`,
    data: { stage: stray, stages },
  });
}

const UPGRADE = ['upgrade-open', 'upgrade-tests', 'upgrade-merge'];

/** Returns the stages that fall away if package and consumer share a repository. Empty if the question has no consumer. */
export function scenariosOf(until: SideQuestion['lead']['until']): readonly Scenario[] {
  switch (until) {
    case 'published':
      return [];
    case 'upgraded':
      return [{ kind: 'at once', without: ['publish-wait', 'publish', ...UPGRADE] }];
    case 'released':
      return [
        { kind: 'as the package', without: [...UPGRADE, 'consumer-publish-wait', 'consumer-publish'] },
        { kind: 'as the consumer', without: ['publish-wait', 'publish', ...UPGRADE] },
      ];
  }
}
