import { formatTable } from '@tributary/terminal/table';
import { countOf, describeReason } from './describe.js';
import type { AffectedResult, AffectedWorkspace } from './result.js';
import { describeAll } from './way-out.js';

/** The properties of the user's terminal. */
export interface Page {
  readonly width: number;
  readonly bold: (text: string) => string;
}

/** The rows of an answer that are shown without `--all`. */
const SHOWN = 10;

/**
 * Renders the answer for people: the number of workspaces, the reason if it is all of them, the causes if there are many, and each workspace
 * with its first reason. `isWhole`: all of them, however many.
 */
export function renderAnswer(result: AffectedResult, page: Page, { isWhole = false }: { readonly isWhole?: boolean } = {}): string {
  const isMany = result.workspaces.length > SHOWN;
  const causes = result.all === null && isMany ? ['', ...renderCauses(result.workspaces)] : [];
  return [headline(result), ...causes, ...renderWorkspaces(result, page, isWhole), ...renderUnclaimed(result)].join('\n');
}

function headline({ all, workspaces, workspaceCount, base, mergeBase }: AffectedResult): string {
  const since = mergeBase === null && base === null ? '' : ` since ${(mergeBase ?? base ?? '').slice(0, 10)}`;
  if (all !== null) return `All ${countOf(workspaceCount, 'workspace')} are affected. ${describeAll(all)}`;
  if (workspaces.length === 0) return `None of ${countOf(workspaceCount, 'workspace')} is affected${since}.`;
  return `${workspaces.length} of ${countOf(workspaceCount, 'workspace')} ${workspaces.length === 1 ? 'is' : 'are'} affected${since}.`;
}

/** Lists the workspaces that changed themselves, those with the most dependents first. What changed is never cut. */
function renderCauses(workspaces: AffectedResult['workspaces']): readonly string[] {
  const dependents = new Map<string, number>();
  for (const { reasons } of workspaces)
    for (const reason of reasons)
      if (reason.kind === 'dependency') dependents.set(reason.path.at(-1) ?? '', (dependents.get(reason.path.at(-1) ?? '') ?? 0) + 1);
  const causes = workspaces.flatMap(({ name, reasons }) => {
    const direct = reasons.filter(({ kind }) => kind !== 'dependency');
    const [first] = direct;
    return first === undefined ? [] : [{ name, text: reasonsOf({ reasons: direct }), count: dependents.get(name) ?? 0 }];
  });
  const sorted = causes.toSorted((a, b) => b.count - a.count);
  const lines = sorted
    .slice(0, SHOWN)
    .map(({ name, text, count }) => `  ${name}: ${text}${count === 0 ? '' : `; ${count} more through it`}`);
  return ['Causes:', ...lines, ...(sorted.length > SHOWN ? [`  and ${countOf(sorted.length - SHOWN, 'more cause')}`] : [])];
}

function renderWorkspaces({ all, workspaces }: AffectedResult, page: Page, isWhole: boolean): readonly string[] {
  if (all !== null || workspaces.length === 0) return [];
  const shown = isWhole ? workspaces : workspaces.slice(0, SHOWN);
  const rows = shown.map(({ name, reasons }) => [name, reasonsOf({ reasons })]);
  // How many more reasons there are may be cut, but not what changed.
  const room = page.width - Math.max(...shown.map(({ name }) => name.length)) - 3;
  const mayCut = shown.every(({ reasons: [first] }) => first === undefined || describeReason(first).length <= room);
  const why = mayCut ? ({ title: 'why', shrink: 'end' } as const) : { title: 'why' };
  const table = formatTable({ columns: [{ title: 'workspace' }, why], rows, styleTitle: page.bold }, page.width);
  const rest = workspaces.length - shown.length;
  return ['', table, ...(rest === 0 ? [] : [`and ${rest} more (--all lists them)`])];
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
