import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { setVariable } from '../git.fixture.js';
import { hashObject } from '../object-id.js';
import { readCheckedOut } from './checked-out.js';
import { open } from './objects.fixture.js';

// What is taken for the blob must be the blob, whatever git's index says, and where the index is as usual nothing has to be hashed.

const cleanUp = cleanUpIn(afterEach);
const shared = cleanUpIn(afterAll);
const home = shared.add(new TempFolder());
for (const name of ['HOME', 'XDG_CONFIG_HOME']) setVariable(name, join(home.path, name), shared);

const LOCK = 'yarn.lock';
const TEXT = 'alpha beta\n'.repeat(8000);
const OTHER = TEXT.replace('alpha', 'omega');

/** A repository with one large file, long enough ago. */
function create(content = TEXT, path = LOCK): TempRepo {
  const repo = cleanUp.add(TempRepo.create());
  repo.write({ [path]: content, 'a/file': 'a', 'z/file': 'z' });
  repo.commit('One');
  age(repo);
  return repo;
}

function indexOf(repo: TempRepo): string {
  return join(repo.path, '.git/index');
}

/** As if the index had been written a moment after the files. Not later: git must still find out what is changed next. */
function age(repo: TempRepo, index = indexOf(repo)): void {
  const later = (Date.now() + 1) / 1000;
  utimesSync(index, later, later);
}

interface Answer {
  readonly isTaken: boolean;
  readonly wasHashed: boolean;
}

/** Of the blob that the head has, or another one. */
function ask(repo: TempRepo, { path = LOCK, id = repo.id(`HEAD:${path}`), gitDir = join(repo.path, '.git'), workTree = '' } = {}): Answer {
  const objects = open(repo);
  let wasHashed = false;
  const watched = {
    sizeOf: (blob: ObjectId) => objects.sizeOf(blob),
    idOf: (content: Buffer) => {
      wasHashed = true;
      return objects.idOf(content);
    },
  };
  const folders = { workTree: workTree || repo.path, gitDir, commonDir: join(repo.path, '.git') };
  const content = readCheckedOut(watched, folders, { path, id });
  if (content !== undefined) expect(hashObject('sha1', 'blob', content)).toBe(id);
  return { isTaken: content !== undefined, wasHashed };
}

const FROM_INDEX: Answer = { isTaken: true, wasHashed: false };
const HASHED: Answer = { isTaken: true, wasHashed: true };
const HASHED_OTHER: Answer = { isTaken: false, wasHashed: true };
const LEFT: Answer = { isTaken: false, wasHashed: false };

describe('from the index', () => {
  test('of a checkout, and of an executable file, and of one in a folder', () => {
    const repo = create();
    expect(ask(repo)).toEqual(FROM_INDEX);
    repo.write({ [LOCK]: { executable: TEXT }, [`a/b/${LOCK}`]: TEXT });
    repo.commit('Two');
    age(repo);
    expect(ask(repo)).toEqual(FROM_INDEX);
    expect(ask(repo, { path: `a/b/${LOCK}` })).toEqual(FROM_INDEX);
  });

  test('of a linked work tree, which has its own', () => {
    const repo = create();
    const workTree = join(cleanUp.add(new TempFolder()).path, 'linked');
    repo.git('worktree', 'add', '-q', workTree);
    const gitDir = join(repo.path, '.git/worktrees/linked');
    age(repo, join(gitDir, 'index'));
    expect(ask(repo, { workTree, gitDir })).toEqual(FROM_INDEX);
    writeFileSync(join(repo.path, LOCK), OTHER);
    expect(ask(repo, { workTree, gitDir })).toEqual(FROM_INDEX);
    expect(ask(repo, { workTree })).toEqual(HASHED);
  });

  test.each([
    ['with an untracked cache', ['update-index', '--force-untracked-cache']],
    ['of a sparse checkout', ['sparse-checkout', 'set', '--cone', 'a']],
    ['of a sparse checkout, sparse itself', ['sparse-checkout', 'set', '--cone', '--sparse-index', 'a']],
    ['in version 3', ['update-index', '--skip-worktree', 'a/file']],
  ])('%s', (_, command) => {
    const repo = create();
    repo.git(...command);
    age(repo);
    expect(ask(repo)).toEqual(FROM_INDEX);
  });

  test('wherever in it the entry lies', () => {
    const repo = create();
    const id = repo.id('HEAD:a/file');
    const line = (name: string): string => `100644 ${id}\t${name}\n`;
    // Eighty bytes each: so many behind it that the entry comes to lie across the end of the first part that is read.
    const around = ['aa', 'ab', 'zz'].flatMap((folder) =>
      Array.from({ length: 1634 }, (_, at) => `${folder}/${String(at).padStart(10, '0')}`),
    );
    repo.gitWithInput(around.map(line).join(''), 'update-index', '--index-info');
    for (let step = 0; step < 20; step++) {
      const name = `zzz${'z'.repeat(step * 8)}`;
      repo.gitWithInput(line(name), 'update-index', '--index-info');
      age(repo);
      expect([step, ask(repo)]).toEqual([step, FROM_INDEX]);
      repo.git('update-index', '--force-remove', name);
    }
  });
});

describe('hashed, for the index does not say it', () => {
  test.each<[string, (repo: TempRepo) => unknown]>([
    ['in version 4', (repo) => repo.git('update-index', '--index-version', '4')],
    ['that is split', (repo) => repo.git('update-index', '--split-index')],
    ['where the file is assumed to be unchanged', (repo) => repo.git('update-index', '--assume-unchanged', LOCK)],
    ['where the file is not to be in the work tree', (repo) => repo.git('update-index', '--skip-worktree', LOCK)],
    ['where the file is only intended to be added', (repo) => [repo.git('rm', '-q', '--cached', LOCK), repo.git('add', '-N', LOCK)]],
    ['where the file is in conflict', (repo) => repo.gitWithInput(conflictIn(repo), 'update-index', '--index-info')],
    ['where the file is said to be executable', (repo) => repo.git('update-index', '--chmod=+x', LOCK)],
    ['that has the file from nowhere', (repo) => [repo.git('read-tree', '--empty'), repo.git('read-tree', 'HEAD')]],
    ['that is not there', (repo) => rmSync(indexOf(repo))],
    ['that is empty', (repo) => writeFileSync(indexOf(repo), '')],
    ['that is cut off', (repo) => truncateSync(indexOf(repo), 120)],
    ['that is none', (repo) => writeFileSync(indexOf(repo), Buffer.alloc(300_000, 'DIRC'))],
  ])('%s', (_, change) => {
    const repo = create();
    change(repo);
    if (lstatSync(indexOf(repo), { throwIfNoEntry: false }) !== undefined) age(repo);
    expect(ask(repo)).toEqual(HASHED);
  });

  test('where any field, flag or letter is another one', () => {
    const repo = create();
    const index = readFileSync(indexOf(repo));
    const entry = index.indexOf(LOCK) - 62;
    for (let at = 0; at <= 62 + LOCK.length; at++) {
      // Of a number its last byte is enough.
      if (at < 40 && at % 4 !== 3) continue;
      const other = Buffer.from(index);
      other[entry + at] = (other[entry + at] ?? 0) ^ 0x10;
      writeFileSync(indexOf(repo), other);
      age(repo);
      expect([at, ask(repo)]).toEqual([at, HASHED]);
    }
  });

  test('where the clock of the files has no more than seconds, or is ahead', () => {
    const repo = create();
    const askWith = (time: number): Answer => {
      utimesSync(join(repo.path, LOCK), time, time);
      repo.git('add', '-A');
      age(repo);
      return ask(repo);
    };
    expect(askWith(1_500_000_000)).toEqual(HASHED);
    expect(askWith(1_500_000_001.5)).toEqual(FROM_INDEX);
    expect(askWith(4_000_000_000.5)).toEqual(HASHED);
  });
});

/** Removes the entry and puts three stages in its place. */
function conflictIn(repo: TempRepo): string {
  const id = repo.id(`HEAD:${LOCK}`);
  return [`0 ${'0'.repeat(40)}\t${LOCK}`, ...[1, 2, 3].map((stage) => `100644 ${id} ${stage}\t${LOCK}`), ''].join('\n');
}

describe('not taken', () => {
  test('is what was changed since, though it is as long and its time was set back', () => {
    const repo = create();
    const file = join(repo.path, LOCK);
    const reference = join(cleanUp.add(new TempFolder()).path, 'reference');
    execFileSync('touch', ['-r', file, reference]);
    writeFileSync(file, OTHER);
    execFileSync('touch', ['-r', reference, file]);
    expect(lstatSync(file, { bigint: true }).mtimeNs).toBe(lstatSync(reference, { bigint: true }).mtimeNs);
    expect(ask(repo)).toEqual(HASHED_OTHER);
  });

  test.each([
    ['the file', false],
    ['the file, whose own time was set back', true],
  ])('is what may have been changed when the index was written: it is as old as %s', (_, isSetBack) => {
    const repo = create();
    lie(repo, isSetBack);
    // With an index that is younger, git believes it.
    age(repo);
    expect(() => ask(repo)).toThrow();
    const { ctimeNs } = lstatSync(join(repo.path, LOCK), { bigint: true });
    execFileSync('touch', ['-d', `@${ctimeNs / 1_000_000_000n}.${String(ctimeNs % 1_000_000_000n).padStart(9, '0')}`, indexOf(repo)]);
    expect(ask(repo)).toEqual(HASHED_OTHER);
  });

  test('is a file of the index that the head does not have', () => {
    const repo = create();
    const id = repo.id(`HEAD:${LOCK}`);
    repo.write({ [LOCK]: OTHER });
    repo.commit('Two');
    age(repo);
    expect(ask(repo)).toEqual(FROM_INDEX);
    expect(ask(repo, { id })).toEqual(HASHED_OTHER);
  });

  test('is a file of another length, of another kind, or none', () => {
    const repo = create();
    const file = join(repo.path, LOCK);
    writeFileSync(file, `${TEXT}more\n`);
    expect(ask(repo)).toEqual(LEFT);
    rmSync(file);
    expect(ask(repo)).toEqual(LEFT);
    writeFileSync(join(repo.path, 'elsewhere'), TEXT);
    symlinkSync('elsewhere', file);
    expect(ask(repo)).toEqual(LEFT);
    rmSync(file);
    mkdirSync(file);
    expect(ask(repo)).toEqual(LEFT);
  });

  test('is a small file that differs; it is hashed', () => {
    const repo = create('small');
    expect(ask(repo)).toEqual(HASHED);
    writeFileSync(join(repo.path, LOCK), 'other');
    expect(ask(repo)).toEqual(HASHED_OTHER);
  });
});

/** Makes the index say that a changed file is the blob of the head, as it comes to say if git looks at the file and then it is changed. */
function lie(repo: TempRepo, isSetBack: boolean): void {
  const file = join(repo.path, LOCK);
  writeFileSync(file, OTHER);
  if (isSetBack) utimesSync(file, 1_500_000_000.5, 1_500_000_000.5);
  repo.git('add', '-A');
  const [right, changed] = [Buffer.from(repo.id(`HEAD:${LOCK}`), 'hex'), Buffer.from(repo.id(`:${LOCK}`), 'hex')];
  const index = readFileSync(indexOf(repo));
  right.copy(index, index.indexOf(changed));
  writeFileSync(indexOf(repo), index);
}

describe('not taken is what git has converted', () => {
  /** Checks the file out anew. */
  const renew = (repo: TempRepo, ...settings: readonly string[]): void => {
    rmSync(join(repo.path, LOCK));
    repo.git(...settings, 'checkout', '--', LOCK);
    expect(repo.git(...settings, 'status', '--porcelain', '--', LOCK)).toBe('');
    age(repo);
  };

  test('at the ends of its lines', () => {
    const repo = create();
    renew(repo, '-c', 'core.autocrlf=true');
    expect(readFileSync(join(repo.path, LOCK), 'utf8')).toContain('\r\n');
    expect(ask(repo)).toEqual(LEFT);
    repo.write({ '.gitattributes': '* text=auto eol=lf\n' });
    renew(repo);
    expect(ask(repo)).toEqual(FROM_INDEX);
  });

  test.each<[string, string]>([
    ['the root', '.gitattributes'],
    ['the repository itself', '.git/info/attributes'],
  ])('by a filter that keeps its length, of %s', (_, place) => {
    const repo = create();
    for (const direction of ['clean', 'smudge']) repo.git('config', `filter.swap.${direction}`, 'tr ab ba');
    repo.write({ [place]: `${LOCK} filter=swap\n` });
    renew(repo);
    expect(readFileSync(join(repo.path, LOCK), 'utf8')).toContain('blphb');
    expect(ask(repo)).toEqual(HASHED_OTHER);
  });

  test('by the id of its blob', () => {
    const repo = create(`$Id: ${'0'.repeat(40)} $\n${TEXT}`);
    repo.write({ '.gitattributes': `${LOCK} ident\n` });
    rmSync(join(repo.path, LOCK));
    repo.git('checkout', '--', LOCK);
    age(repo);
    expect(readFileSync(join(repo.path, LOCK), 'utf8')).not.toContain('00000000');
    expect(ask(repo)).toEqual(HASHED_OTHER);
  });
});
