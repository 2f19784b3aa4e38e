import { formatTable } from '@tributary/terminal/table';
import { countOf, describeReason } from './describe.js';
import type { AffectedResult, AffectedWorkspace } from './result.js';

/** The properties of the user's terminal. */
export interface Page {
  readonly width: number;
  readonly bold: (text: string) => string;
}

/** Renders the answer for people: the number of workspaces, the reason if it is all of them, and each workspace with its first reason. */
export function renderAnswer(result: AffectedResult, page: Page): string {
  return [headline(result), ...renderWorkspaces(result, page), ...renderUnclaimed(result)].join('\n');
}

function headline({ all, workspaces, workspaceCount, base, mergeBase }: AffectedResult): string {
  const since = mergeBase === null && base === null ? '' : ` since ${(mergeBase ?? base ?? '').slice(0, 10)}`;
  if (all !== null) return `All ${countOf(workspaceCount, 'workspace')} are affected. ${all.reason} [${all.code}]`;
  if (workspaces.length === 0) return `None of ${countOf(workspaceCount, 'workspace')} is affected${since}.`;
  return `${workspaces.length} of ${countOf(workspaceCount, 'workspace')} ${workspaces.length === 1 ? 'is' : 'are'} affected${since}.`;
}

function renderWorkspaces({ all, workspaces }: AffectedResult, page: Page): readonly string[] {
  if (all !== null || workspaces.length === 0) return [];
  const rows = workspaces.map(({ name, reasons }) => [name, reasonsOf({ reasons })]);
  const table = formatTable(
    { columns: [{ title: 'workspace' }, { title: 'why', shrink: 'end' }], rows, styleTitle: page.bold },
    page.width,
  );
  return ['', table];
}

function reasonsOf({ reasons }: Pick<AffectedWorkspace, 'reasons'>): string {
  const [first] = reasons;
  if (first === undefined) return '';
  return reasons.length === 1 ? describeReason(first) : `${describeReason(first)}, and ${countOf(reasons.length - 1, 'more reason')}`;
}

/** Lists unclaimed files, because a rule for them would make the next answer smaller. */
function renderUnclaimed({ unclaimedFiles }: AffectedResult): readonly string[] {
  if (unclaimedFiles.length === 0) return [];
  const shown = unclaimedFiles.slice(0, 10).map((file) => `  ${file}`);
  const more = unclaimedFiles.length > 10 ? [`  and ${unclaimedFiles.length - 10} more`] : [];
  return ['', 'No rule covers these files ("affected.rules" in tributary.json):', ...shown, ...more];
}
