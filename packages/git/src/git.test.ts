import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { GPGSIG_HEADER } from '@tributary/test-repo/raw-commit';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { asUser, type Git, network, plumbing, type Scratch, staging } from './git.js';
import { makeObject } from './object-id.js';
import { ObjectWriter } from './object-writer.js';
import { readObjects } from './objects.js';

const cleanUp = cleanUpIn(afterEach);
const shared = cleanUpIn(afterAll);
const home = shared.add(new TempFolder());

/** Sets a variable of this process, and sets it back after the test, or after all of them. */
function setVariable(name: string, value: string | undefined, until = cleanUp): void {
  const before = process.env[name];
  const set = (to: string | undefined): void => {
    if (to === undefined) delete process.env[name];
    else process.env[name] = to;
  };
  until.defer(() => set(before));
  set(value);
}

beforeAll(() => {
  home.write('.gitconfig', '[user]\n\tname = Ada\n\temail = ada@example.com\n[protocol "ext"]\n\tallow = always\n');
  setVariable('HOME', home.path, shared);
  for (const name of ['GIT_CONFIG_GLOBAL', 'XDG_CONFIG_HOME', 'GIT_AUTHOR_NAME', 'GIT_COMMITTER_NAME', 'EMAIL'])
    setVariable(name, undefined, shared);
});

function create(): TempRepo {
  return cleanUp.add(TempRepo.create());
}

function gitDirOf(repo: TempRepo): AbsolutePath {
  return parseAbsolutePath(join(repo.path, '.git'));
}

const HOOKS = [
  'reference-transaction',
  'post-index-change',
  'pre-auto-gc',
  'post-checkout',
  'pre-commit',
  'post-commit',
  'post-update',
  'update',
];

/** `diff.evil.command` as it stands in a file of configuration. */
function formatSetting([key, value]: readonly [string, string]): string {
  const [section = '', ...names] = key.split('.');
  const own = names.pop();
  return `[${section}${names.length === 0 ? '' : ` "${names.join('.')}"`}]\n\t${own} = "${value}"\n`;
}

/** A repository that starts a program of its own for everything that can be configured so; each leaves a file in `traces`. */
class HostileRepo {
  readonly repo = create();
  private readonly folder = cleanUp.add(new TempFolder());
  private readonly base = this.repo.commit('base', {
    files: { a: 'a\n', b: 'b\n', '.gitattributes': '* diff=evil filter=evil merge=evil\n' },
  });

  constructor() {
    const tree = this.repo.id('HEAD^{tree}');
    const signed = this.repo.writeRawCommit({ tree, parents: [this.base], headers: [GPGSIG_HEADER], message: 'signed\n' });
    this.repo.git('update-ref', 'refs/heads/main', signed);
    const programs = [
      ...['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand', 'core.askPass', 'core.gitProxy', 'core.alternateRefsCommand'],
      ...['diff.external', 'diff.evil.command', 'diff.evil.textconv', 'filter.evil.clean', 'filter.evil.smudge', 'merge.evil.driver'],
      ...['gpg.program', 'credential.helper', 'uploadpack.packObjectsHook', 'sequence.editor', 'pager.log', 'pager.rev-list'],
      ...['alias.log', 'alias.rev-list', 'alias.cat-file', 'alias.update-ref'].map((key) => `${key}!`),
    ];
    const settings = [
      ...programs.map((key) => [key.replace('!', ''), `${key.endsWith('!') ? '!' : ''}${this.program(key)}`] as const),
      ...([
        ['log.showSignature', 'true'],
        ['gc.auto', '1'],
        ['core.hooksPath', this.folder.join('hooks')],
      ] as const),
    ];
    appendFileSync(join(gitDirOf(this.repo), 'config'), settings.map(formatSetting).join(''));
    mkdirSync(join(gitDirOf(this.repo), 'hooks'), { recursive: true });
    for (const hook of HOOKS) {
      const program = this.program(`hooks/${hook}`);
      writeFileSync(join(gitDirOf(this.repo), 'hooks', hook), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    }
    mkdirSync(this.folder.join('traces'));
  }

  /** What has run, by the key that configured it. */
  traces(): string[] {
    return readdirSync(this.folder.join('traces')).sort();
  }

  private program(key: string): string {
    const name = key.replace('!', '');
    const file = this.folder.write(name, `#!/bin/sh\ntouch '${this.folder.join('traces', name.replace('/', ':'))}'\nexit 1\n`);
    chmodSync(file, 0o755);
    return file;
  }
}

async function everythingOn(git: Git): Promise<void> {
  const [head, base] = (await git.text(['log', '--format=%H'])).split('\n') as [ObjectId, ObjectId];
  await git.text(['log', '--merges', '-z', '--format=%H%n%B', '--encoding=UTF-8', '--grep=^x']);
  await git.text(['rev-list', '--topo-order', '--reverse', '--stdin'], { input: `${head}\n` });
  await git.text(['rev-list', '--objects', '--all']);
  await git.text(['rev-parse', '--verify', 'HEAD^{commit}']);
  await git.text(['for-each-ref', '--contains', base, '--format=%(objectname) %(refname)']);
  await git.text(['ls-tree', '-r', '-l', '-z', '--full-tree', head]);
  await git.text(['merge-base', head, base]);
  await git.text(['diff-tree', '-r', '--raw', '-z', base, head]);
  await git.attempt(['config', '--get-regexp', '^remote']);
  await readObjects(git, [head, base]);
  const writer = new ObjectWriter(git, 'sha1');
  await writer.add(makeObject('sha1', 'blob', Buffer.from('new')));
  await writer.finish();
  await git.text(['update-ref', '-m', 'x', '--stdin'], { input: `create refs/heads/new ${head}\nupdate refs/heads/main ${base}\n` });
}

describe('nothing that a repository configures runs', () => {
  test('in plumbing', async () => {
    const hostile = new HostileRepo();
    await everythingOn(plumbing(gitDirOf(hostile.repo)));
    expect(hostile.traces()).toEqual([]);
  });

  test('in what is asked as the user', async () => {
    const hostile = new HostileRepo();
    await everythingOn(asUser(hostile.repo.path));
    await asUser(hostile.repo.path).text(['rev-parse', '--show-toplevel', '--git-common-dir']);
    await asUser(hostile.repo.path).text(['var', 'GIT_AUTHOR_IDENT']);
    expect(hostile.traces()).toEqual([]);
  });

  test('in a fetch, on neither side', async () => {
    const hostile = new HostileRepo();
    const source = create();
    source.commit('x');
    await network(gitDirOf(hostile.repo)).text(['fetch', '-q', '--no-tags', '--', source.path, 'refs/heads/main:refs/heads/fetched']);
    const scratch = cleanUp.add(TempRepo.create({ bare: true }));
    await network(scratch.path).text(['fetch', '-q', '--', hostile.repo.path, '+refs/*:refs/*']);
    expect(hostile.repo.git('rev-parse', 'fetched')).toBe(source.git('rev-parse', 'main'));
    expect(hostile.traces()).toEqual([]);
  });

  test('although it would without us: the traps do work', () => {
    const hostile = new HostileRepo();
    const { repo } = hostile;
    const naked = (...args: string[]): unknown => {
      try {
        return repo.git('-c', `core.hooksPath=${join(gitDirOf(repo), 'hooks')}`, ...args);
      } catch {
        return undefined;
      }
    };
    naked('log', '-1');
    naked('update-ref', 'refs/heads/x', 'HEAD');
    naked('diff', 'HEAD~', 'HEAD', '--', 'a');
    repo.write({ a: 'changed\n' });
    naked('diff');
    expect(hostile.traces()).toEqual(expect.arrayContaining(['diff.evil.command', 'gpg.program', 'hooks:reference-transaction']));
  });

  test('nor a program in the place of an address, although the user allows it', async () => {
    const trace = home.join('ran');
    const scratch = cleanUp.add(TempRepo.create({ bare: true }));
    for (const address of [`ext::touch ${trace}`, 'fd::0', 'git://host.invalid/x']) {
      const asked = network(scratch.path).text(['ls-remote', '--', address]);
      await expect(asked).rejects.toMatchObject({ code: 'GIT_FAILED', message: expect.stringContaining('not allowed') });
    }
    expect(existsSync(trace)).toBe(false);
  });
});

describe('plumbing sees the repository alone', () => {
  test('not the settings of the user, nor the variables that a hook leaves', async () => {
    const [repo, other] = [create(), create()];
    const commit = repo.commit('x');
    other.commit('y');
    for (const name of ['GIT_DIR', 'GIT_COMMON_DIR']) setVariable(name, gitDirOf(other));
    setVariable('GIT_OBJECT_DIRECTORY', join(gitDirOf(other), 'objects'));
    setVariable('GIT_WORK_TREE', other.path);
    setVariable('GIT_NAMESPACE', 'evil');
    setVariable('GIT_CONFIG_PARAMETERS', "'user.name'='Eve'");
    const git = plumbing(gitDirOf(repo));
    expect(await git.text(['rev-parse', 'HEAD'])).toBe(commit);
    expect(await git.text(['for-each-ref', '--format=%(objectname)'])).toBe(commit);
    expect(await git.attempt(['config', 'user.name'])).toMatchObject({ exit: 1 });
    expect(await asUser(repo.path).text(['config', 'user.name'])).toBe('Ada');
  });

  test('not its replacements and grafts: the history is the real one', async () => {
    const repo = create();
    const [one, two, three] = ['one', 'two', 'three'].map((message) => repo.commit(message)) as [ObjectId, ObjectId, ObjectId];
    const original = repo.gitBytes('cat-file', 'commit', two);
    repo.git('replace', two, one);
    mkdirSync(join(gitDirOf(repo), 'info'), { recursive: true });
    writeFileSync(join(gitDirOf(repo), 'info/grafts'), `${three}\n`);
    expect(repo.git('rev-list', 'HEAD')).toBe(three);
    for (const git of [plumbing(gitDirOf(repo)), network(gitDirOf(repo))]) {
      expect((await readObjects(git, [two]))[0]?.content).toEqual(original);
    }
    expect((await plumbing(gitDirOf(repo)).text(['rev-list', 'HEAD'])).split('\n')).toEqual([three, two, one]);
  });

  test('and the object folders it is given, whatever their names', async () => {
    const repo = create();
    const folder = cleanUp.add(new TempFolder());
    const sources = ['a b', 'colon:x', 'quote"x', 'back\\slash', 'ü', '"both:"', 'line\nbreak'].map((name) =>
      TempRepo.create({ bare: true, folder: folder.join(name) }),
    );
    const ids = sources.map((source) => source.writeObject('blob', source.path));
    const git = plumbing(gitDirOf(repo), { alternates: sources.map((source) => parseAbsolutePath(join(source.path, 'objects'))) });
    expect((await readObjects(git, ids)).map(({ content }) => content.toString())).toEqual(sources.map((source) => source.path));
    await expect(readObjects(plumbing(gitDirOf(repo)), ids)).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });
});

describe('the answer of git', () => {
  test('is bytes, or text without its last line break', async () => {
    const repo = create();
    const git = plumbing(gitDirOf(repo));
    const id = repo.writeObject('blob', Buffer.from([0xff, 0x0a, 0x0a]));
    expect(await git.bytes(['cat-file', 'blob', id])).toEqual(Buffer.from([0xff, 0x0a, 0x0a]));
    expect(await git.text(['cat-file', 'blob', repo.writeObject('blob', ' ü\n\n')])).toBe(' ü\n');
    expect(await git.text(['cat-file', 'blob', repo.writeObject('blob', '')])).toBe('');
    expect(await git.text(['hash-object', '--stdin'], { input: '' })).toBe(repo.gitWithInput('', 'hash-object', '--stdin'));
  });

  test('is a failure in its own words, or an answer where that was asked for', async () => {
    const git = plumbing(gitDirOf(create()));
    const words = { code: 'GIT_FAILED', message: 'git ended with exit code 128: fatal: Needed a single revision', data: { exit: 128 } };
    await expect(git.text(['rev-parse', '--verify', 'gone'])).rejects.toMatchObject(words);
    await expect(git.bytes(['rev-parse', '--verify', 'gone'])).rejects.toMatchObject(words);
    expect(await git.attempt(['rev-parse', '--verify', 'gone'])).toMatchObject({ exit: 128, stderr: 'fatal: Needed a single revision\n' });
    const running = git.start(['rev-parse', '--verify', 'gone']);
    running.stdout.resume();
    await expect(running.done()).rejects.toMatchObject(words);
  });

  test('is in English, whatever the user speaks', async () => {
    setVariable('LANG', 'de_DE.UTF-8');
    setVariable('LC_ALL', 'de_DE.UTF-8');
    setVariable('LANGUAGE', 'de');
    await expect(asUser(home.path).text(['rev-parse'])).rejects.toMatchObject({ message: expect.stringContaining('not a git repository') });
  });

  test('shows no credentials of an address', async () => {
    const asked = network(undefined).text(['ls-remote', '--', 'http://user:S3CRET@127.0.0.1:1/x?token=S3CRET']);
    const error = await asked.catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'GIT_FAILED', message: expect.stringContaining("'http://127.0.0.1:1/x'") });
    expect(JSON.stringify([error, (error as Error).message, (error as Error).stack])).not.toContain('S3CRET');
  });

  test('is missing where git is', async () => {
    setVariable('PATH', home.join('nothing'));
    const git = plumbing(home.path);
    const missing = { code: 'GIT_MISSING', hint: 'Install git 2.38 or newer.' };
    await expect(git.text(['version'])).rejects.toMatchObject(missing);
    await expect(git.attempt(['version'])).rejects.toMatchObject(missing);
    await expect(git.start(['version']).done()).rejects.toMatchObject(missing);
  });

  test('is about the folder where that is gone, not about git', async () => {
    const gone = home.join('gone');
    await expect(asUser(gone).text(['version'])).rejects.toMatchObject({
      code: 'GIT_FAILED',
      message: expect.stringContaining(`no folder ${gone}`),
    });
  });

  test('is not waited for when somebody interrupts', async () => {
    const controller = new AbortController();
    const git = plumbing(gitDirOf(create()), { signal: controller.signal });
    const waiting = git.start(['cat-file', '--batch']);
    controller.abort();
    await expect(waiting.done()).rejects.toMatchObject({ code: 'INTERRUPTED' });
    await expect(git.text(['version'])).rejects.toMatchObject({ code: 'INTERRUPTED' });
  });

  test('never waits for a person at the terminal', async () => {
    const repo = create();
    const git = network(gitDirOf(repo));
    expect(await git.attempt(['credential', 'fill'], { input: 'protocol=https\nhost=host.invalid\n\n' })).toMatchObject({ exit: 128 });
  });
});

describe('staging into a scratch index', () => {
  function scratchFor(repo: TempRepo): Scratch {
    const folder = cleanUp.add(new TempFolder());
    mkdirSync(folder.join('objects'));
    return { index: folder.join('index'), objects: folder.join('objects'), alternate: parseAbsolutePath(join(gitDirOf(repo), 'objects')) };
  }

  async function stage(repo: TempRepo): Promise<{ git: Git; tree: string; scratch: Scratch }> {
    const scratch = scratchFor(repo);
    const git = staging(repo.path, scratch);
    await git.bytes(['add', '--all', '--', '.']);
    return { git, tree: await git.text(['write-tree']), scratch };
  }

  test('takes the work tree as it is, without what is ignored, and leaves no trace in the repository', async () => {
    const repo = create();
    repo.commit('x', { files: { a: 'a', b: 'b', '.gitignore': '*.log\n' } });
    repo.write({ a: 'changed', b: null, 'new/c': 'c', 'x.log': 'x' });
    repo.git('add', 'new/c');
    const [before, index] = [repo.snapshot(), repo.git('ls-files', '-s')];
    const { tree, scratch } = await stage(repo);
    expect([repo.snapshot(), repo.git('ls-files', '-s')]).toEqual([before, index]);
    const seeing = plumbing(gitDirOf(repo), { alternates: [scratch.objects] });
    expect(await seeing.text(['ls-tree', '-r', '--name-only', tree])).toBe('.gitignore\na\nnew/c');
    expect(await seeing.text(['cat-file', 'blob', `${tree}:a`])).toBe('changed');
    // Nobody else sees the objects.
    expect(await plumbing(gitDirOf(repo)).attempt(['cat-file', '-e', tree])).toMatchObject({
      exit: expect.any(Number),
      stdout: Buffer.alloc(0),
    });
    expect((await plumbing(gitDirOf(repo)).attempt(['cat-file', '-e', tree])).exit).not.toBe(0);
  });

  test('respects what the user ignores everywhere, and starts no hook', async () => {
    const repo = create();
    repo.commit('x', { files: { a: 'a' } });
    const trace = home.join('staging-hook');
    mkdirSync(join(gitDirOf(repo), 'hooks'), { recursive: true });
    for (const hook of HOOKS) writeFileSync(join(gitDirOf(repo), 'hooks', hook), `#!/bin/sh\ntouch '${trace}'\n`, { mode: 0o755 });
    home.write('.config/git/ignore', '*.swp\n');
    cleanUp.defer(() => home.write('.config/git/ignore', ''));
    repo.write({ 'a.swp': 'x', b: 'b' });
    const { git, tree } = await stage(repo);
    expect(await git.text(['ls-tree', '-r', '--name-only', tree])).toBe('a\nb');
    expect(existsSync(trace)).toBe(false);
  });

  test('works where the object folder has a colon in its name', async () => {
    const folder = cleanUp.add(new TempFolder());
    const repo = TempRepo.create({ folder: folder.join('a:b "c"') });
    repo.commit('x', { files: { a: 'a', b: 'b' } });
    repo.write({ b: 'changed' });
    const { git, tree } = await stage(repo);
    expect((await git.text(['ls-tree', '-r', '--name-only', tree])).split('\n')).toEqual(['a', 'b']);
  });
});

test('the identity of the user comes from their variables or from their settings', async () => {
  const repo = create();
  expect(await asUser(repo.path).text(['var', 'GIT_COMMITTER_IDENT'])).toMatch(/^Ada <ada@example.com> /);
  setVariable('GIT_COMMITTER_NAME', 'Bob');
  setVariable('GIT_COMMITTER_DATE', '@7 +0000');
  expect(await asUser(repo.path).text(['var', 'GIT_COMMITTER_IDENT'])).toBe('Bob <ada@example.com> 7 +0000');
});

test('settings that a CI job hands over in variables count for the user and on the way to a server, but open no switch', async () => {
  const hostile = new HostileRepo();
  const settings = ['user.name=Carol', 'safe.directory=*', 'core.fsmonitor=true', 'core.hooksPath=.git/hooks', 'log.showSignature=true'];
  setVariable('GIT_CONFIG_COUNT', String(settings.length));
  for (const [index, setting] of settings.entries()) {
    const [key, value] = setting.split('=');
    setVariable(`GIT_CONFIG_KEY_${index}`, key);
    setVariable(`GIT_CONFIG_VALUE_${index}`, value);
  }
  for (const git of [asUser(hostile.repo.path), network(gitDirOf(hostile.repo))]) {
    expect(await git.text(['var', 'GIT_COMMITTER_IDENT'])).toMatch(/^Carol <ada@example.com> /);
    expect(await git.text(['config', 'safe.directory'])).toBe('*');
    expect(await git.text(['config', 'core.hooksPath'])).toBe('/dev/null');
  }
  expect(await plumbing(gitDirOf(hostile.repo)).attempt(['config', 'safe.directory'])).toMatchObject({ exit: 1 });
  await everythingOn(asUser(hostile.repo.path));
  expect(hostile.traces()).toEqual([]);
});
