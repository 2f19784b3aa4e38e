import { describe, expect, test } from '@jest/globals';
import { describeReplayed, renderReplay } from './render-replay.js';
import { figuresOf } from './replay-figures.js';
import type { AssumedWorkflow, ReplayedCommit } from './result.js';

const PAGE = { width: 100, bold: (text: string) => text };

function commit(affected: number, more: Partial<ReplayedCommit> = {}): ReplayedCommit {
  return { commit: 'x', workspaceCount: 1000, affected, all: null, milliseconds: 12, ...more };
}

function render(...commits: readonly ReplayedCommit[]): string {
  const workflow = { path: 'ci.yml', testing: ['ci.yml'] };
  const policies = figuresOf(commits);
  return renderReplay({ schemaVersion: 1, head: '0123456789abcdef', workflow, commits, policies, warnings: [] }, PAGE);
}

test('nothing to replay is said', () => {
  expect(render()).toContain('git fetch --unshallow');
});

test('the whole page', () => {
  const all = { code: 'FILE_UNCLAIMED', reason: 'x is outside.' } as const;
  expect(render(commit(100), commit(1000, { all, milliseconds: 90 }))).toBe(
    [
      '2 commits up to 0123456789, each as if it were a pull request,',
      'judged by the tributary.json of the last one. The root is not counted.',
      'CI files count as in ci.yml; --workflow names another.',
      '',
      'policy          workspace tests     mean   median      P90  ran all',
      'run everything             2000  100.0 %  100.0 %  100.0 %        2',
      'affected                   1100   55.0 %   10.0 %  100.0 %        1',
      '',
      'Commits by what they would have run: none 0, up to 5 % 0, up to 10 % 1, up to 25 % 0, up to 50 % 0, more 0, all 1.',
      '',
      'Why everything ran:',
      '     1  FILE_UNCLAIMED, such as: x is outside.',
      '',
      'Time for an answer, without starting the program: median 12 ms, P90 90 ms.',
    ].join('\n'),
  );
});

test.each<[workflow: AssumedWorkflow, line: string]>([
  [{ path: 'ci.yml', testing: null }, 'CI files count as in ci.yml.'],
  [{ path: 'ci.yml', testing: ['ci.yml'] }, 'CI files count as in ci.yml; --workflow names another.'],
  [{ path: null, testing: ['a', 'b'] }, 'Several workflows test pull requests, such as a; name one with --workflow.'],
  [{ path: null, testing: [] }, 'No workflow is known to test pull requests; name one with --workflow.'],
])('the workflow: %j', (workflow, line) => {
  expect(describeReplayed(2, { head: 'x', workflow }).at(-1)).toBe(line);
});

describe('a commit counts among those that ran', () => {
  test.each<[affected: number, share: string]>([
    [0, 'none'],
    [1, 'up to 5 %'],
    [50, 'up to 5 %'],
    [51, 'up to 10 %'],
    [100, 'up to 10 %'],
    [101, 'up to 25 %'],
    [250, 'up to 25 %'],
    [251, 'up to 50 %'],
    [500, 'up to 50 %'],
    [501, 'more'],
    [999, 'more'],
    [1000, 'all'],
  ])('%d of 1000: %s', (affected, share) => {
    expect(render(commit(affected))).toMatch(new RegExp(`[:,] ${share} 1[,.]`));
  });

  test('all of thousands only if it was all', () => {
    expect(render(commit(4999, { workspaceCount: 5000 }))).toContain('more 1, all 0.');
    expect(render(commit(5000, { workspaceCount: 5000 }))).toContain('more 0, all 1.');
  });
});

test('the reasons for all stand by how often they occurred, each with its first example', () => {
  const because = (code: 'RULE' | 'CONFIG_CHANGED' | 'NO_MERGE_BASE', reason: string): ReplayedCommit =>
    commit(1000, { all: { code, reason } });
  const page = render(because('RULE', 'a'), because('CONFIG_CHANGED', 'b'), because('CONFIG_CHANGED', 'c'), commit(1));
  expect(page.split('\n').filter((line) => line.includes('such as'))).toEqual([
    '     2  CONFIG_CHANGED, such as: b',
    '     1  RULE, such as: a',
  ]);
});
