import { expect, test } from '@jest/globals';
import { qualifyReferences } from './references.js';

const named: readonly (readonly [before: string, after: string])[] = [
  ['#12', 'acme/ui#12'],
  ['Mend the thing (#12)', 'Mend the thing (acme/ui#12)'],
  ['Merge pull request #12 from ada/branch', 'Merge pull request acme/ui#12 from ada/branch'],
  ['#1, #2 and #3.', 'acme/ui#1, acme/ui#2 and acme/ui#3.'],
  ['See GH-12, gh-13', 'See acme/ui#12, acme/ui#13'],
  ['[#12](https://github.com/other/one/issues/12)', '[other/one#12](https://github.com/other/one/issues/12)'],
  ['([#12](https://gitlab.com/a/b/c/-/issues/12#note))', '([a/b/c#12](https://gitlab.com/a/b/c/-/issues/12#note))'],
  ['[#12] (x)', '[acme/ui#12] (x)'],
  ["#12's fix", "acme/ui#12's fix"],
  ['\xe4\xbf\xae\xe5\xa4\x8d#12', '\xe4\xbf\xae\xe5\xa4\x8dacme/ui#12'],
  ['`#1` and #2, `` ` #3 `` #4', '`#1` and acme/ui#2, `` ` #3 `` acme/ui#4'],
  ['a ` alone\n\n#5 `', 'a ` alone\n\nacme/ui#5 `'],
  ['List\n\n- one\n  #12', 'List\n\n- one\n  acme/ui#12'],
  ['Text\n    #12 goes on', 'Text\n    acme/ui#12 goes on'],
  ['Text\n\n    #12\n\nmore #13', 'Text\n\n    #12\n\nmore acme/ui#13'],
  ['```\n#12\n```\n#13', '```\n#12\n```\nacme/ui#13'],
];

test.each(named)('%j', (before, after) => {
  expect(qualifyReferences(before, { name: 'acme/ui', forge: 'other' }).text).toBe(after);
});

const left: readonly string[] = [
  'https://github.com/acme/ui/pull/12#issuecomment-13',
  'https://host.example/a/#12',
  'C#7',
  '[#12](https://host.example/x#13)',
  '[#12](https://github.com/other/one/issues/123)',
  'foo#12',
  'other/repo#12',
  '&#39;',
  '#123abc',
  '#0',
  '# 12',
  '#12-top',
  'page/#12',
  'XGH-12',
  '!12',
  '~~~\n#12 is code until the end',
  '`code #12`',
  '\tcode #12',
];

test.each(left)('%j stays', (text) => {
  expect(qualifyReferences(text, { name: 'acme/ui', forge: 'other' })).toEqual({ text, count: 0 });
});

test('merge requests are named where the forge is GitLab', () => {
  const gitlab = { name: 'acme/group/ui', forge: 'gitlab' } as const;
  expect(qualifyReferences('See merge request !12, #13, Wow!14', gitlab)).toEqual({
    text: 'See merge request acme/group/ui!12, acme/group/ui#13, Wow!14',
    count: 2,
  });
});
