import { describe, expect, test } from '@jest/globals';
import { groupMessages, type Remark } from '../message.js';
import type { GroupedMessage } from '../result/result.js';
import { tellInMarkdown, tellOnALine } from './tell.js';

function grouped(...remarks: readonly (readonly [name: string, place: string | null, detail?: string])[]): GroupedMessage {
  const [first] = groupMessages(remarks.map(([name, place, detail]): Remark => ({ package: name, place, text: 'Look at it.', detail })));
  return first ?? { text: 'Look at it.', about: [] };
}

test('the same words are told once, a place with the same detail counts once, and other words apart', () => {
  const remarks = [
    { package: 'a', place: 'f', text: 'One.' },
    { package: 'b', place: 'f', text: 'Two.' },
    { package: 'b', place: 'g', text: 'One.', detail: 'd' },
    { package: 'a', place: 'f', text: 'One.' },
  ];
  expect(groupMessages(remarks)).toEqual([
    {
      text: 'One.',
      about: [
        { package: 'a', place: 'f', detail: null },
        { package: 'b', place: 'g', detail: 'd' },
      ],
    },
    { text: 'Two.', about: [{ package: 'b', place: 'f', detail: null }] },
  ]);
});

describe('in Markdown', () => {
  test('what names nobody, and what is true of one place, are one line', () => {
    expect(tellInMarkdown(grouped(), '-')).toBe('- Look at it.');
    expect(tellInMarkdown(grouped(['a', 'f', '`x`']), '1.')).toBe('1. a, `f`: Look at it (`x`).');
    expect(tellInMarkdown(grouped(['a', null]), '1.')).toBe('1. a: Look at it.');
  });

  test('places stand below, those of which the same is said on one line', () => {
    expect(tellInMarkdown(grouped(['a', 'f', 'x'], ['b', 'g'], ['c', 'g'], ['d', null, 'y']), '12.')).toBe(
      ['12. Look at it.', '    - a: `f`: x', '    - b, c: `g`', '    - d: y'].join('\n'),
    );
  });

  test('many are folded', () => {
    const many = grouped(...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, 'file', name] as const));
    expect(tellInMarkdown(many, '-').split('\n').slice(0, 5)).toEqual([
      '- Look at it.',
      '',
      '  <details><summary>6 packages</summary>',
      '',
      '  - a: `file`: a',
    ]);
    expect(tellInMarkdown(grouped(...['f', 'g', 'h', 'i', 'j', 'k'].map((place) => ['a', place] as const)), '-')).toContain(
      '<summary>6 places in one package</summary>',
    );
  });
});

test('on a line: the details of one place, and of several packages their number', () => {
  expect(tellOnALine(grouped())).toBe('Look at it.');
  expect(tellOnALine(grouped(['a', 'f', 'x']))).toBe('a, `f`: Look at it (x).');
  expect(tellOnALine(grouped(['a', 'f', 'x'], ['b', 'f', 'y']))).toBe('a, b, `f`: Look at it.');
  expect(tellOnALine(grouped(['a', 'f'], ['a', 'g']))).toBe('a, `f`, `g`: Look at it.');
  expect(tellOnALine(grouped(...['f', 'g', 'h', 'i'].map((place) => ['a', place] as const)))).toBe('a, 4 places: Look at it.');
  expect(tellOnALine(grouped(...['a', 'b', 'c', 'd', 'e'].map((name) => [name, name] as const)))).toBe('a, b, c and 2 more: Look at it.');
});
