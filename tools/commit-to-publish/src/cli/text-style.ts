import type { Ui } from '@tributary/terminal/ui';
import type { TextStyle } from '../render/text-style.js';

/** Returns the style of stdout. */
export function styleOf(ui: Ui): TextStyle {
  return { width: ui.dataWidth(), bold: (text) => ui.styleData('bold', text), signs: ui.dataSigns() };
}
