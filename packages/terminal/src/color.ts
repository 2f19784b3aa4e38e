import { styleText } from 'node:util';

/** One or several style names of `util.styleText`: `red`, `['bold', 'cyan']`. */
export type Style = Parameters<typeof styleText>[0];

/** Applies a style to a text, or returns the text unchanged. */
export type Paint = (style: Style, text: string) => string;

export type TerminalEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Returns whether to use colours on a stream. `--no-color` comes first, then `FORCE_COLOR` and `NO_COLOR` (https://no-color.org) as in Node
 * itself, then `TERM=dumb`. Last comes whether this stream is a terminal: stdout and stderr can differ.
 */
export function wantsColor(stream: { readonly isTTY?: boolean }, environment: TerminalEnvironment, mode: 'auto' | 'never'): boolean {
  if (mode === 'never') return false;
  const forced = environment.FORCE_COLOR;
  if (forced !== undefined) return !/^(0|false|none)$/.test(forced);
  if ((environment.NO_COLOR ?? '') !== '' || environment.TERM === 'dumb') return false;
  return stream.isTTY === true;
}

/** Always styles: `wantsColor` has already decided, for the right stream and environment. */
export const paintInColor: Paint = (style, text) => styleText(style, text, { validateStream: false });

export const paintPlain: Paint = (_style, text) => text;
