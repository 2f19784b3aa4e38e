import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { ToolError } from '@tributary/model/errors';
import type { RepoPath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import type { Mutant } from '../audit/mutant.js';
import { AuditCopy } from '../io/audit-copy.js';
import { locate } from '../io/locate.js';
import { withChanges } from './with-changes.js';

const cleanUp = cleanUpIn(afterEach);
const CHANGE: Mutant = { kind: 'data', file: 'a.txt' as RepoPath, line: 1, before: '1', after: '2', breaks: undefined };

test('an error that the change may cause is no result, one of the machine ends the audit, and the change is taken back', async () => {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('Start', { files: { 'yarn.lock': '', 'a.txt': '1\n' } });
  const copy = await AuditCopy.make(locate(repo.path), repo.git('rev-parse', 'HEAD'), new AbortController().signal);
  cleanUp.defer(() => copy.remove());
  const content = (): string => readFileSync(join(copy.folder, 'a.txt'), 'utf8');
  const failing = (code: 'TURBO_FAILED' | 'PROGRAM_MISSING' | 'GIT_FAILED') =>
    withChanges([CHANGE], copy, () => {
      expect(content()).toBe('2\n');
      throw new ToolError({ code, message: 'x' });
    });
  await expect(failing('TURBO_FAILED')).resolves.toBeUndefined();
  await expect(failing('PROGRAM_MISSING')).rejects.toMatchObject({ code: 'PROGRAM_MISSING' });
  await expect(failing('GIT_FAILED')).rejects.toMatchObject({ code: 'GIT_FAILED' });
  expect(content()).toBe('1\n');
});
