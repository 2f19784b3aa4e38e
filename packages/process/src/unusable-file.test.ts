import { describe, expect, test } from '@jest/globals';
import { orUnusable } from './unusable-file.js';

describe('orUnusable', () => {
  test('hands on what the work gives, and what it throws by itself', () => {
    expect(orUnusable('x', 'read', () => 7)).toBe(7);
    for (const error of [new TypeError('a bug'), Object.assign(new Error('another'), { code: 'ERR_INVALID_ARG_TYPE' })])
      expect(() =>
        orUnusable('x', 'read', () => {
          throw error;
        }),
      ).toThrow(error);
  });

  test('names what it does not know by the word of the system alone', () => {
    const error = Object.assign(new Error('odd'), { code: 'EODD', syscall: 'open' });
    expect(() =>
      orUnusable('x', 'written', () => {
        throw error;
      }),
    ).toThrow(
      expect.objectContaining({ code: 'FILE_UNUSABLE', message: 'x cannot be written (EODD).', data: { file: 'x', reason: 'EODD' } }),
    );
  });
});
