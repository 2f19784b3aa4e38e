import type { Services } from '@tributary/terminal/main';
import { type ListEnd, type ListFormat, renderList } from '../render-lists.js';
import type { AffectedResult } from '../result.js';
import type { AffectedRequest } from '../run/request.js';
import { selectAffected } from '../run/select.js';
import { describeAll } from '../way-out.js';

export type Format = ListFormat | 'text';

interface How {
  readonly format: Format;
  /** What ends an entry of a list. */
  readonly end: ListEnd;
  /** What to answer if the command would fail with a known error. */
  readonly fallback: 'all' | 'none';
  /** Whether to list every workspace, however many. */
  readonly isWhole: boolean;
  readonly services: Services;
}

/**
 * Prints the answer to stdout. Warnings, and the reason for selecting everything, go to stderr if the output format cannot express them.
 */
export async function runSelect(request: AffectedRequest, how: How): Promise<void> {
  const { format, end, services } = how;
  const { ui } = services;
  const result = await answer(request, how);
  for (const warning of result.warnings) ui.warning(warning);
  if (result.all !== null && format !== 'json' && format !== 'text') ui.status(`All workspaces: ${describeAll(result.all)}`);
  if (format !== 'text') return ui.data(renderList(result, format, end));
  const { renderAnswer } = await import('../render.js');
  ui.page(renderAnswer(result, { width: ui.dataWidth(), bold: (text) => ui.styleData('bold', text) }, how));
}

async function answer(request: AffectedRequest, { fallback, services }: How): Promise<AffectedResult> {
  try {
    return await selectAffected(request, services);
  } catch (error) {
    if (fallback === 'none') throw error;
    const { answerAll } = await import('../run/fallback.js');
    return answerAll(error, request);
  }
}
