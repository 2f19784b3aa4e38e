import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import { createTempMonorepo, formatManifest } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';

const cleanUp = cleanUpIn(afterEach);

const PNPM_LOCK = `lockfileVersion: '9.0'

importers:

  .:
    devDependencies:
      probe:
        specifier: 3.0.0
        version: 3.0.0

  packages/a:
    dependencies:
      lib:
        specifier: 'catalog:'
        version: 1.2.0

packages:

  lib@1.2.0: {}

  dep@2.1.0: {}

  other@1.0.0: {}

  probe@3.0.0: {}

snapshots:

  lib@1.2.0:
    dependencies:
      dep: 2.1.0

  dep@2.1.0: {}

  other@1.0.0: {}

  probe@3.0.0: {}
`;

/** A pnpm monorepo whose root has something of every kind for packages/a, and for packages/b. */
function createMonorepoSource(): TempRepo {
  const source = cleanUp.add(TempRepo.create());
  source.commit('Start', {
    files: {
      'package.json': formatManifest({
        name: 'root',
        private: true,
        scripts: { test: 'node --test' },
        devDependencies: { probe: '3.0.0', unused: '1.0.0' },
        pnpm: { overrides: { lib: '1.2.0', other: '1.0.0' } },
      }),
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\ncatalog:\n  lib: ^1.2.0\n  other: ^1.0.0\n',
      'pnpm-lock.yaml': PNPM_LOCK,
      '.gitignore': 'node_modules\n/packages/*/dist\n/packages/b/out\n',
      '.prettierrc': '{}',
      '.mailmap': 'Ann <ann@big.example> <a@big.example>\n',
      '.nvmrc': '18\n',
      '.github/workflows/ci.yml': 'on: push\n',
      'docs/.github/workflows/other.yml': 'on: push\n',
      '.npmrc': '@other:registry=https://other.example/\n@big:registry=https://big.example/\n',
      '.github/CODEOWNERS': '/packages/a/ @acme/team-a\n/packages/b/ @acme/team-b\n',
      '.changeset/config.json': '{}',
      '.changeset/quick-cats.md': '---\n"@big/a": minor\n"@big/b": minor\n---\n\nA new thing.\n',
      '.changeset/slow-dogs.md': '---\n"@big/b": patch\n---\n\nAnother.\n',
      'packages/a/package.json': formatManifest({
        name: '@big/a',
        version: '2.0.0',
        dependencies: { lib: 'catalog:', '@big/b': 'workspace:^' },
      }),
      'packages/a/test.js': 'require("probe")(require("lib"));\n',
      'packages/b/package.json': formatManifest({ name: '@big/b', version: '1.0.0' }),
    },
  });
  source.write({
    '.gitattributes': '[attr]page text eol=lf\n*.txt page\n/packages/b/* -diff\n',
    '.gitmodules': '[submodule "s"]\n\tpath = packages/a/sub\n\turl = https://host.example/sub.git\n',
  });
  source.git('update-index', '--add', '--cacheinfo', `160000,${'ab'.repeat(20)},packages/a/sub`);
  source.git('add', '.gitattributes', '.gitmodules');
  source.git('commit', '-q', '-m', 'Add a submodule');
  for (const tag of ['v2.0.0', 'v9.0.0', '@big/a@2.0.0-rc', '@big/b@1.0.0']) source.tag(tag);
  return source;
}

test('what the root of a monorepo had for a package comes along, and nothing that it had for others', async () => {
  const source = createMonorepoSource();
  const files = { '.changeset/config.json': '{}', '.gitignore': 'node_modules\n/dist\n', 'yarn.lock': '__metadata:\n  version: 8\n' };
  const target = cleanUp.add(createTempMonorepo({ packages: { 'packages/core': {} }, files }));
  const args = ['@big/a', '--from', source.path, '--subdirectory', 'packages/a', '--no-install', '--yes', '--report', '../report.md'];
  const { code, stdout, stderr } = await runCli('migrate-repo', args, { cwd: target.path });
  expect([code, stderr.match(/\[[A-Z_]+\]/)]).toEqual([0, null]);
  const read = (file: string): string => target.git('show', `migrate/@big/a:${file}`);
  const manifest = JSON.parse(read('packages/a/package.json')) as Record<string, unknown>;
  expect(manifest).toMatchObject({ dependencies: { lib: 'catalog:', '@big/b': '^1.0.0' }, devDependencies: { probe: '3.0.0' } });
  expect(JSON.parse(read('package.json'))).toMatchObject({ resolutions: { '@big/a/lib': '1.2.0' } });
  expect(read('.yarnrc.yml')).toBe('catalog:\n  lib: ^1.2.0');
  expect(read('.gitignore')).toBe('node_modules\n/dist\n\n# begin @big/a (migrate-repo)\n/packages/a/dist\n# end @big/a');
  expect(read('.gitattributes')).toContain('\n/packages/a/**/*.txt text eol=lf page\n');
  expect(read('.mailmap')).toContain('\nAnn <ann@big.example> <a@big.example>\n');
  expect(read('.gitmodules')).toContain('\tpath = packages/a/sub\n\turl = https://host.example/sub.git\n');
  expect(read('.github/CODEOWNERS')).toContain('/packages/a/ @acme/team-a');
  expect(read('.changeset/quick-cats.md')).toBe('---\n"@big/a": minor\n---\n\nA new thing.');
  expect(target.git('tag').split('\n')).toEqual(['@big/a@2.0.0', '@big/a@2.0.0-rc']);
  const why = "that do not name @big/a, and at which its folder does not have this name and the tag's version";
  expect(stdout).toContain('`registry of @big`');
  expect(stdout).not.toContain('@other');
  const report = readFileSync(join(target.path, '../report.md'), 'utf8');
  expect(report).toContain('@big/a: @big/b `workspace:^` became `^1.0.0`, as its former monorepo would publish it');
  expect(report).toContain('Scripts of its former root did not come along');
  expect(report).toContain('`.mailmap`: Its lines were added to the .mailmap of the root.');
  expect(report).toContain(
    'Workflows of its former root did not come along: what tested or released the package there is missing here (`ci.yml`)',
  );
  expect(stdout).toContain(`Skipped 2 tags ${why}: @big/b@1.0.0, v9.0.0`);
  const came = target.git('ls-tree', '-r', '--name-only', 'migrate/@big/a').split('\n');
  expect(came).toEqual([
    '.changeset/config.json',
    '.changeset/quick-cats.md',
    '.gitattributes',
    '.github/CODEOWNERS',
    '.gitignore',
    '.gitmodules',
    '.mailmap',
    '.yarnrc.yml',
    'package.json',
    'packages/a/.nvmrc',
    'packages/a/package.json',
    'packages/a/sub',
    'packages/a/test.js',
    'packages/core/package.json',
    'yarn.lock',
  ]);
});
