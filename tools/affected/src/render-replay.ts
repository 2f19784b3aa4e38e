import { type Duration, formatDuration } from '@tributary/model/time';
import { formatTable } from '@tributary/terminal/table';
import { countOf } from './describe.js';
import type { Page } from './render.js';
import { isEverything, quantile, shareOf } from './replay-figures.js';
import type { AssumedWorkflow, PolicyFigures, ReplayedCommit, ReplayResult } from './result.js';

/** Renders for people what the last commits would have run. */
export function renderReplay(result: ReplayResult, page: Page): string {
  const { commits, policies } = result;
  if (commits.length === 0) return NOTHING_TO_REPLAY;
  return [
    ...describeReplayed(commits.length, result),
    '',
    policyTable(policies, page),
    '',
    distribution(commits),
    ...renderAll(commits),
    '',
    renderTime(commits),
  ].join('\n');
}

export const NOTHING_TO_REPLAY =
  'Nothing to replay: no commit has a parent in this clone.\nCommit a change first. If the clone is shallow: git fetch --unshallow';

/** Returns what was replayed, and by which rules. */
export function describeReplayed(commits: number, { head, workflow }: Pick<ReplayResult, 'head' | 'workflow'>): readonly string[] {
  return [
    `${countOf(commits, 'commit')} up to ${head.slice(0, 10)}, each as if it were a pull request,`,
    'judged by the tributary.json of the last one. The root is not counted.',
    describeWorkflow(workflow),
  ];
}

function describeWorkflow({ path, testing }: AssumedWorkflow): string {
  if (path !== null) return `CI files count as in ${path}${testing === null ? '.' : '; --workflow names another.'}`;
  const [first] = testing ?? [];
  const found =
    first === undefined ? 'No workflow is known to test pull requests' : `Several workflows test pull requests, such as ${first}`;
  return `${found}; name one with --workflow.`;
}

const NAMES: Readonly<Record<PolicyFigures['policy'], string>> = {
  everything: 'run everything',
  transitive: 'affected',
};

function policyTable(policies: readonly PolicyFigures[], page: Page): string {
  const rows = policies.map(({ policy, runs, mean, median, p90, all }) => [
    NAMES[policy],
    String(runs),
    percent(mean),
    percent(median),
    percent(p90),
    String(all),
  ]);
  const numbers = ['workspace tests', 'mean', 'median', 'P90', 'ran all'].map((title) => ({ title, align: 'right' as const }));
  return formatTable({ columns: [{ title: 'policy' }, ...numbers], rows, styleTitle: page.bold }, page.width);
}

/** Returns the distribution of commits by the share that they ran. */
function distribution(commits: readonly ReplayedCommit[]): string {
  const steps = [0, 0.05, 0.1, 0.25, 0.5, 1] as const;
  const names = ['none', 'up to 5 %', 'up to 10 %', 'up to 25 %', 'up to 50 %', 'more', 'all'];
  const counts = names.map(() => 0);
  for (const commit of commits) {
    const at = isEverything(commit) ? names.length - 1 : steps.findIndex((step) => shareOf(commit) <= step);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return `Commits by what they would have run: ${names.map((name, at) => `${name} ${counts[at] ?? 0}`).join(', ')}.`;
}

/** Returns the reasons why everything ran, the most frequent first: there, a rule would save most. */
function renderAll(commits: readonly ReplayedCommit[]): readonly string[] {
  const reasons = new Map<string, { count: number; example: string }>();
  for (const { all } of commits) {
    if (all === null) continue;
    const known = reasons.get(all.code) ?? { count: 0, example: all.reason };
    reasons.set(all.code, { ...known, count: known.count + 1 });
  }
  const sorted = [...reasons].sort(([, a], [, b]) => b.count - a.count);
  if (sorted.length === 0) return [];
  return [
    '',
    'Why everything ran:',
    ...sorted.map(([code, { count, example }]) => `  ${String(count).padStart(4)}  ${code}, such as: ${example}`),
  ];
}

function renderTime(commits: readonly ReplayedCommit[]): string {
  const times = commits.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return `Time for an answer, without starting the program: median ${time(quantile(times, 0.5))}, P90 ${time(quantile(times, 0.9))}.`;
}

function time(milliseconds: number): string {
  return formatDuration(milliseconds as Duration);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
