import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from './clean-up.js';
import { GPGSIG_HEADER } from './raw-commit.js';
import { TempRepo } from './temp-repo.js';

const cleanUp = cleanUpIn(afterEach);
const create = (options = {}): TempRepo => cleanUp.add(TempRepo.create(options));

test('the ids are the same on every machine', () => {
  const repo = create();
  expect(repo.commit('Start', { files: { 'a.txt': 'a\n' } })).toBe('4d2c9893145af870cd9cfd5481d3e41d086e4bd0');
  expect(repo.tag('v1', { message: 'One\n' })).toBe('ddcf9d3cd8235368fb785a26807793506f440f88');
});

test('time goes on with what is made, not with what is read', () => {
  const repo = create();
  repo.commit('one');
  repo.git('log');
  repo.git('status');
  repo.commit('two');
  expect(repo.git('log', '--format=%at %cd %an <%ae>', '--date=iso-strict').split('\n')).toEqual([
    '1600000120 2020-09-13T12:28:40+00:00 Ada Author <ada@example.com>',
    '1600000060 2020-09-13T12:27:40+00:00 Ada Author <ada@example.com>',
  ]);
});

test.each([
  ['sha1', 40],
  ['sha256', 64],
] as const)('a repository of format %s has ids of %i digits', (objectFormat, length) => {
  expect(create({ objectFormat }).commit('x')).toHaveLength(length);
});

test('files, executables, links and deletions reach the commit', () => {
  const repo = create();
  repo.commit('x', {
    files: { 'a/b.txt': 'b', run: { executable: '#!/bin/sh\n' }, link: { symlink: 'a/b.txt' }, raw: new Uint8Array([0, 255]) },
  });
  expect(
    repo
      .git('ls-tree', '-r', 'HEAD')
      .replaceAll(/ blob \w+\t/g, ' ')
      .split('\n'),
  ).toEqual(['100644 a/b.txt', '120000 link', '100644 raw', '100755 run']);
  expect(repo.gitBytes('cat-file', 'blob', 'HEAD:raw')).toEqual(Buffer.from([0, 255]));
  expect(readlinkSync(join(repo.path, 'link'))).toBe('a/b.txt');
  expect(lstatSync(join(repo.path, 'run')).mode & 0o777).toBe(0o755);
  repo.commit('y', { files: { raw: null, link: null, a: null } });
  expect(repo.git('ls-tree', '-r', '--name-only', 'HEAD')).toBe('run');
  expect(existsSync(join(repo.path, 'a'))).toBe(false);
});

test('merges have the parents in order, also where a fast-forward was possible', () => {
  const repo = create();
  const base = repo.commit('base');
  const sides = ['one', 'two'].map((name) => {
    repo.branch(name, base);
    repo.checkout(name);
    return repo.commit(name, { files: { [name]: name } });
  });
  repo.checkout('main');
  const octopus = repo.octopus(['one', 'two']);
  expect(repo.git('log', '-1', '--format=%P', octopus)).toBe([base, ...sides].join(' '));
  repo.branch('three');
  repo.checkout('three');
  const third = repo.commit('three');
  repo.checkout('main');
  expect(repo.git('log', '-1', '--format=%P %s', repo.merge('three'))).toBe(`${octopus} ${third} Merge three`);
});

test('a tag is lightweight without a message and annotated with one', () => {
  const repo = create();
  const commit = repo.commit('x');
  expect(repo.tag('light')).toBe(commit);
  const tag = repo.tag('v1.0.0', { message: 'Release', at: commit });
  expect(repo.git('cat-file', '-t', tag)).toBe('tag');
  expect(repo.id('v1.0.0^{commit}')).toBe(commit);
});

test('an author of its own', () => {
  const repo = create();
  repo.commit('x', { environment: { GIT_AUTHOR_NAME: 'Bob', GIT_AUTHOR_EMAIL: 'bob@example.com', GIT_AUTHOR_DATE: '@0 +0000' } });
  expect(repo.git('log', '-1', '--format=%an %at %cn')).toBe('Bob 0 Ada Author');
});

test('an empty message and a message with comments are kept as they are', () => {
  const repo = create();
  repo.commit('');
  repo.commit('# no comment\n\n\nend  ');
  expect(repo.git('log', '-1', '--format=%B', 'HEAD~')).toBe('');
  expect(repo.git('cat-file', 'commit', 'HEAD').split('\n\n').slice(1).join('\n\n')).toBe('# no comment\n\n\nend  ');
});

test('odd commits keep every byte', () => {
  const repo = create();
  const tree = repo.writeObject('tree', '');
  const id = repo.writeRawCommit({
    tree,
    author: ' <> 0 +0000',
    headers: [GPGSIG_HEADER, 'encoding ISO-8859-1'],
    message: new Uint8Array([0xe9]),
  });
  repo.git('update-ref', 'refs/heads/odd', id);
  const bytes = repo.gitBytes('cat-file', 'commit', 'odd');
  expect(bytes.at(-1)).toBe(0xe9);
  expect(bytes.toString('latin1').split('\n')).toEqual([
    `tree ${tree}`,
    'author  <> 0 +0000',
    'committer Ada Author <ada@example.com> 1600000000 +0000',
    'gpgsig -----BEGIN PGP SIGNATURE-----',
    ' ',
    ' iQEzBAABCAAdFiEEexample',
    ' =abcd',
    ' -----END PGP SIGNATURE-----',
    'encoding ISO-8859-1',
    '',
    'é',
  ]);
});

test('a stream of fast-import makes a history without a working tree', () => {
  const repo = create({ bare: true });
  repo.fastImport('commit refs/heads/main\ncommitter <nobody@example.com> 0 +0000\ndata 4\nlastM 100644 inline "a\\tb"\ndata 1\nx\n');
  expect(repo.git('log', '--format=%s|%cn|%ce', 'main')).toBe('last||nobody@example.com');
  expect(repo.gitBytes('ls-tree', '-z', '--name-only', 'main').toString()).toBe('a\tb\0');
});

test('a clone can be shallow', () => {
  const repo = create();
  repo.commit('one');
  repo.commit('two');
  const clone = cleanUp.add(TempRepo.cloneOf(repo, '--depth=1'));
  expect(clone.git('rev-list', '--count', 'HEAD')).toBe('1');
  expect(clone.git('rev-parse', '--is-shallow-repository')).toBe('true');
});

test('a repository in a given folder is left there', () => {
  const outer = create();
  const inner = TempRepo.create({ folder: outer.path });
  inner.dispose();
  expect(existsSync(outer.path)).toBe(true);
});

test('a failure says what git said', () => {
  expect(() => create().checkout('missing')).toThrow(/pathspec 'missing' did not match/);
});

test('reading a file back', () => {
  const repo = create();
  repo.write({ 'x y/ü.txt': 'ü' });
  expect(readFileSync(join(repo.path, 'x y/ü.txt'), 'utf8')).toBe('ü');
});
