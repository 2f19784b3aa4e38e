import { expect, test } from '@jest/globals';
import { breakClosingWords } from './closing-words.js';

const words =
  'close closes closed fix fixes fixed resolve resolves resolved closing fixing resolving implement implements implemented implementing';

// The closing words that GitHub and GitLab document.
const GITHUB = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s*(?:[\w.-]+\/[\w.-]+)?(?:#|GH-)\d/i;
const GITLAB =
  /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?)(?::?) +(?:issues? +)?(?:[\w./-]*#\d|https?:\/\/\S+\/issues\/\d)/i;

test.each(words.split(' '))('after "%s" nothing closes', (word) => {
  const references = ['#12', 'acme/ui#12', 'GH-12', 'issue #12', 'issues #12, #13', 'https://gitlab.com/acme/ui/-/issues/12'];
  for (const written of [word, word.toUpperCase(), word.replace(/^./, (letter) => letter.toUpperCase())])
    for (const gap of [' ', ': ', ':', ' : ', '  ', '\n', '\t', '\xc2\xa0'])
      for (const reference of references) {
        const { text, count } = breakClosingWords(`x\n\n${written}${gap}${reference}.`);
        expect([written, gap, reference, count]).toEqual([written, gap, reference, 1]);
        expect(text).not.toMatch(GITHUB);
        expect(text).not.toMatch(GITLAB);
        expect(breakClosingWords(text)).toEqual({ text, count: 0 });
      }
});

const broken: readonly (readonly [before: string, after: string])[] = [
  ['Fixes #12', 'Fixes the issue #12'],
  ['fix: #12 again', 'fix: the issue #12 again'],
  ['Closes issue #12', 'Closes the issue #12'],
  ['Closes: acme/ui#12, closes #13', 'Closes: the issue acme/ui#12, closes the issue #13'],
  ['fix https://github.com/acme/ui/pull/12', 'fix the issue https://github.com/acme/ui/pull/12'],
  ['\n    fixes #12 in code, `fixes #13`', '\n    fixes the issue #12 in code, `fixes the issue #13`'],
  ['closes [#12](https://github.com/acme/ui/issues/12)', 'closes the issue [#12](https://github.com/acme/ui/issues/12)'],
  ['resolves project#12', 'resolves the issue project#12'],
];

test.each(broken)('%j', (before, after) => {
  expect(breakClosingWords(before).text).toBe(after);
});

test.each([
  'prefix #12',
  'fix C#7',
  'fixes the bug #12',
  'fix (#12)',
  'fixes\xe2\x80\x8b#12',
  'fixed UTF-8',
  'https://host.example/fix/12',
  'https://host.example/fix:#12',
  'fixes 12',
  'fixture #12',
])('%j stays', (text) => {
  expect(breakClosingWords(text)).toEqual({ text, count: 0 });
});
