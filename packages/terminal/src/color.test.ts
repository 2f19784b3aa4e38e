import { expect, test } from '@jest/globals';
import { paintInColor, paintPlain, type TerminalEnvironment, wantsColor } from './color.js';

const terminal = { isTTY: true };
const pipe = {};

const cases: readonly [string, boolean, { isTTY?: boolean }, TerminalEnvironment, 'auto' | 'never'][] = [
  ['a terminal', true, terminal, {}, 'auto'],
  ['a pipe', false, pipe, {}, 'auto'],
  ['a terminal with --no-color', false, terminal, {}, 'never'],
  ['--no-color against FORCE_COLOR', false, terminal, { FORCE_COLOR: '1' }, 'never'],
  ['a terminal with NO_COLOR', false, terminal, { NO_COLOR: '1' }, 'auto'],
  ['an empty NO_COLOR, which counts as not set', true, terminal, { NO_COLOR: '' }, 'auto'],
  ['a dumb terminal', false, terminal, { TERM: 'dumb' }, 'auto'],
  ['a pipe with FORCE_COLOR', true, pipe, { FORCE_COLOR: '1' }, 'auto'],
  ['an empty FORCE_COLOR', true, pipe, { FORCE_COLOR: '' }, 'auto'],
  ['FORCE_COLOR=0', false, terminal, { FORCE_COLOR: '0' }, 'auto'],
  ['FORCE_COLOR against NO_COLOR and TERM=dumb', true, pipe, { FORCE_COLOR: '1', NO_COLOR: '1', TERM: 'dumb' }, 'auto'],
];

test.each(cases)('%s: %p', (_name, expected, stream, environment, mode) => {
  expect(wantsColor(stream, environment, mode)).toBe(expected);
});

test('a style is put around the text, whatever this process runs in', () => {
  expect(paintInColor('red', 'x')).toBe('\x1b[31mx\x1b[39m');
  expect(paintPlain('red', 'x')).toBe('x');
});
