import { expect, test } from '@jest/globals';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import fc from 'fast-check';
import { type Finding, sortFindings } from './finding.js';

function imported(workspace: string, line: number, severity: 'hole' | 'note' = 'hole'): Finding {
  const place = { file: 'x.ts' as RepoPath, line, specifier: 'x' };
  const [reader, target] = [workspace as WorkspaceName, 'x' as WorkspaceName];
  return { kind: 'undeclared-reference', severity, workspace: reader, target, path: undefined, by: 'name', chain: [place] };
}

const SORTED: readonly Finding[] = [
  { kind: 'unknown-workspace', severity: 'hole', name: 'z', files: undefined },
  imported('a', 2),
  imported('b', 1),
  imported('a', 1, 'note'),
];

test('holes come first, then kinds, then places, whatever order they were found in', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...SORTED], { minLength: SORTED.length }), (shuffled) => {
      expect(sortFindings(shuffled)).toEqual(SORTED);
    }),
  );
});
