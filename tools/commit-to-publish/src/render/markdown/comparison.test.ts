import { expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import { marked, type Token } from 'marked';
import type { Micros } from '../../model/event.js';
import type { LeadTimeComparison } from '../../report/comparison.js';
import { predict } from '../../report/predict.js';
import type { SideFigures, SideQuestion } from '../../report/side.js';
import { renderComparison } from '../comparison.js';
import { formatPrediction } from '../prediction.js';
import { formatComparison } from './comparison.js';

const HOSTILE = '</details><img src=x onerror=alert(1)>|`[x](javascript:1)';

function side(until: SideQuestion['lead']['until']): SideQuestion {
  const lead = { ready: 'merged', until, channels: new Set([HOSTILE]) } as const;
  return { lead, since: 0 as Micros, until: 1e15 as Micros, repos: [HOSTILE, 'b', 'c', 'd', 'e'], packages: [HOSTILE] };
}

function figures(n: number, upgrades: number): SideFigures {
  const reached = n === 0 ? { published: 4, upgraded: 0, released: 0 } : undefined;
  return {
    n,
    releases: Math.min(n, 3),
    atLeast: 0,
    coverage: 0.5,
    upgrades: { n: upgrades, perMonth: upgrades / 40 },
    stages: [],
    reached,
  };
}

function comparison({
  n,
  verdict = 'unclear',
}: {
  readonly n: number;
  readonly verdict?: LeadTimeComparison['p50']['verdict'];
}): LeadTimeComparison {
  const compared = { difference: { before: 2e9, after: 1e9, change: -0.5, interval: { low: -0.6, high: -0.4 } }, verdict };
  return {
    question: { before: side('released'), after: side('published') },
    before: figures(n, 2),
    after: figures(40, 0),
    p50: compared,
    p90: compared,
    upgrades: { gonePerMonth: 0.05, chance: 0.5, verdict: 'unclear' },
    predicted: undefined,
  };
}

const MOVE = { packages: [HOSTILE], at: 0 as Micros, landing: '1'.repeat(40) as CommitId, sources: [HOSTILE] };

function tagsIn(markdown: string): readonly string[] {
  const tags: string[] = [];
  const collect = (token: Token): void => {
    if (token.type === 'html') tags.push(...(token.raw.match(/<[^>]*>/g) ?? []));
    if (token.type === 'link' || token.type === 'image') tags.push(token.raw);
  };
  void marked.walkTokens(marked.lexer(markdown), collect);
  return [...new Set(tags)].sort();
}

test('names of others mean nothing in a comparison and in a prediction', () => {
  expect(tagsIn(formatComparison(comparison({ n: 40 }), MOVE))).toEqual(['</details>', '</summary>', '<details>', '<summary>']);
  const changes = Array.from({ length: 40 }, (_, at) => ({ stages: [at, at], areBounds: [false, false], cluster: `${at % 4}` }));
  const data = { changes, stages: ['publish-wait', 'publish'], figures: figures(40, 2) };
  expect(tagsIn(formatPrediction(predict(data, { side: side('published'), without: ['publish'] })))).toEqual([]);
});

test('what was predicted says what each row leaves out', () => {
  const changes = Array.from({ length: 40 }, (_, at) => ({ stages: [at, at], areBounds: [false, false], cluster: `${at % 4}` }));
  const data = { changes, stages: ['publish-wait', 'publish'], figures: figures(40, 2) };
  const predicted = predict(data, { side: side('published'), without: ['publish'] });
  const style = { width: 400, bold: (text: string) => text, signs: 'unicode' } as const;
  const content = { ...comparison({ n: 40 }), predicted };
  for (const text of [formatComparison(content, undefined), renderComparison(content, undefined, style)])
    expect(text).toContain('Predicted without publish.');
});

test('the heading claims what can be claimed, and nothing else', () => {
  const [claimed = ''] = formatComparison(comparison({ n: 40, verdict: 'shorter' }), undefined).split('\n');
  expect(claimed).toBe('## Lead time, before and after: P50 -50 %, P90 -50 %');
  const [unclear = ''] = formatComparison(comparison({ n: 40 }), undefined).split('\n');
  expect(unclear).toBe('## Lead time, before and after: no claim');
});

test('an empty side says where its changes are; of too few no figure is shown', () => {
  const style = { width: 80, bold: (text: string) => text, signs: 'unicode' } as const;
  expect(renderComparison(comparison({ n: 0, verdict: 'too few' }), undefined, style)).toContain(
    'Nothing of before has arrived; but 4 were published (--before-to published), so no figure is possible.',
  );
  const few = renderComparison(comparison({ n: 9, verdict: 'too few' }), undefined, style);
  expect(few).toMatch(/^P50 +too few$/m);
  expect(few).toContain('Too few changes for the P90: 9 before and 40 after, but 36 are needed on each side.');
  expect(few).toContain('The data do not show whether there are fewer consumer upgrades (2 before, 0 after).');
});

test('on a terminal names of hundreds of letters lose their middle, and not in Markdown', () => {
  const name = `@acme/${'long-'.repeat(60)}end`;
  const named = comparison({ n: 12 });
  const long = (one: SideQuestion): SideQuestion => ({
    ...one,
    repos: [name],
    packages: [name],
    lead: { ...one.lead, channels: new Set([name]) },
  });
  const { before, after } = named.question;
  const asked = { ...named, question: { ...named.question, before: long(before), after: long(after) } };
  const move = { ...MOVE, packages: [name], sources: [name] };
  const text = renderComparison(asked, move, { width: 80, bold: (one) => one, signs: 'unicode' });
  expect(Math.max(...text.split(/\s+/).map(({ length }) => length))).toBeLessThanOrEqual(42);
  expect(text.match(/@acme\/long-\S*…\S*-end/g)?.length).toBe(8);
  expect(formatComparison(asked, move)).toContain(name.slice(0, 250));
});
