import type { DecisionResult, MigrateResult } from '../result/result.js';
import { code } from '../text.js';
import { sortDecisions } from './open-decisions.js';
import { linesOf, tellInMarkdown } from './tell.js';

/** Returns the decisions in Markdown: what breaks or may break, then choices. Each has its default and how to change it. */
export function decisionsSection(result: Pick<MigrateResult, 'alignment'>): string {
  if (result.alignment === null) return '';
  const { open, before } = sortDecisions(result);
  const risky = open.filter(({ risk }) => risk !== 'none').length;
  const items = open.map(tellDecision);
  const parts = [
    ...list(
      '## Breaks',
      `${risky === 1 ? 'This breaks or may break. Its' : 'These break or may break. Each'} default holds until you change it.`,
      items.slice(0, risky),
    ),
    ...list('## Decide', 'It works, but you may want to change it.', items.slice(risky)),
    ...(open.length > 0 ? [] : ['No open decision was found.']),
    ...(open.length === 0 ? [] : [HOW_TO_DECIDE]),
    ...decidedBefore(before),
  ];
  return parts.join('\n\n');
}

/** A decision about what may break is asked again when something else is found. So its answer is limited to the named places. */
const HOW_TO_DECIDE =
  'To answer a decision permanently, write its id into tributary.json: `"migrate": { "decided": { "<id>": "<why>" } }`. ' +
  'An answer to what may break applies to the listed places only; any other answer applies to all later migrations.';

function list(title: string, about: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [title, about, items.join('\n').trimEnd()];
}

function tellDecision({ text, id, byDefault, toChange, findings }: DecisionResult, at: number): string {
  const mark = `${at + 1}.`;
  const indent = ' '.repeat(mark.length + 1);
  const below = [
    ...(byDefault === null ? [] : [`- Default: ${byDefault}`]),
    ...(toChange === null ? [] : [`- To change: ${toChange}`]),
    ...foldedFindings(findings),
  ];
  return [`${mark} **${text}** ${code(id)}`, ...below.map((line) => (line === '' ? '' : indent + line))].join('\n');
}

/** The maximum number of lines that are not folded. */
const OPEN = 4;

function foldedFindings(findings: DecisionResult['findings']): readonly string[] {
  const lines = findings.flatMap((finding) => tellInMarkdown(finding, '-', 'open').split('\n'));
  if (lines.length <= OPEN) return lines;
  const places = findings.flatMap(({ about }) => about);
  const names = new Set(places.map((one) => one.package)).size;
  const where = `${names === 1 ? 'one package' : `${names} packages`}`;
  return ['', `<details><summary>${places.length} places in ${where}</summary>`, '', ...lines, '', '</details>', ''];
}

function decidedBefore(before: readonly DecisionResult[]): readonly string[] {
  if (before.length === 0) return [];
  const count = before.length === 1 ? 'One decision' : `${before.length} decisions`;
  const lines = before.flatMap(({ text, decided, findings }) => [
    `- ${text} **${decided}**`,
    ...findings.flatMap(({ about }) => linesOf(about)).map((line) => `  - ${line}`),
  ]);
  return [`<details><summary>${count} already answered in tributary.json</summary>\n\n${lines.join('\n')}\n\n</details>`];
}
