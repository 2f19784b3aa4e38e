import type { Ui } from '@tributary/terminal/ui';
import type { Page } from '../render/report.js';

/** Where stdout shows a text. */
export function pageOf(ui: Ui): Page {
  return { width: ui.dataWidth(), bold: (text) => ui.styleData('bold', text), signs: ui.dataSigns() };
}
