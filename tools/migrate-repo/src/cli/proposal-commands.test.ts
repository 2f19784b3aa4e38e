import { expect, test } from '@jest/globals';
import { ToolError } from '@tributary/model/errors';
import { nothingLeft } from '../run/leave-out.js';
import { restLeftOut } from './proposal-commands.js';

const taken = (existing: string): ToolError =>
  new ToolError({ code: 'TARGET_BRANCH_TAKEN', message: 'It exists.', hint: 'Discard it.', data: { existing, packages: ['a', 'b'] } });

test('a branch in the way that is proposed itself is not to be undone, and the packages that it keeps out are named', () => {
  const hint = 'Name another branch with --branch. Or merge came, delete it, and run the command again.';
  expect(restLeftOut(taken('refs/heads/came'), 'came')).toEqual({
    message: 'a, b were not migrated. It exists.',
    hint,
    leftOut: ['a', 'b'].map((name) => ({ name, code: 'TARGET_BRANCH_TAKEN', message: 'It exists.', hint })),
  });
  expect(restLeftOut(taken('refs/heads/other'), 'came').hint).toBe('Discard it.');
});

test('of several packages, those that no run has migrated are left out', () => {
  const [done, failed] = (['ALREADY_MIGRATED', 'SOURCE_EMPTY'] as const).map(
    (code) => new ToolError({ code, message: code, hint: 'Look.' }),
  );
  const error = nothingLeft([
    { name: 'a' as never, error: done as ToolError },
    { name: 'b' as never, error: failed as ToolError },
  ]);
  expect(restLeftOut(error, 'came')).toEqual({
    message: error.message,
    hint: 'Look.',
    leftOut: [{ name: 'b', code: 'SOURCE_EMPTY', message: 'SOURCE_EMPTY', hint: 'Look.' }],
  });
});
