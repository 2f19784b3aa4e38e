import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { GPGSIG_HEADER } from '@tributary/test-repo/raw-commit';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { gitDirOf, HOOKS, moveInto, setVariable } from './git.fixture.js';
import { asUser, type Git, network, plumbing } from './git.js';
import { makeObject } from './object-id.js';
import { ObjectWriter } from './object-writer.js';
import { readObjects } from './objects.js';

const cleanUp = cleanUpIn(afterEach);
const shared = cleanUpIn(afterAll);
const home = shared.add(new TempFolder());

beforeAll(() => moveInto(home, shared));

function create(): TempRepo {
  return cleanUp.add(TempRepo.create());
}

/** Returns `diff.evil.command` in the syntax of a configuration file. */
function formatSetting([key, value]: readonly [string, string]): string {
  const [section = '', ...names] = key.split('.');
  const own = names.pop();
  return `[${section}${names.length === 0 ? '' : ` "${names.join('.')}"`}]\n\t${own} = "${value}"\n`;
}

/** A repository that configures its own program wherever git allows it. Each program leaves a file in `traces`. */
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
      'core.fsmonitor',
      'core.pager',
      'core.editor',
      'core.sshCommand',
      'core.askPass',
      'core.gitProxy',
      'core.alternateRefsCommand',
      'diff.external',
      'diff.evil.command',
      'diff.evil.textconv',
      'filter.evil.clean',
      'filter.evil.smudge',
      'merge.evil.driver',
      'gpg.program',
      'credential.helper',
      'uploadpack.packObjectsHook',
      'sequence.editor',
      'pager.log',
      'pager.rev-list',
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

  /** Returns the programs that ran, by the key that configured them. */
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

test('settings that a CI job hands over in variables count for the user and on the way to a server, but open no switch', async () => {
  const hostile = new HostileRepo();
  const settings = ['user.name=Carol', 'safe.directory=*', 'core.fsmonitor=true', 'core.hooksPath=.git/hooks', 'log.showSignature=true'];
  setVariable('GIT_CONFIG_COUNT', String(settings.length), cleanUp);
  for (const [index, setting] of settings.entries()) {
    const [key, value] = setting.split('=');
    setVariable(`GIT_CONFIG_KEY_${index}`, key, cleanUp);
    setVariable(`GIT_CONFIG_VALUE_${index}`, value, cleanUp);
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
