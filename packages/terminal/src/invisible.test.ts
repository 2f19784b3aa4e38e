import { expect, test } from '@jest/globals';
import { showInvisible } from './invisible.js';

test.each([
  ['a turned direction', 'a\u202egnp.exe', 'a\\u202egnp.exe'],
  ['an isolate', '\u2066x\u2069', '\\u2066x\\u2069'],
  ['zero width', 'v1\u200b.0\ufeff', 'v1\\u200b.0\\ufeff'],
  ['a joiner between letters', 'a\u200db', 'a\\u200db'],
  ['a joiner at the end of an emoji', '👩\u200d', '👩\\u200d'],
  ['a tag', 'a\u{e0041}', 'a\\udb40\\udc41'],
  ['a filler that looks like a blank', '\u3164', '\\u3164'],
])('%s becomes an escape', (_, text, shown) => expect(showInvisible(text)).toBe(shown));

test.each(['👩\u200d💻', '👩🏽\u200d🚀', '❤\ufe0f\u200d🔥', 'naïve ünïcode ✓ 日本語'])('%s stays', (text) => {
  expect(showInvisible(text)).toBe(text);
});
