import type { PercentileMethod } from '../statistics/percentile.js';
import type { Mode } from '../statistics/what-if.js';
import type { Figures } from './figures.js';
import type { SideFigures, SideQuestion } from './side.js';

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

export interface PredictionQuestion {
  readonly side: SideQuestion;
  /** Empty: the stages that suit the end of the question. */
  readonly without: readonly string[];
  readonly method: PercentileMethod;
}

/** The estimated effect of a move. Lengths in microseconds. */
export interface Prediction {
  readonly question: PredictionQuestion;
  readonly now: SideFigures;
  /** The measured figures. */
  readonly measured: Figures;
  /** The estimates of each mode with all stages. Their distance from the measured figures shows how far to trust the mode. */
  readonly wholeWay: Readonly<Record<Mode, Figures>>;
  readonly scenarios: readonly PredictedScenario[];
}

export interface PredictedScenario extends Scenario {
  /** The remaining stages, in order. */
  readonly kept: readonly string[];
  readonly modes: Readonly<Record<Mode, Figures>>;
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
