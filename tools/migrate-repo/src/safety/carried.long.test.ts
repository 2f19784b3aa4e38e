import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { formatManifest, monorepoFiles } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import type { MigrateResult } from '../result/result.js';
import { createFixture, createSource, type MigrationFixture } from './migration.fixture.js';

// What files that only work at the root of a repository become on a real branch.

const cleanUp = cleanUpIn(afterEach);
let fixture: MigrationFixture;
let source: TempRepo;
beforeEach(() => {
  fixture = createFixture(cleanUp);
  source = createSource(cleanUp, 'left-pad');
});

async function migrate(more: readonly string[] = [], cwd = fixture.monorepo.path as string): Promise<MigrateResult> {
  const { stdout } = await fixture.accepted(['left-pad', '--from', source.path, '--json', ...more], { cwd });
  return JSON.parse(stdout) as MigrateResult;
}

function textOf(path: string): string {
  return fixture.monorepo.git('show', `migrate/left-pad:${path}`);
}

function filesIn(folder: string): readonly string[] {
  return fixture.monorepo.git('ls-tree', '-r', '--name-only', 'migrate/left-pad', '--', folder).split('\n');
}

/** Returns the changes or decisions of the carry-over step, each with its place and detail. */
function messagesOf({ alignment }: MigrateResult, kind: 'changes' | 'decisions'): readonly string[] {
  const said = alignment?.find(({ step }) => step === 'carry-over');
  const grouped = (kind === 'changes' ? said?.changes : said?.decisions.flatMap(({ findings }) => findings)) ?? [];
  return grouped.flatMap(({ text, about }) =>
    about.map(({ place, detail }) => `${place}: ${text}${detail === null ? '' : ` (${detail})`}`),
  );
}

describe('a monorepo in a folder of its repository', () => {
  beforeEach(() => {
    const files = monorepoFiles({ packages: { 'packages/here': {} }, files: { '.prettierignore': 'dist\n' } });
    const inFolder = Object.fromEntries(Object.entries(files).map(([file, text]) => [`mono/${file}`, text]));
    const root = { '.github/CODEOWNERS': '* @all\n', '.gitignore': '*.log\n', 'mono/packages/.gitignore': 'tmp\n' };
    fixture.monorepo.commit('Move into a folder', {
      files: {
        ...Object.fromEntries(
          fixture.monorepo
            .git('ls-files')
            .split('\n')
            .map((file) => [file, null]),
        ),
        ...inFolder,
        ...root,
      },
    });
    source.commit('Settings', {
      files: {
        CODEOWNERS: '*.js @lib\n',
        '.github/workflows/ci.yml': 'on: push\njobs: { test: { runs-on: x, steps: [{ uses: actions/checkout@v4 }, { run: npm test }] } }\n',
        '.prettierignore': 'out\n',
        '.mailmap': 'Ada <ada@new.example> <ada@example.com>\n',
        'a.log': '',
        'tmp/b': '',
      },
    });
  });

  test('what GitHub and git read is written at the root of the repository, what tools read at that of the project', async () => {
    await migrate([], join(fixture.monorepo.path, 'mono'));
    expect(textOf('.github/CODEOWNERS')).toContain('/mono/packages/left-pad/**/*.js @lib');
    expect(textOf('mono/packages/left-pad/.github/workflows/ci.yml')).toContain('npm test');
    expect(textOf('.mailmap')).toContain('Ada <ada@new.example>');
    expect(textOf('mono/.prettierignore')).toContain('\n/packages/left-pad/**/out\n');
    expect(filesIn('mono/packages/left-pad')).not.toContain('mono/packages/left-pad/CODEOWNERS');
  });

  test('rules that hide files are found wherever they stand above', async () => {
    const messages = messagesOf(await migrate([], join(fixture.monorepo.path, 'mono')), 'decisions').join('\n');
    expect(messages).toContain('`.gitignore:1` has `*.log`, which matches `a.log`');
    expect(messages).toContain('`mono/packages/.gitignore:1` has `tmp`, which matches `tmp/b`');
  });
});

describe('commits that blame passes over', () => {
  const ids = (repo: TempRepo): string => repo.git('log', '--format=%H %s');

  test('get the ids that they have now', async () => {
    const lines = ids(source).split('\n');
    const [first = ''] = (lines.at(-1) ?? '').split(' ');
    const [last = ''] = (lines[0] ?? '').split(' ');
    const gone = 'ab'.repeat(20);
    source.commit('Ignore', { files: { '.git-blame-ignore-revs': `# The first\n${first}\n${last} # The last\n${gone}\n` } });
    const result = await migrate();
    const moved = fixture.monorepo.git('log', '--format=%H %s', 'migrate/left-pad').split('\n');
    const newIdOf = (line = ''): string => moved.find((one) => one.endsWith(line.slice(40)))?.slice(0, 40) ?? '';
    expect(textOf('.git-blame-ignore-revs')).toBe(
      ['# begin left-pad (migrate-repo)', '# The first', newIdOf(lines.at(-1)), `${newIdOf(lines[0])} # The last`, '# end left-pad'].join(
        '\n',
      ),
    );
    expect(messagesOf(result, 'changes').join()).toContain('2 of 3; the others are not in the imported history');
    // git itself takes the file.
    fixture.monorepo.git('merge', '-q', '--no-edit', 'migrate/left-pad');
    fixture.monorepo.git('blame', '--ignore-revs-file=.git-blame-ignore-revs', '--', 'packages/left-pad/package.json');
  });

  test('keep those that they have where the history came as it was', async () => {
    const [last = ''] = ids(source).split(' ');
    source.commit('Ignore', { files: { '.git-blame-ignore-revs': `${last}\n` } });
    await migrate(['--strategy', 'merge']);
    expect(textOf('.git-blame-ignore-revs')).toContain(last);
  });

  test('of a folder only those that changed something there', async () => {
    source.commit('A library', { files: { 'libs/a/package.json': formatManifest({ name: 'a' }), 'libs/a/x.js': '' } });
    const [inside = ''] = ids(source).split(' ');
    source.commit('Elsewhere', { files: { 'y.js': '' } });
    const [outside = ''] = ids(source).split(' ');
    source.commit('Ignore', { files: { 'libs/a/.git-blame-ignore-revs': `${inside}\n${outside}\n` } });
    const { stdout } = await fixture.accepted(['a', '--from', source.path, '--subdirectory', 'libs/a', '--json']);
    expect(messagesOf(JSON.parse(stdout) as MigrateResult, 'changes').join()).toContain('1 of 2');
  });
});

test('of the package.json no line changes but those of what is taken out', async () => {
  const text = '{\r\n\t"name": "left-pad", "version": "1.0.0",\r\n\t"files": ["a", "b"],\r\n\t"packageManager": "yarn@3.0.0"\r\n}';
  source.commit('Odd', { files: { 'package.json': text } });
  const result = await migrate();
  expect(fixture.monorepo.gitBytes('show', 'migrate/left-pad:packages/left-pad/package.json').toString()).toBe(
    '{\r\n\t"name": "left-pad", "version": "1.0.0",\r\n\t"files": ["a", "b"]\r\n}',
  );
  expect(messagesOf(result, 'changes')).toContain(
    'package.json: "packageManager" was removed: the Yarn of the root is used. (it was `yarn@3.0.0`)',
  );
});

test('what the clean-up took away is told once, and what must be decided about it too', async () => {
  source.commit('Settings', { files: { '.yarnrc.yml': 'npmAuthToken: s3cr3t-s3cr3t\n', 'yarn.lock': '', '.nvmrc': '20' } });
  const result = await migrate();
  expect(result.packages[0]?.cleanUp.map(({ path }) => path)).toEqual(['.yarnrc.yml', 'yarn.lock']);
  expect(messagesOf(result, 'changes').join()).not.toMatch(/yarnrc|yarn\.lock/);
  expect(messagesOf(result, 'decisions')).toContainEqual(expect.stringMatching(/^\.yarnrc\.yml: It contains a credential/));
  expect(JSON.stringify(result)).not.toContain('s3cr3t');
});

describe('links and submodules', () => {
  test('a link that leads elsewhere now is told, and one within the package is not', async () => {
    source.commit('Link', {
      files: {
        'libs/a/package.json': formatManifest({ name: 'a' }),
        'libs/a/LICENSE': { symlink: '../../LICENSE' },
        'libs/a/README.md': { symlink: 'docs/README.md' },
        'libs/a/docs/README.md': 'words',
        'libs/a/.vscode/settings.json': '{}',
        'libs/a/settings.json': { symlink: '.vscode/settings.json' },
      },
    });
    const { stdout } = await fixture.accepted(['a', '--from', source.path, '--subdirectory', 'libs/a', '--json']);
    const messages = messagesOf(JSON.parse(stdout) as MigrateResult, 'decisions');
    expect(messages).toEqual([
      expect.stringMatching(/^LICENSE: .*points outside the package.*\(it points to `\.\.\/\.\.\/LICENSE`, which does not exist\)$/),
      expect.stringMatching(/^settings\.json: .*carried over or removed.*\(it points to `\.vscode\/settings\.json`\)$/),
    ]);
  });

  test('a submodule is named at the root by its new path, and git finds it there', async () => {
    const other = cleanUp.add(TempRepo.create());
    other.commit('Start', { files: { a: '' } });
    const entry = `[submodule "sub"]\n\tpath = vendor/sub\n\turl = file://${other.path}\n\tbranch = main\n`;
    source.write({ '.gitmodules': entry });
    source.git('update-index', '--add', '--cacheinfo', `160000,${other.git('rev-parse', 'HEAD')},vendor/sub`);
    source.git('add', '.gitmodules');
    source.git('commit', '-q', '-m', 'Add a submodule');
    await migrate();
    fixture.monorepo.git('merge', '-q', '--no-edit', 'migrate/left-pad');
    expect(fixture.monorepo.git('config', '-f', '.gitmodules', '--get', 'submodule.packages/left-pad/vendor/sub.path')).toBe(
      'packages/left-pad/vendor/sub',
    );
    expect(fixture.monorepo.git('submodule', 'status')).toContain('packages/left-pad/vendor/sub');
  });

  test('one without an address that is valid here is removed, so that the others still work', async () => {
    const other = cleanUp.add(TempRepo.create());
    other.commit('Start', { files: { a: '' } });
    const ours = fixture.monorepo;
    ours.write({ '.gitmodules': `[submodule "own"]\n\tpath = own\n\turl = file://${other.path}\n` });
    ours.git('update-index', '--add', '--cacheinfo', `160000,${other.git('rev-parse', 'HEAD')},own`);
    ours.git('add', '.gitmodules');
    ours.git('commit', '-q', '-m', 'Add a submodule');
    source.write({ '.gitmodules': '[submodule "sub"]\n\tpath = sub\n\turl = ../sub.git\n' });
    for (const name of ['sub', 'nameless']) source.git('update-index', '--add', '--cacheinfo', `160000,${'ab'.repeat(20)},${name}`);
    source.git('add', '.gitmodules');
    source.git('commit', '-q', '-m', 'Add submodules');
    const messages = messagesOf(await migrate(), 'decisions');
    expect(messages).toEqual(
      ['nameless', 'sub'].map((name) => expect.stringMatching(new RegExp(`^${name}: .*Add it again.*packages/left-pad/${name}`))),
    );
    ours.git('merge', '-q', '--no-edit', 'migrate/left-pad');
    expect(ours.git('submodule', 'status').trim()).toMatch(/^-?\w{40} own/);
    ours.git('submodule', 'foreach', '--quiet', 'true');
  });
});
