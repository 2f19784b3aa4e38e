import type { LeadTimeQuestion } from '../model/lead-time.js';
import type { ComparedPercentile, ComparedUpgrades, DifferenceVerdict, LeadTimeComparison } from '../report/comparison.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from '../report/least.js';
import type { ReachedEnds, SideFigures, SideQuestion } from '../report/side.js';
import { LEAST_RELEASES } from '../statistics/interval.js';
import { formatBound, formatShare } from './figures.js';
import type { Grid } from './grid.js';
import { nameOfStage } from './names.js';
import { describeAtLeast, listSome, type Quote } from './sentences.js';
import { formatDay, formatRate } from './times.js';

// The parts of a comparison that a terminal and Markdown share.

/** How much a side stands on: `141 changes in 10 releases; 95 % of the changes that were ready in this time have arrived`. */
export function describeAmount({ n, releases, coverage }: SideFigures): string {
  const arrived = coverage === undefined ? '' : `; ${formatShare(coverage)} of the changes that were ready in this time have arrived`;
  return `${n} ${n === 1 ? 'change' : 'changes'} in ${releases} ${releases === 1 ? 'release' : 'releases'}${arrived}`;
}

/** Returns the unit that is counted; empty for one package without a consumer, where it makes no difference. */
export function describeUnit({ packages, lead }: SideQuestion): string {
  if (packages.length === 1 && lead.until === 'published') return '';
  return `A change counts once for each package${lead.until === 'published' ? '' : ' and consumer'} that it reached.`;
}

/** Describes the changes of a side. */
export function describeSide({ lead, since, until, repos, packages }: SideQuestion, quote: Quote): string {
  const list = (word: string, names: readonly string[]): string => (names.length === 0 ? '' : ` ${word} ${listSome(names, quote)}`);
  const end = { published: 'its publication', upgraded: "the consumer's upgrade", released: "the consumer's release" }[lead.until];
  return `what arrived${list('of', packages)}${list('in', repos)} from ${formatDay(since)} to ${formatDay(until)}, from ${lead.ready} to ${end}; publications: ${[...lead.channels].map(quote).join(', ')}`;
}

export function figureGrid({ before, after, p50, p90, upgrades }: LeadTimeComparison): Grid {
  const n = Math.min(before.n, after.n);
  return {
    titles: ['', 'before', 'after', 'change', '95 % interval', ''],
    rows: [
      ['changes', String(before.n), String(after.n), '', '', ''],
      ['releases', String(before.releases), String(after.releases), '', '', ''],
      ['arrived', formatShare(before.coverage), formatShare(after.coverage), '', '', ''],
      // Too few changes have no percentile.
      n < LEAST_FOR_P50 ? ['P50', '', '', '', '', VERDICTS['too few']] : row('P50', p50, { before, after }),
      n < LEAST_FOR_P90 ? ['P90', '', '', '', '', VERDICTS['too few']] : row('P90', p90, { before, after }),
      ['upgrades', String(before.upgrades.n), String(after.upgrades.n), '', '', ''],
      ['upgrades a month', perMonth(before), perMonth(after), '', '', UPGRADES[upgrades.verdict]],
    ],
  };
}

function perMonth({ upgrades }: SideFigures): string {
  return formatRate(upgrades.perMonth);
}

function row(name: string, { difference, verdict }: ComparedPercentile, sides: ComparedSides): readonly string[] {
  if (difference === undefined) return [name, '', '', '', '', VERDICTS[verdict]];
  const { change, interval } = difference;
  const lengths = (['before', 'after'] as const).map((side) => formatBound(difference[side], sides[side].atLeast));
  if (change === undefined) return [name, ...lengths, '', '', VERDICTS[verdict]];
  const around = interval === undefined ? '' : `${formatChange(interval.low)} to ${formatChange(interval.high)}`;
  return [name, ...lengths, formatChange(change), around, VERDICTS[verdict]];
}

const VERDICTS: { readonly [one in DifferenceVerdict]: string } = {
  shorter: 'shorter',
  longer: 'longer',
  unclear: 'no claim',
  'lower bounds': 'lower bounds',
  'too few': 'too few',
};

const UPGRADES: { readonly [one in ComparedUpgrades['verdict']]: string } = { fewer: 'fewer', more: 'more', unclear: 'no claim', none: '' };

export function formatChange(change: number): string {
  if (!Number.isFinite(change)) return 'new';
  const rounded = Math.round(change * 100);
  return `${rounded > 0 ? '+' : ''}${rounded} %`;
}

/** Compares means, because they add up: each stage has its part of the whole. */
export function stageGrid({ before, after }: LeadTimeComparison): Grid {
  const names = [...new Set([before, after].flatMap(({ stages }) => stages.map(nameOfStage)))];
  const mean = ({ stages }: SideFigures, name: string): string => {
    const found = stages.find((stage) => nameOfStage(stage) === name);
    return found === undefined ? '' : formatBound(found.mean, found.atLeast);
  };
  return { titles: ['stage (mean)', 'before', 'after'], rows: names.map((name) => [name, mean(before, name), mean(after, name)]) };
}

/** Returns sentences on what the data support, and what they do not, with the reason. */
export function describeClaims(comparison: LeadTimeComparison, whom: Audience = 'user'): readonly string[] {
  const { before, after, p50, p90, upgrades, question } = comparison;
  return [
    describeEmpty('before', before, { ...question.before, whom }),
    describeEmpty('after', after, { ...question.after, whom }),
    ...(before.n === 0 || after.n === 0
      ? []
      : [sentenceOf('P50', p50, { before, after, least: LEAST_FOR_P50 }), sentenceOf('P90', p90, { before, after, least: LEAST_FOR_P90 })]),
    describeAtLeast([
      { group: 'before', ...before },
      { group: 'after', ...after },
    ]),
    sentenceOfUpgrades(upgrades, { before, after }),
    [question.before, question.after].map(describeUnit).find((sentence) => sentence !== '') ?? '',
    'These figures also include other changes of this time, such as how often there are releases.',
  ].filter((sentence) => sentence !== '');
}

/** `reader`: somebody who reads a page and runs no command. */
type Audience = 'user' | 'reader';

type ComparedSides = Pick<LeadTimeComparison, 'before' | 'after'>;

/** Returns why a side is empty, and which ends its changes reached. */
function describeEmpty(
  name: 'before' | 'after',
  { n, reached }: SideFigures,
  { lead, whom }: Pick<SideQuestion, 'lead'> & { readonly whom: Audience },
): string {
  if (n > 0 || reached === undefined) return '';
  const elsewhere = describeReached(reached, lead, whom === 'reader' ? undefined : `--${name}-to`);
  return `Nothing of ${name} has arrived${elsewhere.length === 0 ? ', nor reached an earlier end' : `; but ${elsewhere.join(', ')}`}, so no figure is possible.`;
}

/** Returns how many changes reached other ends, each with the option that asks for it. */
export function describeReached(reached: ReachedEnds, { until }: Pick<LeadTimeQuestion, 'until'>, option?: string): readonly string[] {
  const ends = (['published', 'upgraded', 'released'] as const).filter((end) => reached[end] > 0 && end !== until);
  return ends.map((end) => `${reached[end]} ${REACHED[end]}${option === undefined ? '' : ` (${option} ${end})`}`);
}

const REACHED: { readonly [end in keyof ReachedEnds]: string } = {
  published: 'were published',
  upgraded: 'came into a consumer',
  released: 'came out with a consumer',
};

function sentenceOf(
  name: string,
  { difference, verdict }: ComparedPercentile,
  { before, after, least }: ComparedSides & { readonly least: number },
): string {
  switch (verdict) {
    case 'shorter':
    case 'longer':
      return `The ${name} is ${verdict} by ${formatChange(Math.abs(difference?.change ?? 0)).replace('+', '')} (n ${before.n} and ${after.n}).`;
    case 'unclear':
      return `The data do not show whether the ${name} changed: they also fit no change.`;
    case 'lower bounds':
      return `No claim about the ${name}: changes that may have taken longer bear out no difference.`;
    case 'too few':
      if (Math.min(before.n, after.n) < least)
        return `Too few changes for the ${name}: ${before.n} before and ${after.n} after, but ${least} are needed on each side.`;
      return `No claim about the ${name}: ${reasonOf(difference, { before, after })}`;
  }
}

/** Returns why an interval is missing although there are enough changes. */
function reasonOf(difference: ComparedPercentile['difference'], { before, after }: ComparedSides): string {
  if (Math.min(before.releases, after.releases) < LEAST_RELEASES)
    return `the changes were in ${before.releases} releases before and ${after.releases} after, but ${LEAST_RELEASES} are needed on each side.`;
  if (difference?.before === 0 || difference?.after === 0) return 'a figure of zero has no ratio.';
  return 'too few releases to bound how much it changed.';
}

function sentenceOfUpgrades({ gonePerMonth, verdict }: ComparedUpgrades, { before, after }: ComparedSides): string {
  const counts = `${before.upgrades.n} before, ${after.upgrades.n} after`;
  switch (verdict) {
    case 'none':
      return '';
    case 'unclear':
      return `The data do not show whether there are fewer consumer upgrades (${counts}).`;
    case 'fewer':
      return `${formatRate(gonePerMonth)} fewer consumer upgrades a month (${counts}).`;
    case 'more':
      return `There are ${formatRate(-gonePerMonth)} more consumer upgrades a month (${counts}).`;
  }
}
