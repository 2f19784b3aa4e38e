import type { Signs } from './signs.js';

/** How a terminal shows text. */
export interface TextStyle {
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly signs: Signs;
}
