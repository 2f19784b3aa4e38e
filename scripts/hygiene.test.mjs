// Rules for all committed files, whoever wrote them: no registry hosts, no paths of a person's machine, exact versions, meaningful names.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { listWorkspaces } from './workspaces.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const EXAMPLE_HOST = /[\w.-]+\.(example|invalid|test|localhost)\b/g;
/** `x.long.test.ts` is in the ring `long`; every workspace has tests in the ring `test`. */
const RINGS = ['long', 'engines', 'browser', 'stores'];
const files = listFiles();
const texts = files.filter((file) => !file.startsWith('.yarn/releases/')).map((file) => ({ file, text: read(file) }));
const workspaces = listWorkspaces(root);
const manifests = ['package.json', ...workspaces.map((folder) => `${folder}/package.json`)];

test('there are files to look at', () => {
  expect(files).toContain('package.json');
});

// `(?:)` and `…` keep this file from matching its own search.
const FORBIDDEN = [
  ['the address of a package registry', /\/\/(?:)[\w.-]*registry[\w.-]*/i, 'https:/…/some-registry.corp/x'],
  ['the host of a package registry', /\b[\w-]*registry[\w-]*\.(?:[\w-]+\.)+[a-z]{2,5}\b/i, 'registry….npm.org'],
  ['a path in a home folder', /(?<![\w.~-])\/(?:home|Users)(?:)\/\w+/, '"/home…/ada/x"'],
  ['a path of the machine it was written on', /(?<![\w.~*$})-])\/(?:work|farm|root)(?:)\/\w+/, "'/work…/main'"],
  ['a path on a Windows drive', /\b[A-Z]:\\(?:)Users\\/, 'C:…\\Users\\ada'],
];

test.each(FORBIDDEN)('no file holds %s', (_, pattern, sample) => {
  expect(sample.replace('…', '')).toMatch(pattern);
  expect(linesWith(pattern)).toEqual([]);
});

test('the lockfile says nothing of where packages came from', () => {
  expect(texts.filter(({ file }) => file.endsWith('yarn.lock')).filter(({ text }) => text.includes('__archive'.concat('Url')))).toEqual([]);
});

test('no file is called after nothing, and none is a barrel', () => {
  const sources = files.filter((file) => /^((packages|tools)\/[^/]+\/src|bench\/src|scripts)\//.test(file));
  expect(sources.filter((file) => /^(index|utils?|helpers?|common|misc)\./.test(basename(file)))).toEqual([]);
  expect(sources.filter((file) => /(^|\/)(utils?|helpers?|common|misc)\//.test(file))).toEqual([]);
});

test('every workspace is built: the root tsconfig.json references it', () => {
  const built = JSON.parse(read('tsconfig.json')).references.map(({ path }) => path);
  expect([...built].sort()).toEqual(workspaces.filter((folder) => scriptsOf(folder).build !== undefined));
});

for (const folder of workspaces) {
  test(`${folder} has a script for each ring of its tests, and for no other`, () => {
    const endings = files
      .filter((file) => file.startsWith(`${folder}/`))
      .flatMap((file) => /\.(\w+)\.test\.(?:ts|mjs)$/.exec(file)?.[1] ?? []);
    const rings = ['test', ...RINGS.filter((ring) => endings.includes(ring))];
    const path = join(relative(folder, 'scripts'), 'run-tests.mjs');
    const found = Object.entries(scriptsOf(folder)).filter(([name]) => name === 'test' || RINGS.includes(name));
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(rings.map((ring) => [ring, `node ${path} ${ring}`])));
  });
}

describe.each(manifests)('%s', (file) => {
  const manifest = JSON.parse(read(file));

  test('pins every version', () => {
    const wanted = ['dependencies', 'devDependencies', 'optionalDependencies', 'resolutions'].flatMap((kind) =>
      Object.entries(manifest[kind] ?? {}),
    );
    expect(wanted.filter(([, range]) => !/^(workspace:\*|(npm:(@[\w-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?)$/.test(range))).toEqual([]);
  });

  test('is under the MIT licence', () => {
    expect(manifest.license).toBe('MIT');
  });
});

test('the licence and the notices of others are there', () => {
  expect(read('LICENSE')).toMatch(/^MIT License\n\nCopyright \(c\) 2026 Tributary contributors\n/);
  const release = /releases\/yarn-(.*)\.cjs/.exec(read('.yarnrc.yml'))?.[1];
  expect(read('THIRD-PARTY-NOTICES.md')).toContain(`Yarn ${release}`);
});

test('one Yarn: the release, packageManager and the start script agree', () => {
  const release = /releases\/yarn-(.*)\.cjs/.exec(read('.yarnrc.yml'))?.[1];
  expect(JSON.parse(read('package.json')).packageManager).toBe(`yarn@${release}`);
  expect(read('scripts/yarn.mjs')).toContain(`yarn-${release}.cjs`);
});

function scriptsOf(folder) {
  return JSON.parse(read(`${folder}/package.json`)).scripts;
}

/** Returns where a pattern matches outside the hosts reserved for examples, as `file:line: text`. */
function linesWith(pattern) {
  return texts.flatMap(({ file, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line.replace(EXAMPLE_HOST, '')) ? [`${file}:${index + 1}: ${line.trim().slice(0, 160)}`] : [],
      ),
  );
}

/** Returns the files that are committed or would be with the next `git add`, without deleted files. */
function listFiles() {
  // In a container the checkout may belong to another user, and git would refuse to read it.
  const listed = spawnSync('git', ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (listed.status !== 0) throw new Error(`This test reads the list of files from git, which said: ${listed.stderr}`);
  return [...new Set(listed.stdout.split('\0'))].filter((file) => file !== '' && existsSync(join(root, file)));
}

function read(file) {
  return readFileSync(join(root, file), 'utf8');
}
