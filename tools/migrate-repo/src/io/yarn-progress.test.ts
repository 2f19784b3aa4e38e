import { expect, test } from '@jest/globals';
import { type Progress, silentProgress } from '@tributary/terminal/progress';
import type { YarnMessage } from './yarn.js';
import { yarnOnProgress } from './yarn-progress.js';

function messagesOf(...messages: readonly Partial<YarnMessage>[]): readonly string[] {
  const shown: string[] = [];
  const progress: Progress = { ...silentProgress, message: (text, weight) => shown.push(`${weight} ${text}`) };
  const { onMessage } = yarnOnProgress(progress);
  for (const message of messages) onMessage({ type: 'info', code: 'YN0000', text: '', step: 'Link step', ...message });
  return shown;
}

test('a step is named once, and its end is not told', () => {
  expect(messagesOf({ text: '┌ Link step' }, { text: '└ Completed in 0s 200ms' }, { text: 'Done with warnings in 3s 58ms' })).toEqual([
    'plain Link step',
  ]);
});

test('warnings and errors have their code, and the first line of what they say', () => {
  const text = 'lib@npm:1.0.0 cannot be built\n    at place';
  expect(messagesOf({ type: 'warning', code: 'YN0004', text }, { type: 'error', code: 'YN0000', text })).toEqual([
    'plain warning YN0004: lib@npm:1.0.0 cannot be built',
    'plain error: lib@npm:1.0.0 cannot be built',
  ]);
  expect(messagesOf({ type: 'error', text: 'Failed with errors in 3s 58ms' })).toEqual([]);
});

test('the rest is said aside', () => {
  expect(messagesOf({ code: 'YN0013', text: 'Two packages were added.' })).toEqual(['aside Two packages were added.']);
});
