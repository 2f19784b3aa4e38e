import { formatTable } from '@tributary/terminal/table';
import type { Comparison, Side, SideFigures, Verdict } from '../report/comparison.js';
import type { Difference } from '../statistics/difference.js';
import { nameOfStage } from './names.js';
import type { Page } from './report.js';
import { formatDay, formatLength } from './times.js';

/** A comparison for a terminal: what changed, whether that can be claimed, and where. */
export function renderComparison(comparison: Comparison, page: Page): string {
  const { question, before, after, p50, p90 } = comparison;
  const figures = formatTable(
    {
      columns: ['', 'before', 'after', 'change', '95 % of the draws', ''].map((title, at) => ({
        title,
        align: at === 0 || at === 5 ? 'left' : 'right',
      })),
      rows: [
        ['changes', String(before.n), String(after.n), '', '', ''],
        ['releases', String(before.releases), String(after.releases), '', '', ''],
        row('P50', p50),
        row('P90', p90),
        ['upgrades a month', before.upgradesPerMonth.toFixed(1), after.upgradesPerMonth.toFixed(1), '', '', ''],
      ],
      styleTitle: page.bold,
    },
    page.width,
  );
  const heading = `Before: ${describeSide(question.before)}.\nAfter: ${describeSide(question.after)}.`;
  return [heading, figures, stageTable(comparison, page), claim(comparison)].join('\n\n');
}

function describeSide({ lead, since, until, repos, packages }: Side): string {
  const of = [...repos, ...packages];
  return `${formatDay(since)} to ${formatDay(until)}, from ${lead.ready} to ${lead.until}${of.length === 0 ? '' : `, ${of.join(', ')}`}; publications: ${[...lead.channels].join(', ')}`;
}

function row(name: string, { difference, verdict }: Comparison['p50']): readonly string[] {
  if (difference === undefined) return [name, '', '', '', '', ''];
  const { before, after, change, interval } = difference;
  const around = interval === undefined ? '' : `${percent(interval.low)} to ${percent(interval.high)}`;
  return [name, formatLength(before), formatLength(after), percent(change), around, VERDICTS[verdict]];
}

const VERDICTS: { readonly [one in Verdict]: string } = {
  shorter: 'shorter',
  longer: 'longer',
  unclear: 'no claim',
  'too few': 'too few',
};

function percent(change: number): string {
  if (!Number.isFinite(change)) return 'new';
  const rounded = Math.round(change * 100);
  return `${rounded > 0 ? '+' : ''}${rounded} %`;
}

/** Means add up, so each stage has its part of the whole. */
function stageTable({ before, after }: Comparison, page: Page): string {
  const names = [...new Set([before, after].flatMap(({ stages }) => stages.map(nameOfStage)))];
  const mean = ({ stages }: SideFigures, name: string): string => {
    const found = stages.find((stage) => nameOfStage(stage) === name);
    return found === undefined ? '' : formatLength(found.mean);
  };
  const columns = [{ title: 'stage (mean)' }, { title: 'before', align: 'right' as const }, { title: 'after', align: 'right' as const }];
  return formatTable(
    { columns, rows: names.map((name) => [name, mean(before, name), mean(after, name)]), styleTitle: page.bold },
    page.width,
  );
}

function claim({ p50, p90 }: Comparison): string {
  const sentences = (
    [
      ['P50', p50],
      ['P90', p90],
    ] as const
  ).map(([name, { difference, verdict }]) => sentenceOf(name, difference, verdict));
  return `${sentences.join(' ')} What else changed in this time, such as how often there are releases, is in these figures too.`;
}

function sentenceOf(name: string, difference: Difference | undefined, verdict: Verdict): string {
  switch (verdict) {
    case 'shorter':
    case 'longer':
      return `The ${name} is ${verdict} by ${percent(Math.abs(difference?.change ?? 0)).replace('+', '')}.`;
    case 'unclear':
      return `The data do not say whether the ${name} changed.`;
    case 'too few':
      return `There are too few changes or releases to say anything of the ${name}.`;
  }
}
