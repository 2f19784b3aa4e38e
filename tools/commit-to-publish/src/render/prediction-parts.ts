import type { Figures } from '../report/figures.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from '../report/least.js';
import type { PredictedScenario, Prediction, Scenario } from '../report/prediction.js';
import { MODES } from '../statistics/what-if.js';
import { describeUnit } from './comparison-parts.js';
import { formatP50, formatP90 } from './figures.js';
import type { Grid } from './grid.js';
import { formatLength, formatRate } from './times.js';

// The parts of a prediction that a terminal and Markdown share.

/** Returns the lead times with all stages: measured, and estimated by each mode. The difference shows how far to trust the mode. */
export function nowGrid({ measured, wholeWay, now: { n } }: Prediction): Grid {
  return {
    titles: ['as it is', 'P50 (95 %)', 'P90 (95 %)'],
    rows: [
      ['measured', ...cells(measured, n)],
      ...MODES.filter((mode) => mode !== 'replay').map((mode) => [`by ${mode}`, ...cells(wholeWay[mode], n)]),
    ],
  };
}

export function scenarioGrid({ modes }: PredictedScenario, { measured, now: { n } }: Prediction): Grid {
  return {
    titles: ['predicted by', 'P50 (95 %)', 'P90 (95 %)', 'saves P50', 'P90'],
    rows: MODES.map((mode) => [mode, ...cells(modes[mode], n), saved(measured.p50, modes[mode].p50), saved(measured.p90, modes[mode].p90)]),
  };
}

function cells({ p50, p90 }: Figures, n: number): readonly [string, string] {
  return [formatP50(p50, n), formatP90(p90, n)];
}

/** Compares with the measured figure, not with the estimate of the mode for all stages. */
function saved(measured: Figures['p50'], predicted: Figures['p50']): string {
  if (measured === undefined || predicted === undefined) return '';
  const less = measured.value - predicted.value;
  return less < 0 ? `-${formatLength(-less)}` : formatLength(less);
}

export function titleOf({ kind, without }: Scenario): string {
  const fallen = `without ${without.join(', ')}`;
  switch (kind) {
    case 'as the package':
      return `One release instead of two, as often as the package is released now: ${fallen}`;
    case 'as the consumer':
      return `One release instead of two, as often as the consumer is released now: ${fallen}`;
    case 'at once':
      return `With the consumer as soon as it is ready: ${fallen}`;
    case 'asked':
      return fallen.replace(/^w/, 'W');
  }
}

export function describePrediction({ now, scenarios, question }: Prediction): readonly string[] {
  const { n, upgrades, reached } = now;
  if (n === 0) return [describeNothing(reached, question.side.lead.until)];
  const few =
    n < LEAST_FOR_P50 ? [`${n} changes are too few for a prediction: ${LEAST_FOR_P50} are needed, and ${LEAST_FOR_P90} for a P90.`] : [];
  const withoutUpgrades = scenarios.some(({ without }) => without.includes('upgrade-merge'));
  return [
    ...few,
    ...(withoutUpgrades && upgrades.n > 0
      ? [`${formatRate(upgrades.perMonth)} consumer upgrades a month would disappear (${upgrades.n} in this time).`]
      : []),
    ...(n < LEAST_FOR_P50 ? [] : SENTENCES),
    ...(scenarios.length > 1 ? ['Which of the two releases stays is a separate decision.'] : []),
    ...[describeUnit(question.side)].filter((sentence) => sentence !== ''),
  ];
}

/** Explains the names of a scenario's rows. */
export const METHODS =
  'Simulation combines stages of different changes; use it if you want one figure. Replay removes the stages from each change. Article adds the percentiles of the remaining stages, as articles do; such a sum is not a percentile.';

const SENTENCES = [METHODS, 'All assume that everything else stays the same, above all how often there are releases.'];

function describeNothing(reached: Prediction['now']['reached'], until: Prediction['question']['side']['lead']['until']): string {
  const ends = (['published', 'upgraded', 'released'] as const).filter((end) => end !== until && (reached?.[end] ?? 0) > 0);
  const elsewhere = ends.map((end) => `--to ${end} has ${reached?.[end] ?? 0}`);
  return `Nothing has arrived there in this time, so nothing can be predicted.${elsewhere.length === 0 ? ' Upgrades are seen where package and consumer are collected together: commit-to-publish collect --repo <package> --repo <consumer>.' : ` ${elsewhere.join(', ')}.`}`;
}
