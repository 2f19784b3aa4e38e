import { expect, test } from '@jest/globals';
import { nameInDeprecation } from './deprecation.js';
import { saidRenames } from './said-renames.js';

const none = { known: new Set<string>(), kept: {} };

test.each([
  ['This package has been renamed to @acme/pad', '@acme/pad'],
  ['Package moved to `@acme/pad`.', '@acme/pad'],
  ['pad was renamed to left-pad. See https://host.example/pad', 'left-pad'],
  ['Please use @acme/pad instead', undefined],
  ['use `left-pad` instead', undefined],
  ['use something else instead', undefined],
  ['renamed to @acme/pad or @acme/trim', undefined],
  ['renamed to @acme/pad. Helpers are in @acme/trim', undefined],
  ['Moved to https://host.example/acme/pad', undefined],
  ['moved to github.com/acme/pad', undefined],
  ['No longer maintained', undefined],
  ['We do not use @acme/pad any more', undefined],
])('%s: %s', (message, name) => expect(nameInDeprecation(message)).toBe(name));

test('a rename counts between collected packages alone, not against what is configured, and not where one repository has both', () => {
  const message = 'renamed to @acme/pad';
  const source = { published: new Set(['pad']), present: new Set(['pad']), deprecations: [{ package: 'pad', message }] };
  const mono = { published: new Set(['@acme/pad']), present: new Set(['@acme/pad']), deprecations: [] };
  const both = { ...mono, present: new Set(['pad', '@acme/pad']) };
  const said = { former: 'pad', now: '@acme/pad', message };
  expect(saidRenames([source, mono], none)).toEqual([{ ...said, verdict: 'joined' }]);
  expect(saidRenames([source, both], none)).toEqual([{ ...said, verdict: 'both exist' }]);
  expect(saidRenames([source, mono], { ...none, known: new Set(['pad']) })).toEqual([]);
  expect(saidRenames([source], none)).toEqual([]);
  expect(saidRenames([source], { ...none, kept: { pad: '@acme/pad' } })).toEqual([{ ...said, verdict: 'joined' }]);
  expect(saidRenames([source], { ...none, kept: { pad: '@acme/other' } })).toEqual([]);
});

test('two packages of one repository cannot both have become the same one', () => {
  const message = 'moved to @acme/core';
  const names = ['a', 'b'];
  const deprecations = names.map((name) => ({ package: name, message }));
  const source = { published: new Set(names), present: new Set(names), deprecations };
  const mono = { published: new Set(['@acme/core']), present: new Set(['@acme/core']), deprecations: [] };
  expect(saidRenames([source, mono], none).map(({ former, verdict }) => [former, verdict])).toEqual([
    ['a', 'both exist'],
    ['b', 'both exist'],
  ]);
});
