import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { formatManifest, type Manifest } from '@tributary/test-repo/temp-monorepo';
import type { MigrateResult } from '../result/result.js';
import { createFixture, createSource, type MigrationFixture } from './migration.fixture.js';

// The branch after an import: the package's dependencies aligned with the monorepo's, each step in a separate commit.

const cleanUp = cleanUpIn(afterEach);
let fixture: MigrationFixture;

/** A package's own lockfile; the one of the fixture locks nothing. */
const LOCK = '# yarn lockfile v1\n\n\ncore@^1.0.0:\n  version "1.0.0"\n\nms@^2.0.0:\n  version "2.1.2"\n\nms@^1.0.0:\n  version "1.0.0"\n';

const PACKED_BY_YARN = { packer: 'yarn' };

beforeEach(() => {
  fixture = createFixture(cleanUp);
  fixture.monorepo.commit('Go on', {
    files: {
      'tributary.json': JSON.stringify({ migrate: { internal: PACKED_BY_YARN } }),
      'packages/core/package.json': formatManifest({ name: 'core', version: '1.2.0' }),
      'packages/user/package.json': formatManifest({
        name: 'user',
        version: '1.0.0',
        dependencies: { 'left-pad': '^1.0.0', ms: '^2.1.0' },
      }),
    },
  });
});

async function migrate(manifest: Manifest, more: readonly string[] = [], lock = LOCK): Promise<MigrateResult> {
  const source = createSource(cleanUp, 'left-pad', manifest);
  source.commit('Lock', { files: { 'yarn.lock': lock } });
  const { stdout } = await fixture.accepted(['left-pad', '--from', source.path, '--json', ...more]);
  return JSON.parse(stdout) as MigrateResult;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(fixture.monorepo.git('show', `migrate/left-pad:${folder}/package.json`)) as Manifest;
}

function subjects(): readonly string[] {
  return fixture.monorepo.git('log', '--first-parent', '--reverse', '--format=%s', 'HEAD..migrate/left-pad').split('\n');
}

test('each step is a commit of its own, behind the merge and the clean-up', async () => {
  const { alignment } = await migrate({ dependencies: { core: '^1.0.0' }, devDependencies: { ms: '^2.0.0' } });
  expect(subjects()).toEqual([
    'Bring left-pad into packages/left-pad, with its history',
    'Remove files of left-pad that would override the root',
    'Use the workspaces for left-pad and their dependencies',
    'Align the dependencies of left-pad with those of the workspace',
  ]);
  expect(alignment?.map(({ step, files }) => [step, files])).toEqual([
    ['internal', ['packages/left-pad/package.json', 'packages/user/package.json']],
    ['versions', ['packages/left-pad/package.json']],
    ['lockfile', []],
  ]);
  expect(manifestOf('packages/left-pad')).toMatchObject({ dependencies: { core: 'workspace:^' }, devDependencies: { ms: '^2.1.0' } });
  expect(manifestOf('packages/user')['dependencies']).toEqual({ 'left-pad': 'workspace:^', ms: '^2.1.0' });
});

test('what is not sure is left, and said', async () => {
  const { alignment } = await migrate({ dependencies: { core: '^2.0.0', ms: '^1.0.0' } }, [], `${LOCK}\ncore@^2.0.0:\n  version "2.0.0"\n`);
  expect(manifestOf('packages/left-pad')['dependencies']).toEqual({ core: '^2.0.0', ms: '^1.0.0' });
  expect(messagesOf(alignment)).toEqual([
    'The workspace is 1.2.0. left-pad core `^2.0.0`',
    'No version satisfies all of them. left-pad ms `^1.0.0` (1.0.0)',
    'No version satisfies all of them. user ms `^2.1.0`',
    // The monorepo has no lockfile.
    'Nothing was installed, so the root yarn.lock lacks what left-pad had locked.',
  ]);
});

test('what the team has decided in tributary.json counts', async () => {
  const migrateBlock = { internal: { ...PACKED_BY_YARN, range: 'workspace:*', convert: 'all' }, versions: { policy: 'workspace' } };
  fixture.monorepo.commit('Decide', { files: { 'tributary.json': JSON.stringify({ migrate: migrateBlock }) } });
  await migrate({ dependencies: { core: '^2.0.0', ms: '^1.0.0' } }, [], `${LOCK}\ncore@^2.0.0:\n  version "2.0.0"\n`);
  expect(manifestOf('packages/left-pad')['dependencies']).toEqual({ core: 'workspace:*', ms: '^2.1.0' });
});

test('what the command line says of requests between workspaces counts before that', async () => {
  fixture.monorepo.commit('Decide', {
    files: { 'tributary.json': JSON.stringify({ migrate: { internal: { ...PACKED_BY_YARN, range: 'workspace:~' } } }) },
  });
  const lock = `${LOCK}\ncore@^2.0.0:\n  version "2.0.0"\n`;
  const { alignment } = await migrate({ dependencies: { core: '^2.0.0' } }, ['--internal', 'all'], lock);
  expect(manifestOf('packages/left-pad')['dependencies']).toEqual({ core: 'workspace:~' });
  expect(messagesOf(alignment)).toEqual([
    'The workspace is 1.2.0. left-pad core `^2.0.0`',
    'Packages get older versions than they had locked: core 2.0.0 → 1.2.0 for left-pad.',
    expect.stringMatching(/^Nothing was installed/),
  ]);
});

/** Returns the findings behind the decisions, or a decision's own text if it has none. */
function messagesOf(alignment: MigrateResult['alignment']): readonly string[] {
  const decisions = (alignment ?? []).flatMap((step) => step.decisions);
  return decisions.flatMap(({ text, findings }) =>
    findings.length === 0
      ? [text]
      : findings.flatMap((finding) => finding.about.map((one) => `${finding.text} ${one.package} ${one.place} ${one.detail}`)),
  );
}

test('nothing to align leaves no commit', async () => {
  fixture.monorepo.commit('Go on', { files: { 'packages/user/package.json': formatManifest({ name: 'user', version: '1.0.0' }) } });
  expect((await migrate({})).alignment).toEqual([
    { step: 'lockfile', commit: null, files: [], changes: [], decisions: [expect.anything()] },
  ]);
  expect(subjects()).toHaveLength(2);
});

test('without alignment dependencies stay as they came', async () => {
  expect((await migrate({ dependencies: { core: '^1.0.0' } }, ['--no-align'])).alignment).toBeNull();
  expect(manifestOf('packages/left-pad')['dependencies']).toEqual({ core: '^1.0.0' });
});

test('a lockfile that does not match its manifest refuses the migration, before anything is handed over', async () => {
  const source = createSource(cleanUp, 'left-pad', { dependencies: { core: '^9.0.0' } });
  source.commit('Lock', { files: { 'yarn.lock': LOCK } });
  const { stderr } = await fixture.refused('LOCKFILE_MISMATCH', ['left-pad', '--from', source.path]);
  expect(stderr).toContain('The lockfile of left-pad cannot be used: yarn.lock does not match its package.json: it lacks core@^9.0.0.');
  expect(stderr).toContain('--no-align');
});

test('what npm would publish is compared where files were carried over, and a difference is to be decided', async () => {
  const source = createSource(cleanUp, 'left-pad', {});
  source.commit('Settings', { files: { '.vscode/settings.json': '{}', '.npmignore': '.vscode\n' } });
  const settings = JSON.stringify({ migrate: { internal: { packer: 'npm' } } });
  fixture.monorepo.commit('Ignore', { files: { '.gitignore': 'src\n', 'tributary.json': settings } });
  const { stdout } = await fixture.accepted(['left-pad', '--from', source.path, '--json']);
  const { alignment } = JSON.parse(stdout) as MigrateResult;
  const { changes = [], decisions = [] } = alignment?.find(({ step }) => step === 'carry-over') ?? {};
  expect(changes.flatMap(({ about }) => about)).toContainEqual({ package: 'left-pad', place: '.vscode/', detail: null });
  expect([...changes, ...decisions].filter(({ text }) => text.includes('npm would publish'))).not.toEqual([]);
});

test('a package that is the root of workspaces itself is refused with what is in it; its history alone may come', async () => {
  const source = createSource(cleanUp, 'left-pad', { workspaces: ['libs/*'] });
  source.commit('Add', {
    files: { 'libs/a/package.json': formatManifest({ name: 'a' }), 'libs/b/package.json': formatManifest({ name: 'b' }) },
  });
  const { stderr } = await fixture.refused('SOURCE_HAS_WORKSPACES', ['left-pad', '--from', source.path]);
  expect(stderr).toContain('left-pad is itself a workspace root (see its package.json): libs/a, libs/b.');
  await fixture.accepted(['left-pad', '--from', source.path, '--no-align']);
});

test('so is one of pnpm', async () => {
  const source = createSource(cleanUp, 'left-pad', {});
  source.commit('Add', { files: { 'pnpm-workspace.yaml': 'packages:\n  - .\n  - libs/*\n' } });
  const { stderr } = await fixture.refused('SOURCE_HAS_WORKSPACES', ['left-pad', '--from', source.path]);
  expect(stderr).toContain('left-pad is itself a workspace root (see its pnpm-workspace.yaml): libs/*.');
});

describe('a dry run', () => {
  const manifest = { dependencies: { core: '^1.0.0', ms: '^1.0.0' }, resolutions: { ms: '1.0.0' } };

  test('says of the alignment what the migration then does, and writes nothing', async () => {
    const source = createSource(cleanUp, 'left-pad', manifest);
    source.commit('Lock', { files: { 'yarn.lock': LOCK, 'src/core.js': 'require("core");\n' } });
    const report = join(fixture.home.path, 'plan.md');
    const before = fixture.state();
    const dry = await fixture.run(['left-pad', '--from', source.path, '--json', '--dry-run', '--report', report]);
    expect(fixture.state()).toEqual(before);
    const plan = JSON.parse(dry.stdout) as MigrateResult;
    const done = JSON.parse((await fixture.accepted(['left-pad', '--from', source.path, '--json'])).stdout) as MigrateResult;
    expect(plan.alignment).toEqual(done.alignment?.map((step) => ({ ...step, commit: null })));
    expect([plan.state, plan.installation, plan.packages[0]?.lockfile]).toEqual([
      'planned',
      'no lockfile',
      { file: 'yarn.lock', kind: 'yarn classic' },
    ]);
    expect(readFileSync(report, 'utf8').match(/^#+ .*$/gm)).toEqual([
      '# left-pad',
      '## Breaks',
      '## Decide',
      '## What would be imported, with its whole history',
      '## What would be changed',
      '### Removed files that would override the root',
      '### Between workspaces',
      '### One version of each dependency',
      '### Resolutions, patches and registries',
    ]);
  });

  test.each(['rewrite', 'merge'])('of a folder, and with --strategy %s, sees the same files', async (strategy) => {
    const source = createSource(cleanUp, strategy === 'merge' ? 'left-pad' : 'whole', manifest);
    source.commit('Add', { files: { 'libs/pad/package.json': formatManifest({ name: 'left-pad', version: '1.0.0', ...manifest }) } });
    const folder = strategy === 'merge' ? [] : ['--subdirectory', 'libs/pad'];
    const args = ['left-pad', '--from', source.path, '--json', '--strategy', strategy, ...folder];
    const plan = JSON.parse((await fixture.accepted([...args, '--dry-run'])).stdout) as MigrateResult;
    const done = JSON.parse((await fixture.accepted(args)).stdout) as MigrateResult;
    expect(plan.alignment).toEqual(done.alignment?.map((step) => ({ ...step, commit: null })));
  });

  test('is refused for what would refuse the migration', async () => {
    const source = createSource(cleanUp, 'left-pad', { dependencies: { core: '^9.0.0' } });
    source.commit('Lock', { files: { 'yarn.lock': LOCK } });
    await fixture.refused('LOCKFILE_MISMATCH', ['left-pad', '--from', source.path, '--dry-run']);
  });
});

test('the branch can be discarded with the commits of the alignment', async () => {
  const before = fixture.state().snapshot;
  await migrate({ dependencies: { core: '^1.0.0' } });
  await fixture.discarded('left-pad');
  expect(fixture.state().snapshot).toEqual(before);
});

test('the report is Markdown, with five lines, and says of no minor version that it breaks', async () => {
  const report = join(fixture.home.path, 'report.md');
  await migrate({ dependencies: { core: '^1.0.0', ms: '^1.0.0' } }, ['--report', report]);
  const text = readFileSync(report, 'utf8');
  expect(text.match(/^#+ .*$/gm)).toEqual([
    '# left-pad',
    '## Breaks',
    '## Decide',
    '## What was imported, with its whole history',
    '## Tests before and after',
    '## What was changed',
    '### Removed files that would override the root',
    '### Between workspaces',
    '### One version of each dependency',
    '## Proof',
  ]);
  expect(text.split('\n').slice(2, 7)).toEqual([
    expect.stringMatching(
      /^- \*\*Came\*\*: `packages\/left-pad`, from `.*` at `\w{12}`, with 5 commits and 2 tags, each proven against its source\.$/,
    ),
    expect.stringMatching(/^- \*\*Breaks\*\*: 1 point to check\. The first: Nothing was installed/),
    '- **Decide**: 1 choice; nothing must be answered first.',
    expect.stringMatching(/^- \*\*Changed for others\*\*: /),
    expect.stringMatching(/^- \*\*Run\*\*: `git switch migrate\/left-pad`, `yarn install`/),
  ]);
  expect(text).toContain('     - left-pad: `ms`: `^1.0.0` (1.0.0)\n     - user: `ms`: `^2.1.0`\n');
  expect(text).toContain('- left-pad, `yarn.lock`: Removed: with it, Yarn treats the package');
  expect(text).toContain('- left-pad: core `^1.0.0` became `workspace:^`, minor upgrade from 1.0.0 to 1.2.0');
  expect(text).toContain('| core | 1.0.0 | 1.2.0 | minor upgrade | left-pad |  |');
  expect(text).toContain('| ms | left-pad | `^1.0.0` | 1.0.0 | left: ranges exclude each other |\n|  | user | `^2.1.0` |  |  |');
});

test.each(['.', 'nowhere/report.md', 'report.md/', 'link.md'])(
  'a report that cannot be written to %s is refused before anything is changed',
  async (place) => {
    const source = createSource(cleanUp);
    symlinkSync('../elsewhere.md', join(fixture.home.path, 'link.md'));
    await fixture.refused('FILE_UNUSABLE', ['left-pad', '--from', source.path, '--report', `${fixture.home.path}/${place}`]);
  },
);
