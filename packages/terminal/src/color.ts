import { styleText } from 'node:util';

/** One or several of the names that `util.styleText` knows: `red`, `['bold', 'cyan']`. */
export type Style = Parameters<typeof styleText>[0];

/** Puts a style around a text, or leaves the text as it is. */
export type Paint = (style: Style, text: string) => string;

export type TerminalEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Whether colours go to a stream. `--no-color` counts most, then `FORCE_COLOR` and `NO_COLOR` (https://no-color.org) as in Node
 * itself, then `TERM=dumb`, and at last whether this very stream is a terminal: stdout and stderr can differ.
 */
export function wantsColor(stream: { readonly isTTY?: boolean }, environment: TerminalEnvironment, mode: 'auto' | 'never'): boolean {
  if (mode === 'never') return false;
  const forced = environment.FORCE_COLOR;
  if (forced !== undefined) return !/^(0|false|none)$/.test(forced);
  if ((environment.NO_COLOR ?? '') !== '' || environment.TERM === 'dumb') return false;
  return stream.isTTY === true;
}

/** Styles every text: the decision has been made by `wantsColor`, for the right stream and environment. */
export const paintInColor: Paint = (style, text) => styleText(style, text, { validateStream: false });

export const paintPlain: Paint = (_style, text) => text;
