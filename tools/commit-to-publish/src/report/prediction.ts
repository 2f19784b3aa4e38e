import type { PercentileMethod } from '../statistics/percentile.js';
import type { Mode } from '../statistics/what-if.js';
import type { Figures } from './figures.js';
import type { SideFigures, SideQuestion } from './side.js';

/** What would fall away, and what that stands for. */
export interface Scenario {
  /** `as the package`, `as the consumer`: of two releases that of the one or the other stays. `at once`: a change is with its consumer as soon as it is ready. `asked`: as the question says. */
  readonly kind: 'as the package' | 'as the consumer' | 'at once' | 'asked';
  /** Names of stages, those of a consumer's own publication as `consumer-publish`. */
  readonly without: readonly string[];
}

export interface PredictionQuestion {
  readonly side: SideQuestion;
  /** Empty: those that suit the end of the way. */
  readonly without: readonly string[];
  readonly method: PercentileMethod;
}

/** What a move would save. Lengths in microseconds. */
export interface Prediction {
  readonly question: PredictionQuestion;
  readonly now: SideFigures;
  /** As it was measured. */
  readonly measured: Figures;
  /** What each mode makes of the whole way: how far it is from what was measured says how far it may be trusted. */
  readonly wholeWay: Readonly<Record<Mode, Figures>>;
  readonly scenarios: readonly PredictedScenario[];
}

export interface PredictedScenario extends Scenario {
  /** The stages that stay, in their order. */
  readonly kept: readonly string[];
  readonly modes: Readonly<Record<Mode, Figures>>;
}

const UPGRADE = ['upgrade-open', 'upgrade-tests', 'upgrade-merge'];

/** What falls away where package and consumer share a repository. Empty where no consumer is on the way. */
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
