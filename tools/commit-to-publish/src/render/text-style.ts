import type { Signs } from './signs.js';

/** The settings of a terminal for text. */
export interface TextStyle {
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly signs: Signs;
}
