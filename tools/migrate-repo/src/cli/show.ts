import type { Ui } from '@tributary/terminal/ui';
import type { TerminalStyle } from '../render.js';

/** Prints the result of a command: as a document with --json, else as a page. */
export function show<Result extends object>(ui: Ui, result: Result, render: (result: Result, page: TerminalStyle) => string): void {
  if (ui.flags.json) ui.document(result);
  else ui.page(render(result, pageOf(ui)));
}

export function pageOf(ui: Ui): TerminalStyle {
  return { width: ui.dataWidth(), bold: (text) => ui.styleData('bold', text) };
}
