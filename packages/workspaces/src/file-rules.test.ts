import { describe, expect, test } from '@jest/globals';
import type { FileRule } from '@tributary/model/config';
import { cases } from '@tributary/test-repo/cases';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { buildFileRules, builtInRules, type FileOwner, readGlobalDependencies } from './file-rules.js';
import type { TaskKind } from './task-kinds.js';

const OWNERS: readonly FileOwner[] = ['workspace', 'outside'];

/** The answers of the built-in rules for files outside workspaces. */
const builtIn = buildFileRules([], []);

function affectsOf(rules: readonly FileRule[], file: string): FileRule['affects'] | undefined {
  return buildFileRules(rules, [])(file, 'workspace')?.affects;
}

describe('the built-in rules', () => {
  test.each([
    'README.md',
    'README',
    'README.rst',
    'docs/guide.md',
    'docs/a/b.mdx',
    'some/where/notes.md',
    '.github/SECURITY.md',
    'AGENTS.md',
    'CHANGELOG.md',
    'CHANGELOG',
    'CONTRIBUTING.md',
    'CODE_OF_CONDUCT.md',
    'LICENSE',
    'LICENCE.txt',
    'LICENSE-MIT',
    'NOTICE',
    'AUTHORS',
    'CODEOWNERS',
    '.github/CODEOWNERS',
    'docs/CODEOWNERS',
    '.github/FUNDING.yml',
    '.github/ISSUE_TEMPLATE/bug.yml',
    '.github/PULL_REQUEST_TEMPLATE.md',
    '.github/dependabot.yml',
    'renovate.json',
    '.github/renovate.json5',
    '.mailmap',
    '.editorconfig',
    'acme.code-workspace',
    '.fleet/settings.json',
    '.windsurfrules',
    '.gitpod.yml',
    '.versionrc.json',
    '.cz.toml',
    'CITATION.cff',
    'osv-scanner.toml',
    '.typos.toml',
    'tslint.json',
    '.prettierrc',
    '.prettierrc.js',
    '.prettierignore',
    '.gitguardian.yaml',
    '.gitleaksignore',
    'sonar-project.properties',
    '.husky/pre-commit',
    '.vscode/settings.json',
    '.claude/settings.json',
    '.cursor/rules/style.mdc',
    '.mcp.json',
    '.idea/a/b.xml',
    '.changeset/config.json',
    'eslint-suppressions.json',
    '.knip.jsonc',
    'knip.config.mts',
    'knip.ts',
    '.changeset/happy-cat.md',
    '.nx/version-plans/version-plan-1.md',
    '.chronus/changes/a-fix.md',
    '.yarn/versions/1a2b.yml',
    'docs/with\nline end.md',
  ])('know that %j affects nobody', (file) => {
    expect(builtIn(file, 'outside')).toMatchObject({ affects: 'none', source: 'built-in' });
  });

  test.each([
    'tsconfig.json',
    'jest.config.mjs',
    'jest.setup.js',
    'vitest.workspace.ts',
    'babel.config.js',
    '.babelrc.json',
    'turbo.json',
    '.nvmrc',
    '.node-version',
    '.tool-versions',
    '.npmrc',
    '.env',
    '.env.test',
    '.browserslistrc',
    '.yarn/releases/yarn-4.1.0.cjs',
    '.yarn/plugins/@yarnpkg/plugin-x.cjs',
    '.gitignore',
    '.gitattributes',
    '.gitmodules',
    '.github/workflows/ci.yml',
    '.github/actions/setup/action.yml',
    '.gitlab-ci.yml',
    '.circleci/config.yml',
    'Jenkinsfile',
    '.gitlab/affected.yml',
    '.gitlab/ci/tests.yaml',
    '.buildkite/affected.sh',
    'azure-pipelines.yml',
    'azure-pipelines-nightly.yaml',
  ])('know that %j affects all', (file) => {
    expect(builtIn(file, 'outside')).toMatchObject({ affects: 'all', source: 'built-in' });
  });

  test.each([
    'docs/build.js',
    'docs/sidebar.json',
    'scripts/release.ts',
    'README.test.js',
    'README.js',
    'CHANGELOG.config.js',
    'LICENSE.test.ts',
    'sub/eslint.config.mjs',
    'sub/tsconfig.json',
    'sub/jest.config.js',
    'package.json',
    'yarn.lock',
    '.yarnrc.yml',
    'tributary.json',
    '.yarn/patches/a.patch',
    '.yarn/cache/a.zip',
    '.pnp.cjs',
    '.github/labeler.yml',
    'sub/.gitignore',
    'lib/.husky/x',
    'readme',
    '.gitlab/CODEOWNERS',
    '.gitlab/ci/deploy.sh',
    'azure-pipelines.js',
    'sub/azure-pipelines.yml',
    // Files that tests may read.
    'e2e/a/README.md',
    'test/fixtures/in.md',
    '__tests__/x.mdx',
    'tools/__fixtures__/a/b.md',
    // One letter more or less.
    'xREADME',
    'tsconfigs.txt',
    'a.mdq',
    'amd',
    'mymd',
    '.github/workflow/x.yml',
    'envrc',
  ])('claim nothing about %j', (file) => {
    expect(builtIn(file, 'outside')).toBeUndefined();
  });

  test('are silent about files of workspaces', () => {
    for (const file of ['packages/a/README.md', 'packages/a/tsconfig.json', 'README.md', 'turbo.json'])
      expect(builtIn(file, 'workspace')).toBeUndefined();
  });

  test('are written as a rule of tributary.json would be, and mean the same there', () => {
    const asOwn = buildFileRules(builtInRules('test'), []);
    for (const file of ['README.md', 'e2e/README.md', '.github/workflows/ci.yml', 'docs/x.js', 'LICENSE-MIT', 'sub/.gitignore'])
      expect(asOwn(file, 'workspace')?.affects).toEqual(builtIn(file, 'outside')?.affects);
  });

  test('name the glob that matched', () => {
    expect(builtIn('a/b.md', 'outside')).toEqual({ affects: 'none', rule: '**/*.md', source: 'built-in' });
    expect(builtIn('tsconfig.json', 'outside')).toEqual({ affects: 'all', rule: '{ts,js}config.json', source: 'built-in' });
  });
});

describe('the rules of tributary.json', () => {
  test('come before the built-in ones and turbo, for files of workspaces too', () => {
    const rules = buildFileRules([{ files: ['**/*.md', '*.json'], affects: 'owner' }], ['*.json']);
    for (const owner of OWNERS) {
      expect(rules('README.md', owner)).toEqual({ affects: 'owner', rule: '**/*.md', source: 'tributary.json' });
      expect(rules('turbo.json', owner)).toEqual({ affects: 'owner', rule: '*.json', source: 'tributary.json' });
    }
  });

  test('decide in their order', () => {
    const rules: readonly FileRule[] = [
      { files: ['docs/api/**'], affects: ['api'] },
      { files: ['docs/**'], affects: 'none' },
    ];
    expect(affectsOf(rules, 'docs/api/a.json')).toEqual(['api']);
    expect(affectsOf(rules, 'docs/a.json')).toBe('none');
    expect(affectsOf([...rules].reverse(), 'docs/api/a.json')).toBe('none');
  });

  const matching: readonly (readonly [files: readonly string[], file: string])[] = [
    [['**'], '.hidden/.file'],
    [['*.ts'], '.a.ts'],
    [['packages/*/test/**'], 'packages/a/test/.x/y.ts'],
    [['a/{b,c}/*.js'], 'a/c/x.js'],
    [['a/!(b)/*.js'], 'a/c/x.js'],
    [['!(a)/**'], 'b/x'],
    [['exact/file.txt'], 'exact/file.txt'],
    [['with space/ü*'], 'with space/über'],
    [['docs/**'], 'docs/a\nb'],
    [['a/**', '!a/b/**'], 'a/c'],
    [['!a/b/**', 'a/**'], 'a/c'],
  ];
  test.each(matching)('%j match %j', (files, file) => {
    expect(affectsOf([{ files, affects: 'owner' }], file)).toBe('owner');
  });

  const apart: readonly (readonly [files: readonly string[], file: string])[] = [
    [['*.ts'], 'a/b.ts'],
    [['docs/**'], 'docs-old/a'],
    [['docs/**'], 'a/docs/b'],
    [['DOCS/**'], 'docs/a'],
    [['a/!(b)/*.js'], 'a/b/x.js'],
    // Must not match everything outside a/b.
    [['!a/b/**'], 'x'],
    [['a/**', '!a/b/**'], 'a/b/c'],
    [['!a/b/**', 'a/**'], 'a/b/c'],
    [['a/**', '!a/b/**'], 'x'],
  ];
  test.each(apart)('%j do not match %j', (files, file) => {
    expect(affectsOf([{ files, affects: 'owner' }], file)).toBeUndefined();
  });

  test('that take a file out leave it to the rules behind them', () => {
    const rules: readonly FileRule[] = [
      { files: ['a/**', '!a/b/**'], affects: 'none' },
      { files: ['**'], affects: 'all' },
    ];
    expect(affectsOf(rules, 'a/b/c')).toBe('all');
  });

  const file = fc
    .array(fc.constantFrom('a', 'b', 'docs', '.x', 'README.md', 'x.ts', 'test'), { minLength: 1, maxLength: 4 })
    .map((names) => names.join('/'));
  const rule = fc.record({
    files: fc.array(fc.constantFrom('**', 'a/**', '**/*.ts', '*', 'docs/*', '!**/test/**', '!a/*'), { minLength: 1, maxLength: 3 }),
    affects: fc.constantFrom('all', 'none', 'owner') as fc.Arbitrary<FileRule['affects']>,
  });

  test('match what picomatch matches', () => {
    const piece = fc.constantFrom('a', 'b', '.', './', '/', '**', '*', '?', '{a,b}', '{,a}', '[ab]', '|', '-', ' ', '@', '"', '$');
    const glob = fc
      .array(piece, { minLength: 1, maxLength: 4 })
      .map((pieces) => pieces.join(''))
      // picomatch takes a dot in front of a bar as it is.
      .filter((text) => !/\.\/.*\|/.test(text));
    const path = fc
      .array(fc.constantFrom('a', 'b', 'ab', '.', '/', '-', ' ', '@', '+'), { minLength: 1, maxLength: 5 })
      .map((pieces) => pieces.join(''))
      .filter((text) => text.split('/').every((name) => !/^$|\.$/.test(name)));
    fc.assert(
      fc.property(glob, fc.array(path, { minLength: 10, maxLength: 10 }), (files, paths) => {
        const matches = picomatch(files, { dot: true });
        for (const each of paths) expect(affectsOf([{ files: [files], affects: 'owner' }], each)).toBe(matches(each) ? 'owner' : undefined);
      }),
      { numRuns: cases(300) },
    );
  });

  test('behind others decide only what those left open', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), rule, file, (rules, more, path) => {
        const before = affectsOf(rules, path);
        const after = affectsOf([...rules, more], path);
        expect(after).toBe(before ?? affectsOf([more], path));
      }),
    );
  });

  test('decide alike whatever was asked before', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), fc.array(file, { maxLength: 5 }), (rules, paths) => {
        const asked = buildFileRules(rules, ['docs']);
        for (const path of paths)
          for (const owner of OWNERS) expect(asked(path, owner)).toEqual(buildFileRules(rules, ['docs'])(path, owner));
      }),
    );
  });
});

describe('globalDependencies of turbo.json', () => {
  function isGlobal(globs: readonly string[], path: string): boolean {
    return buildFileRules([], globs)(path, 'outside')?.source === 'turbo.json';
  }

  test('count for all, before the built-in rules, in workspaces too', () => {
    const rules = buildFileRules([], ['$TURBO_ROOT$/docs/**']);
    expect(rules('docs/a.md', 'outside')).toEqual({ affects: 'all', rule: '$TURBO_ROOT$/docs/**', source: 'turbo.json' });
    expect(rules('docs/a.md', 'workspace')?.affects).toBe('all');
    expect(rules('lib/a.md', 'workspace')).toBeUndefined();
  });

  const matching: readonly (readonly [globs: readonly string[], path: string])[] = [
    [['scripts'], 'scripts/a/b.js'],
    [['scripts/'], 'scripts/a.js'],
    [['scripts*'], 'scripts-old/a.js'],
    [['scripts'], 'scripts'],
    [['./scripts/*.js'], 'scripts/a.js'],
    [['/scripts/*.js'], 'scripts/a.js'],
    [['$TURBO_ROOT$/scripts/*.js'], 'scripts/a.js'],
    [['**/.env.*local'], 'a/.env.test.local'],
    [['*'], 'a.js'],
    [['ci/**', '!ci/test'], 'ci/a.ts'],
    // Unsupported syntax widens the match.
    [['ci/<[0-9]:2>/x'], 'ci/other'],
    [['(?i)ci/x'], 'any/thing'],
    [['ci/**', '!ci/(?i)test'], 'ci/test'],
  ];
  test.each(matching)('%j match %j', (globs, path) => {
    expect(isGlobal(globs, path)).toBe(true);
  });

  const apart: readonly (readonly [globs: readonly string[], path: string])[] = [
    [[], 'a.js'],
    [['*'], 'a/b.js'],
    [['scripts'], 'scripts-old/a.js'],
    [['scripts/*.js'], 'scripts/a.ts'],
    [['ci/**', '!ci/test'], 'ci/test/a.ts'],
    [['!ci/test', 'ci/**'], 'ci/test/a.ts'],
    [['ci/**', '!$TURBO_ROOT$/ci/test/**'], 'ci/test/a.ts'],
    [['!ci'], 'a.js'],
    // An environment variable, before turbo 2.
    [['$CI_ENV'], 'a.js'],
    [['../other/**'], 'other/a.js'],
  ];
  test.each(apart)('%j do not match %j', (globs, path) => {
    expect(isGlobal(globs, path)).toBe(false);
  });
});

describe('a turbo.json', () => {
  const readable: readonly (readonly [text: string, globs: readonly string[]])[] = [
    ['{}', []],
    ['{"globalDependencies": null}', []],
    ['{"globalDependencies": []}', []],
    [
      '\uFEFF// ours\n{\n  "globalDependencies": ["tsconfig.json", "!x/**", "$TURBO_ROOT$/a",], /* and */ "tasks": {},\n}',
      ['tsconfig.json', '!x/**', '$TURBO_ROOT$/a'],
    ],
    ['{"futureFlags": {"globalConfiguration": true}, "global": {"inputs": ["a"], "env": ["X"]}}', ['a']],
    ['{"globalDependencies": ["a"], "global": {"inputs": ["b"]}}', ['a', 'b']],
    ['{"global": {"env": ["X"]}}', []],
  ];
  test.each(readable)('is read: %j', (text, globs) => {
    expect(readGlobalDependencies(text)).toEqual(globs);
  });

  const broken: readonly (readonly [text: string, problem: string])[] = [
    ['', 'line 1 is not JSON'],
    ['{\n  "globalDependencies": [\n}', 'line 3 is not JSON'],
    ['[]', 'it must be a JSON object'],
    ['{"globalDependencies": [1]}', 'its global dependencies must be a list of globs'],
    ['{"globalDependencies": {"a": 1}}', 'its global dependencies must be a list of globs'],
    ['{"globalDependencies": "a"}', 'its global dependencies must be a list of globs'],
    ['{"globalDependencies": [["a"]]}', 'its global dependencies must be a list of globs'],
    ['{"global": {"inputs": [null]}}', 'its global dependencies must be a list of globs'],
    ['{"global": []}', 'its "global" must be an object'],
  ];
  test.each(broken)('is a problem: %j', (text, problem) => {
    expect(readGlobalDependencies(text)).toEqual({ problem });
  });
});

test('a rule for some kinds of tasks is for no other, and for none of an unknown kind', () => {
  const rule = { files: ['packages/lint-settings/**'], affects: 'owner', tasks: ['test', 'build'] } as const;
  const affects = (kind: TaskKind): unknown => buildFileRules([rule], [], kind)('packages/lint-settings/index.js', 'workspace')?.affects;
  expect((['test', 'build', 'lint', 'format', 'other'] as const).map(affects)).toEqual(['owner', 'owner', undefined, undefined, undefined]);
});
