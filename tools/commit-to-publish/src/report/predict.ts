import { ToolError } from '@tributary/model/errors';
import { type Estimate, type Mode, type StagedChange, whatIf } from '../statistics/what-if.js';
import type { Figures } from './figures.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from './least.js';
import { type PredictedScenario, type Prediction, type PredictionQuestion, type Scenario, scenariosOf } from './prediction.js';
import type { SideData } from './side.js';

const SHARES = [0.5, 0.9] as const;

/**
 * Estimates the lead times of changes without some of their stages, if releases are as frequent as before. Throws `USAGE` for an unknown
 * stage.
 */
export function predict({ changes, stages, figures }: SideData, question: PredictionQuestion): Prediction {
  const { without, side, method } = question;
  const scenarios: readonly Scenario[] = without.length > 0 ? [{ kind: 'asked', without }] : scenariosOf(side.lead.until);
  const estimate = (fallen: readonly string[]): PredictedScenario['modes'] =>
    pairsOf(changes, { kept: [...stages.keys()].filter((at) => !fallen.includes(stages[at] ?? '')), percentiles: SHARES, method });
  const wholeWay = estimate([]);
  return {
    question,
    now: figures,
    wholeWay,
    // A replay that removes no stage is the measurement.
    measured: wholeWay.replay,
    scenarios: scenarios.map((scenario) => {
      checkStages(scenario.without, stages);
      const kept = stages.filter((stage) => !scenario.without.includes(stage));
      return { ...scenario, kept, modes: estimate(scenario.without) };
    }),
  };
}

function pairsOf(changes: readonly StagedChange[], options: Parameters<typeof whatIf>[1]): Readonly<Record<Mode, Figures>> {
  // Too few changes give no figures, so nothing is computed.
  const estimates = whatIf(changes.length < LEAST_FOR_P50 ? [] : changes, options);
  const pair = ([p50, p90]: readonly Estimate[]): Figures => ({ p50, p90: changes.length < LEAST_FOR_P90 ? undefined : p90 });
  return { simulation: pair(estimates.simulation), replay: pair(estimates.replay), article: pair(estimates.article) };
}

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
