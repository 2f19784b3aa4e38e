import { expect, test } from '@jest/globals';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { Finding } from './check/finding.js';
import { renderCheck } from './render-check.js';
import type { CheckResult } from './result.js';

const name = (text: string): WorkspaceName => text as WorkspaceName;

function render(findings: readonly Finding[], more: Partial<CheckResult> = {}): string {
  const rules = { rules: [], rootOnlyDependencies: ['prettier'], always: [] } as const;
  const result: CheckResult = {
    schemaVersion: 1,
    head: '0123456789abcdef',
    findings,
    edges: [],
    warnings: [],
    ...rules,
    ...more,
  };
  const text = renderCheck(result, { width: 80, bold: (title) => title }, 'all');
  return text.slice(0, text.indexOf('Files of CI engines'));
}

function imported(workspace: string, target: string, line = 1): Finding {
  const place = { file: `${workspace}/x.ts` as RepoPath, line, specifier: target };
  const names = { workspace: name(workspace), target: name(target) };
  return { kind: 'undeclared-reference', severity: 'hole', ...names, path: undefined, by: 'name', chain: [place] };
}

test('nothing is said in one sentence', () => {
  expect(render([])).toBe('No problem found in 0123456789.\n\n');
});

test('what one step mends is one entry, and what many do comes first', () => {
  const findings = [imported('z', 'lib'), imported('z', 'lib', 2), ...['a', 'b', 'c', 'd'].map((one) => imported(one, 'core'))];
  expect(render(findings).split('\n').slice(2, 8)).toEqual([
    'References between workspaces that no manifest declares (6)',
    'Answers follow them. Declare them: Yarn and turborepo do not see them.',
    '  4 workspaces import core',
    '      a/x.ts:1, and 3 more',
    '  z imports lib',
    '      z/x.ts:1, and 1 more',
  ]);
});

test('ten of a kind are enough', () => {
  const lines = render(Array.from({ length: 12 }, (_, at) => imported('a', `lib-${at}`))).split('\n');
  expect(lines.filter((line) => line.startsWith('  a imports'))).toHaveLength(10);
  expect(lines).toContain('  and 2 more (--json shows all)');
});

test('each kind is told in its own words', () => {
  const [workspace, file, path] = [name('a'), 'a/x' as RepoPath, 'lib/y' as RepoFolder];
  const findings: readonly Finding[] = [
    { kind: 'unknown-workspace', severity: 'hole', name: 'ui', files: ['docs/**'] },
    { kind: 'unknown-workspace', severity: 'hole', name: 'ui', files: undefined },
    {
      kind: 'undeclared-reference',
      severity: 'hole',
      workspace,
      target: name('lib'),
      path,
      by: 'path',
      chain: [
        { file, line: 1, specifier: '../../t' },
        { file: 't' as RepoPath, specifier: 'lib/y' },
      ],
    },
    { kind: 'opaque-place', severity: 'note', workspace, file, line: 3, specifier: '../..', path: '' as RepoFolder },
  ];
  const lines = render(findings).split('\n');
  expect(lines.filter((line) => line.startsWith('  '))).toEqual([
    '  ui in the rule for docs/**',
    '  ui in "affected.always"',
    '  a reads files of lib/y',
    '      a/x:1 > t "lib/y"',
    '  a may read anything below the root',
    '      a/x:3 "../.."',
  ]);
  expect(lines.every((line) => line.length <= 80)).toBe(true);
});
