import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { builtInRules } from '@tributary/workspaces/file-rules';
import { ROOT_ONLY_DEPENDENCIES } from '@tributary/workspaces/root-dependencies';
import { type Finding, sortFindings } from './check/finding.js';
import type { Observation } from './observe/observation.js';
import type { CheckResult } from './result.js';
import { ID } from './result-documents.fixture.js';

/** A result as `affected check --json` prints it: every finding with each severity. */
export function checked(mode: 'plain' | 'fixed'): CheckResult {
  return {
    schemaVersion: 1,
    head: ID,
    findings: sortFindings(Object.values(FINDINGS).flatMap((found: readonly Finding[]) => found.flatMap(withEachSeverity))),
    edges: [
      { from: app, kind: 'workspace', to: 'lib', proof: 'app/a.ts:1' },
      { from: app, kind: 'file', to: 'data.json', proof: 'app/a.ts:2' },
    ],
    ...(mode === 'fixed' ? { fixed: { added: EDGES, removed: EDGES } } : {}),
    rules: [
      { files: ['data.json', '!old.json'], affects: ['lib'], source: 'tributary.json' },
      { files: ['**/*.test.ts'], affects: 'owner', because: 'nothing names it', source: 'tributary.json' },
      { files: ['tsconfig.json'], affects: 'all', source: 'turbo.json' },
      ...builtInRules('test').map((rule) => ({ ...rule, source: 'built-in' as const })),
    ],
    rootOnlyDependencies: ROOT_ONLY_DEPENDENCIES,
    always: ['app'],
    warnings: ['A warning.'],
  };
}

function withEachSeverity(finding: Finding): readonly Finding[] {
  return (['hole', 'note'] as const).map((severity) => ({ ...finding, severity }));
}

const app = 'app' as WorkspaceName;
const lib = 'lib' as WorkspaceName;
const inFile = { workspace: app, file: 'app/a.ts' as RepoPath, line: 1, specifier: '../lib/a' } as const;
const folder = 'lib' as RepoFolder;
const EDGES = (['workspace', 'file'] as const).map((kind) => ({ from: app, kind, to: 'lib', proof: 'app/a.ts:1' }));

/** Every word of each kind, apart from the severity. */
const FINDINGS: { readonly [Kind in Finding['kind']]: readonly Extract<Finding, { kind: Kind }>[] } = {
  'narrow-inputs': [{ kind: 'narrow-inputs', severity: 'hole', ...inFile, path: 'app/data.json' as RepoPath, task: 'app#test' }],
  'undeclared-reference': (['name', 'path', 'script'] as const).flatMap((by) =>
    [folder, undefined].map((path) => ({
      kind: 'undeclared-reference',
      severity: 'hole',
      workspace: app,
      target: lib,
      path,
      by,
      chain: [{ line: 7 }, {}].map((line) => ({ file: inFile.file, ...line, specifier: '../x' })),
    })),
  ),
  'opaque-place': [{ kind: 'opaque-place', severity: 'note', ...inFile, path: folder }],
  'observed-reading': [
    {
      kind: 'observed-reading',
      severity: 'hole',
      workspace: app,
      path: 'lib/data.json' as RepoPath,
      files: 2,
      target: lib,
      command: 'yarn run test',
      missing: '"lib" in the devDependencies of app/package.json',
    },
  ],
  'stale-edge': (['reader', 'target', 'file', 'nothing'] as const).map((missing) => ({
    kind: 'stale-edge',
    severity: 'note',
    from: 'app',
    to: 'lib',
    proof: 'app/a.ts:1',
    missing,
  })),
  'idle-rule': (['all', 'none', 'owner', ['lib']] as const).map((affects) => ({
    kind: 'idle-rule',
    severity: 'note',
    files: ['*.js'],
    affects,
  })),
  'idle-drop': [{ kind: 'idle-drop', severity: 'note', workspace: 'app', task: 'test' }],
  'unknown-workspace': [['*.js'], undefined].map((files) => ({ kind: 'unknown-workspace', severity: 'hole', name: 'ap', files })),
  'broken-promise': [
    { kind: 'broken-promise', severity: 'hole', subject: 'docs/**', because: 'nothing names it', evidence: 'a.js names it' },
  ],
};

/** Observations as `affected trace` writes them. */
export function observations(): readonly Observation[] {
  const seen = { schemaVersion: 2, commit: 'a'.repeat(40), workspace: 'app', command: ['yarn', 'run', 'test'] } as const;
  return [
    { ...seen, exit: 0, incomplete: [], files: ['lib/a.ts', 'data.json'] },
    { ...seen, exit: null, incomplete: ['Line 7 of the trace could not be read.'], files: [] },
  ];
}
