import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { GitWrapper } from './git-wrapper.fixture.js';
import { createFixture, createSource, failureOf, gitFolderOf, type MigrationFixture, readState } from './migration.fixture.js';
import { createLfsSource, createSourceWith } from './sources.fixture.js';

const cleanUp = cleanUpIn(afterEach);
// For tests that run side by side.
const atEnd = cleanUpIn(afterAll);
const MANIFEST = '{"name":"left-pad","version":"1.0.0"}\n';

let fixture: MigrationFixture;

beforeEach(() => {
  fixture = createFixture(cleanUp);
});

describe('a source that cannot be migrated is refused by name, and is itself not changed', () => {
  const cases: Record<string, [string, () => TempRepo, RegExp?]> = {
    shallow: ['SOURCE_SHALLOW', () => atEnd.add(TempRepo.cloneOf(createSource(atEnd), '--depth=1'))],
    partial: [
      'SOURCE_PARTIAL',
      () => {
        const whole = createSource(atEnd);
        whole.git('config', 'uploadpack.allowFilter', 'true');
        return atEnd.add(TempRepo.cloneOf(whole, '--filter=blob:none', '--no-checkout'));
      },
    ],
    empty: ['SOURCE_EMPTY', () => atEnd.add(TempRepo.create())],
    'no package.json at the top, but below': [
      'SOURCE_NO_MANIFEST',
      () => createSourceWith(atEnd, (repo) => repo.commit('Move', { files: { 'package.json': null, 'libs/pad/package.json': MANIFEST } })),
      /with --subdirectory: libs\/pad/,
    ],
    'HEAD on a branch that is not there': [
      'SOURCE_BRANCH_MISSING',
      () => createSourceWith(atEnd, (repo) => repo.git('symbolic-ref', 'HEAD', 'refs/heads/gone')),
      /--source-branch: main, side/,
    ],
    'the other hash': ['SOURCE_FORMAT_MISMATCH', () => createSource(atEnd, 'left-pad', {}, { objectFormat: 'sha256' })],
    'an object lost': [
      'SOURCE_PARTIAL',
      () =>
        createSourceWith(atEnd, (repo) => {
          const id = repo.id('HEAD~1:src/index.js');
          rmSync(join(gitFolderOf(repo), 'objects', id.slice(0, 2), id.slice(2)));
        }),
    ],
    'files in Git LFS that are not there': ['SOURCE_LFS_MISSING', () => createLfsSource(atEnd)],
    'cut off by a graft': ['SOURCE_PARTIAL', () => createSourceWith(atEnd, (repo) => writeInfo(repo, 'grafts', `${repo.id('HEAD')}\n`))],
  };
  test.concurrent.each(Object.keys(cases))('%s', async (name) => {
    const [code, make, says = /./] = cases[name] ?? ['', () => createSource(atEnd)];
    const source = make();
    const fixture = createFixture(atEnd);
    const before = source.snapshot();
    const { stderr } = await fixture.refused(code, ['left-pad', '--from', source.path]);
    expect(stderr).toMatch(says);
    expect(stderr).toContain('hint: ');
    expect(source.snapshot()).toEqual(before);
  });

  test('nothing there, no repository, a file', async () => {
    const folder = cleanUp.add(new TempFolder());
    folder.write('file', '');
    await fixture.refused('SOURCE_UNREACHABLE', ['left-pad', '--from', folder.join('nothing')]);
    await fixture.refused('SOURCE_UNREACHABLE', ['left-pad', '--from', folder.path]);
    await fixture.refused('SOURCE_UNREACHABLE', ['left-pad', '--from', folder.join('file')]);
  });

  test('the monorepo itself, also as a work tree linked to it', async () => {
    fixture.monorepo.git('worktree', 'add', '-q', '-b', 'linked', join(fixture.home.path, 'tree'));
    await fixture.refused('SOURCE_IS_TARGET', ['left-pad', '--from', '.']);
    await fixture.refused('SOURCE_IS_TARGET', ['left-pad', '--from', fixture.home.join('tree')]);
  });
});

function writeInfo(repo: TempRepo, name: string, content: string): void {
  const folder = join(gitFolderOf(repo), 'info');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
}

describe('a source that is odd and can be migrated', () => {
  test('a submodule is not fetched, and no filter, hook or monitor of the source is run', async () => {
    const marker = fixture.home.join('it-was-run');
    const program = fixture.home.write('trap', `#!/bin/sh\ntouch '${marker}'\ncat 2>/dev/null\n`);
    chmodSync(program, 0o755);
    const source = createSourceWith(cleanUp, (repo) => {
      repo.write({ '.gitmodules': `[submodule "sub"]\n\tpath = sub\n\turl = ext::${program}\n`, '.gitattributes': '* filter=x\n' });
      repo.git('update-index', '--add', '--cacheinfo', `160000,${repo.id('HEAD')},sub`);
      repo.git('add', '.gitmodules', '.gitattributes');
      repo.git('commit', '-q', '-m', 'Submodule');
      for (const key of ['filter.x.smudge', 'filter.x.clean', 'core.fsmonitor', 'uploadpack.packObjectsHook', 'core.alternateRefsCommand'])
        repo.git('config', key, program);
      repo.git('config', 'submodule.recurse', 'true');
      for (const hook of ['post-checkout', 'reference-transaction', 'pre-receive'])
        writeTrap(join(gitFolderOf(repo), 'hooks', hook), program);
    });
    await fixture.accepted(['left-pad', '--from', source.path]);
    expect(readdirSync(fixture.home.path)).not.toContain('it-was-run');
    expect(fixture.monorepo.git('ls-tree', 'migrate/left-pad:packages/left-pad', 'sub')).toMatch(/^160000 commit/);
  });
});

function writeTrap(file: string, program: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\nexec '${program}'\n`);
  chmodSync(file, 0o755);
}

describe('servers', () => {
  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanUp.defer(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/pad.git`;
  }

  test('one that is not there', async () => {
    await fixture.refused('SOURCE_UNREACHABLE', ['left-pad', '--from', 'http://127.0.0.1:1/pad.git']);
  });

  test('one that knows nothing, or asks for a password', async () => {
    const url = await serve((_, response) => void response.writeHead(404).end());
    await fixture.refused('SOURCE_UNREACHABLE', ['left-pad', '--from', url]);
    const closed = await serve((_, response) => void response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end());
    await fixture.refused('SOURCE_UNREACHABLE', ['left-pad', '--from', closed]);
  });

  test('one that never answers is given up after a time, which the user may set', async () => {
    const url = await serve(() => {});
    fixture.home.write('.gitconfig', '[user]\n\tname = A\n\temail = a@b\n[http]\n\tlowSpeedLimit = 1\n\tlowSpeedTime = 1\n');
    const wrapper = new GitWrapper(cleanUp, ':');
    await fixture.refused('SOURCE_UNREACHABLE', ['left-pad', '--from', url], { env: wrapper.env });
    expect(wrapper.calls().join()).not.toContain('http.lowSpeedTime=');
    fixture.home.write('.gitconfig', '[user]\n\tname = A\n\temail = a@b\n');
    const patient = new GitWrapper(cleanUp, 'case "$args" in *ls-remote*) exit 128;; esac');
    await fixture.refused('SOURCE_UNREACHABLE', ['left-pad', '--from', url], { env: patient.env });
    expect(patient.calls().join()).toContain('http.lowSpeedTime=120 ls-remote');
  });

  test('ssh does not ask and does not wait for ever, where the user has no program of his own for it', async () => {
    const asked = async (env: Record<string, string> = {}): Promise<string> => {
      const wrapper = new GitWrapper(cleanUp, 'case "$args" in *ls-remote*) exit 128;; esac');
      await fixture.refused('SOURCE_UNREACHABLE', ['left-pad', '--from', 'git@host.invalid:pad'], { env: { ...wrapper.env, ...env } });
      return wrapper.calls().join('\n');
    };
    expect(await asked()).toContain('core.sshCommand=ssh -oBatchMode=yes -oConnectTimeout=30 -oServerAliveInterval=30 ls-remote');
    expect(await asked({ GIT_SSH_COMMAND: 'ssh -v' })).not.toContain('BatchMode');
    expect(await asked({ GIT_SSH: 'ssh' })).not.toContain('BatchMode');
    fixture.home.write('.gitconfig', '[user]\n\tname = A\n\temail = a@b\n[core]\n\tsshCommand = ssh -v\n');
    expect(await asked()).not.toContain('BatchMode');
  });

  test('credentials are shown nowhere and stay nowhere', async () => {
    const source = createSource(cleanUp);
    const secret = 's3cr3t-p4ss';
    const url = `https://ada:${secret}@example.test/pad`;
    fixture.home.write('.gitconfig', `[user]\n\tname = A\n\temail = a@b\n[url "${source.path}"]\n\tinsteadOf = ${url}\n`);
    const shown: string[] = [];
    for (const args of [['--dry-run', '--json'], ['--verbose'], ['--verbose', '--json']]) {
      const result = await fixture.run(['left-pad', '--from', url, ...args]);
      shown.push(result.stdout, result.stderr);
    }
    for (const address of [
      `http://ada:${secret}@127.0.0.1:1/x`,
      `http://127.0.0.1:1/x?private_token=${secret}`,
      `https://ada:${secret}@/x`,
    ]) {
      const result = await fixture.run(['right-pad', '--from', address, '--verbose', '--json']);
      expect(result.code).toBe(1);
      shown.push(result.stdout, result.stderr);
    }
    const migrated = await fixture.run(['status', '--json', '--verbose']);
    expect(fixture.monorepo.git('log', '-1', '--format=%B', '--merges', 'migrate/left-pad')).toContain(
      'Tributary-Source: https://example.test/pad\n',
    );
    expect([...shown, migrated.stdout, migrated.stderr].join('\n')).not.toContain(secret);
    const { stdout } = await runProcess('grep', ['-r', '-l', secret, fixture.monorepo.path], { cwd: fixture.monorepo.path });
    expect(stdout).toBe('');
  });
});

describe('addresses that are no addresses', () => {
  test.concurrent.each(['--upload-pack=touch pwned', 'ext::sh -c touch% pwned', 'ssh://-oProxyCommand=touch pwned/x'])(
    '%j',
    async (address) => {
      const fixture = createFixture(atEnd);
      const before = readState(fixture.monorepo);
      const result = await fixture.run(['left-pad', `--from=${address}`]);
      expect(failureOf(result)).toEqual({ exit: 1, code: 'URL_REFUSED' });
      expect(readState(fixture.monorepo)).toEqual(before);
      const branch = await fixture.run(['left-pad', '--from', '.', `--source-branch=${address}`]);
      expect(branch.code).not.toBe(0);
    },
  );
});
