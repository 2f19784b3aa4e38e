import { formatTable } from '@tributary/terminal/table';
import { countOf } from './describe.js';
import type { Page } from './render.js';
import type { FailedOutside, ReportResult } from './report-only/all-runs.js';
import { span } from './summary/span.js';

/** With fewer, a failure outside of the selection may only not have happened yet. */
const ENOUGH = 30;

/** Renders what runs that only report say of a selection. */
export function renderReport(result: ReportResult, page: Page): string {
  const { runs, incomplete, selecting, workspaces, leftOut, seconds, leftOutSeconds, failedInside, failedOutside, tasks } = result;
  const [unit, work] = tasks === undefined ? (['workspace', 'tests'] as const) : (['task', 'work'] as const);
  if (runs === 0) return 'No run only reports, so nothing is known of what a selection leaves out.';
  const failed = failedInside + failedOutside.length;
  return [
    `${countOf(runs, 'run')} that only ${runs === 1 ? 'reports' : 'report'}.`,
    ...(incomplete === 0
      ? []
      : [
          `${incomplete} of them ${incomplete === 1 ? 'is' : 'are'} incomplete: some ${tasks === undefined ? 'tests' : 'tasks'} have no result.`,
        ]),
    ...(selecting === 0
      ? []
      : [`${countOf(selecting, 'other run')} ran only what was selected, and ${selecting === 1 ? 'does' : 'do'} not count.`]),
    `A selection would have left out ${leftOut} of ${countOf(workspaces, unit)}, and ${span(leftOutSeconds)} of ${span(seconds)} of ${work}.`,
    failed === 0
      ? `No ${unit} failed.`
      : `${countOf(failed, unit)} failed: ${failedInside} in the selection, ${failedOutside.length} outside of it.`,
    ...(failedOutside.length === 0 ? [] : ['', table(failedOutside, page), '', ADVICE]),
    ...(runs < ENOUGH ? [`Fewer than ${ENOUGH} runs show little.`] : []),
  ].join('\n');
}

const ADVICE =
  'affected would have missed such a failure, unless the test also fails without the change, or only sometimes. See what joins them: affected check.';

function table(failed: readonly FailedOutside[], page: Page): string {
  const rows = failed.map(({ commit, workspace, tests, passedLater }) => [
    commit?.slice(0, 12) ?? 'not known',
    workspace,
    `${tests.length === 0 ? 'not told' : firstOf(tests)}${passedLater ? ' (passed when it ran again)' : ''}`,
  ]);
  const columns = [{ title: 'commit' }, { title: 'outside' }, { title: 'failed tests', shrink: 'end' as const }];
  return formatTable({ columns, rows, styleTitle: page.bold }, page.width);
}

function firstOf([first, ...others]: readonly string[]): string {
  return `${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}
