import type { Requirement, SetupResult } from '@tributary/model/requirement';
import { formatTable } from './table.js';
import type { Ui } from './ui.js';

/** Prints what a tool needs and whether it is there. Sets exit code 1 if something is missing. */
export function showSetup(requirements: readonly Requirement[], ui: Ui): void {
  if (requirements.some(({ state }) => state === 'missing')) process.exitCode = 1;
  const result: SetupResult = { schemaVersion: 1, requirements };
  if (ui.flags.json) ui.document(result);
  else ui.page(renderSetup(result, (text) => ui.styleData('bold', text)));
}

/** Returns a table, followed by the hints. */
function renderSetup({ requirements }: SetupResult, bold: (text: string) => string): string {
  const columns = [{ title: 'needs' }, { title: 'state' }, { title: 'found' }];
  const rows = requirements.map(({ name, state, found }) => [name, state, found]);
  const hints = requirements.flatMap(({ name, hint }) => (hint === null ? [] : [`${name}: ${hint}`]));
  // Any width: what is missing must not be cut, and the terminal wraps the last column.
  const table = formatTable({ columns, rows, styleTitle: bold }, Infinity);
  return hints.length === 0 ? table : [table, '', ...hints].join('\n');
}
