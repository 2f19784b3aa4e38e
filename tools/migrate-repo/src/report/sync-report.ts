import { showInvisible } from '@tributary/terminal/invisible';
import { tellChanged, tellCompared } from '../render-sync.js';
import type { SyncResult } from '../result/result.js';
import { code, countOf, someOf } from '../text.js';
import { decisionsSection } from './decisions-section.js';
import { alignedStep, METHODS } from './markdown.js';
import { sortDecisions } from './open-decisions.js';
import { breaks, decide } from './summary.js';

/**
 * Returns the report of a sync in Markdown: a few lines on what came and changed, what breaks, what to decide, then the
 * details, folded. A pure function of the result.
 */
export function formatSyncReport(result: SyncResult): string {
  const details = [...told(result), ...aligned(result), proof(result)].filter((section) => section !== '');
  const sections = [
    `# New commits of ${result.name}`,
    summaryLines(result).join('\n'),
    result.alignment === null ? '' : decisionsSection(result),
    details.length === 0 ? '' : `<details><summary>What was changed, and the proof</summary>\n\n${details.join('\n\n')}\n\n</details>`,
  ];
  return showInvisible(`${sections.filter((section) => section !== '').join('\n\n')}\n`);
}

function summaryLines(result: SyncResult): readonly string[] {
  const { alignment, conflicts } = result;
  const { open } = sortDecisions({ alignment });
  const review = alignment === null ? [] : [`- **Breaks**: ${breaks(result, open)}`, `- **Decide**: ${decide(result, open)}`];
  return [
    `- **Came**: ${came(result)}`,
    ...tellCompared(result).map((line) => `- **Compared**: ${line.replace(/^Compared /, '')}`),
    ...review,
    ...tellChanged(result).map((line) => `- **Changed**: ${line.replace(/^(?:Changed|Would change) /, '')}`),
    ...(conflicts.length === 0 ? [] : [`- **Conflicts**: ${someOf(conflicts.map(code))}`]),
    `- **Run**: ${toRun(result)}`,
  ];
}

function came({ state, name, source, from, to, commits, tags }: SyncResult): string {
  const range = `${code(`${from.slice(0, 12)}..${to.slice(0, 12)}`)} of ${code(source)}`;
  if (state === 'nothing new') return `nothing new of ${name}, ${code(from.slice(0, 12))} of ${code(source)}.`;
  const what = `${countOf(commits, 'new commit')} and ${countOf(tags.length, 'new tag')}`;
  return `${what}, ${range}${state === 'planned' ? ', in a dry run' : ''}.`;
}

function toRun({ state, name, branch, commits, worktree }: SyncResult): string {
  switch (state) {
    case 'nothing new':
    case 'tags':
      return 'nothing.';
    case 'planned':
      return commits === 0 ? 'the same command without `--dry-run`, for the tags.' : 'the same command without `--dry-run`.';
    case 'conflicts':
      return `resolve and commit them in ${code(worktree ?? '')}, then ${code(`migrate-repo sync ${name} --continue`)}.`;
    case 'synced':
      return `${code(`git switch ${branch}`)}, ${code('yarn install')} and its tests; then merge with a merge commit, because squashing or rebasing would destroy the new history.`;
  }
}

function told({ tags, movedTags, warnings, changed }: SyncResult): readonly string[] {
  return [
    list('## New tags', tags.map(code)),
    list('## Tags that the source moved, unchanged here', movedTags.map(code)),
    list('## Changed files outside of the package', (changed?.outside ?? []).map(code)),
    list('## Warnings', warnings),
  ];
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${title}\n\n${items.map((item) => `- ${item}`).join('\n')}`;
}

function aligned({ alignment }: SyncResult): readonly string[] {
  const changed = (alignment ?? []).filter(({ files, changes }) => files.length + changes.length > 0);
  return changed.map((step) => alignedStep(step, { replaced: null, dependencies: null, locked: null }));
}

function proof({ name, proof: own }: SyncResult): string {
  if (own === null) return '';
  return `## Proof\n\n- **${name}**: ${countOf(own.commits, 'commit')}, old and new, ${countOf(own.tags, 'tag')}; ${METHODS[own.method]}`;
}
