import type { FileRule } from '@tributary/model/config';
import { formatTable } from '@tributary/terminal/table';
import { countOf } from './describe.js';
import type { Page } from './render.js';
import { describeReplayed, NOTHING_TO_REPLAY } from './render-replay.js';
import type { TuneProposal, TuneResult } from './result.js';

/** Renders the proposals for people. */
export function renderTune(result: TuneResult, page: Page): string {
  const { before, after, commits, proposals, left, written } = result;
  if (commits === 0) return NOTHING_TO_REPLAY;
  const rows = [
    ['today', percent(before.mean), String(before.all)],
    ['with all proposals', percent(after.mean), String(after.all)],
  ];
  const numbers = ['mean', 'ran all'].map((title) => ({ title, align: 'right' as const }));
  return [
    ...describeReplayed(commits, result),
    '',
    formatTable({ columns: [{ title: '' }, ...numbers], rows, styleTitle: page.bold }, page.width),
    '',
    ...(proposals.length === 0 ? ['Nothing to propose.'] : renderProposals(proposals, page)),
    ...renderReach(result.reach),
    ...renderLeft(left),
    ...(written.length === 0 ? [] : ['', `tributary.json: ${countOf(written.length, 'entry').replace(/entrys$/, 'entries')} added.`]),
  ].join('\n');
}

function renderProposals(proposals: readonly TuneProposal[], page: Page): readonly string[] {
  const rows = proposals.map(({ rule, commits, saves }) => [
    rule.files.join(', '),
    effectOf(rule),
    String(commits),
    percent(saves),
    rule.because ?? '',
  ]);
  const columns = [
    { title: 'proposal', shrink: 'start' as const },
    { title: 'affects' },
    { title: 'commits', align: 'right' as const },
    { title: 'saves', align: 'right' as const },
    { title: 'because', shrink: 'end' as const },
  ];
  return [formatTable({ columns, rows, styleTitle: page.bold }, page.width)];
}

/** Returns the question to the user about a proposal. */
export function describeProposal({ rule, commits, saves }: TuneProposal): string {
  const what = `a rule: ${rule.files.join(', ')} affects ${effectOf(rule)}`;
  return `Add ${what}? It saves ${percent(saves)} in ${countOf(commits, 'commit')}; ${rule.because ?? ''}.`;
}

function effectOf({ affects }: FileRule): string {
  if (typeof affects === 'string') return affects === 'owner' ? 'the root' : affects;
  const [first = '', ...others] = affects;
  return others.length < 2 ? affects.join(', ') : `${first} and ${others.length} more`;
}

function renderReach(reach: TuneResult['reach']): readonly string[] {
  const lines = reach.map(({ kind, commits, saves }) => `  ${percent(saves).padStart(6)}  ${kind}, in ${countOf(commits, 'commit')}`);
  return lines.length === 0 ? [] : ['', 'What "affected.reach" saves today:', ...lines];
}

/** The causes that are shown. */
const SHOWN = 10;

function renderLeft(left: TuneResult['left']): readonly string[] {
  if (left.length === 0) return [];
  const shown = left
    .slice(0, SHOWN)
    .flatMap(({ code, subject, commits, share, narrows }) => [
      `  ${percent(share).padStart(6)}  ${[code, subject ?? []].flat().join(' ')}, in ${countOf(commits, 'commit')}`,
      `          ${narrows}`,
    ]);
  const more = left.length > SHOWN ? [`  and ${left.length - SHOWN} more causes`] : [];
  return ['', 'What still selects workspaces, and what would narrow that:', ...shown, ...more];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
