import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { CliResult } from '@tributary/test-repo/run-cli';
import type { Files } from '@tributary/test-repo/temp-repo';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';
import { ShardRepo, type TestedPackage } from '../testing/shard-repo.fixture.js';

// Attempts to have a green gate over tests that another machine ran, or that ran for another commit. The right answer was written down
// before each was tried.

const cleanUp = cleanUpIn(afterAll);

type Variables = Readonly<Record<string, string>>;

/** A monorepo in which `user` changed, and the run of its tests. */
class Scene {
  readonly one: ShardRepo;

  private constructor(one: ShardRepo) {
    this.one = one;
  }

  static async create(packages: Readonly<Record<string, TestedPackage>> = { user: {} }, files: Files = {}): Promise<Scene> {
    const scene = new Scene(await ShardRepo.create(cleanUp, packages, { changed: ['user'], files }));
    await scene.plan();
    return scene;
  }

  plan(): Promise<CliResult> {
    return this.one.affected(['plan', '--base', 'main', '--out', this.at('plan.json')]);
  }

  shard(env: Variables = {}): Promise<CliResult> {
    return this.one.affected(['run-shard', '01', '--plan', this.at('plan.json'), '--receipts', this.at('receipts')], { env });
  }

  gate(...more: readonly string[]): Promise<CliResult> {
    return this.one.affected(['gate', '--plan', this.at('plan.json'), '--receipts', this.at('receipts'), ...more]);
  }

  /** Runs the shard and returns the piece of `user`. */
  async run(env: Variables = {}): Promise<ReceiptPiece> {
    await this.shard(env);
    const receipt = JSON.parse(readFileSync(this.at('receipts/01.json'), 'utf8')) as Receipt;
    const piece = receipt.pieces.find(({ workspace }) => workspace === 'user');
    if (piece === undefined) throw new Error('user is not in the receipt');
    return piece;
  }

  at(name: string): string {
    return join(this.one.work, name);
  }

  /** Lets the `node` in PATH say that it is another one. */
  pretend(words: string): void {
    const own = `exec "${process.execPath}" "$@"`;
    writeFileSync(this.at('bin/node'), `#!/bin/sh\nif [ "$1" = -p ]; then echo '${words}'; else ${own}; fi\n`, { mode: 0o755 });
  }

  get log(): string {
    return existsSync(this.one.log) ? readFileSync(this.one.log, 'utf8') : '';
  }
}

const TURBO = { globalPassThroughEnv: ['RAN_LOG'], tasks: { build: { dependsOn: ['^build'] }, test: { dependsOn: ['^build'] } } };

function turboFile(more: object): Files {
  return { 'turbo.json': `${JSON.stringify({ ...TURBO, ...more })}\n` };
}

const { platform, arch, versions } = process;
const major = versions.node.split('.')[0];

describe('a cached result counts only from a machine like this one:', () => {
  test('it does, but not of another Node, system or architecture, nor where nothing is known', async () => {
    const scene = await Scene.create();
    expect([(await scene.run()).state, (await scene.run()).state]).toEqual(['executed', 'replayed']);
    for (const [words, why] of [
      [`${platform} ${arch} 18.1.0`, `it was made under Node ${major}, and this is Node 18`],
      [`aix ${arch} ${versions.node}`, `it was made on ${platform}-${arch}, and this is aix-${arch}`],
      [`${platform} mips ${versions.node}`, `it was made on ${platform}-${arch}, and this is ${platform}-mips`],
      ['no version', 'there is no `node` in PATH'],
    ] as const) {
      scene.pretend(words);
      expect(await scene.run()).toMatchObject({ state: 'executed', exit: 0, forced: expect.stringContaining(why) });
      const { code } = await scene.gate('--summary', scene.at('gate.md'));
      expect([code, readFileSync(scene.at('gate.md'), 'utf8')]).toEqual([0, expect.stringContaining(why)]);
    }
  });

  test('not of turborepo itself, and not where affected does not watch the tests', async () => {
    const scene = await Scene.create();
    await scene.one.turbo(['run', 'test', '--filter=user']);
    expect(await scene.run()).toMatchObject({ state: 'executed', forced: expect.stringContaining('did not observe') });
    await scene.run();
    expect(await scene.run({ AFFECTED_REPORTS: 'off' })).toMatchObject({
      state: 'executed',
      forced: expect.stringContaining('does not watch'),
    });
  });

  test('not with another value of a variable that turbo.json declares, and no value is in the proof', async () => {
    const files = {
      ...turboFile({
        globalEnv: ['GLOBAL'],
        tasks: { build: { env: ['BUILD'] }, test: { dependsOn: ['build'], env: ['OWN', 'PATTERN_*'] } },
      }),
      'packages/p0/turbo.json': '{ "extends": ["//"], "tasks": { "test": { "env": ["$TURBO_EXTENDS$", "PACKAGE"] } } }\n',
    };
    const scene = await Scene.create({ user: { builds: true } }, files);
    const env: Record<string, string> = {};
    await scene.run(env);
    for (const name of ['GLOBAL', 'BUILD', 'OWN', 'PATTERN_A', 'PACKAGE']) {
      env[name] = 'a-secret';
      expect([name, (await scene.run(env)).state]).toEqual([name, 'executed']);
    }
    expect((await scene.run(env)).state).toBe('replayed');
    expect(readFileSync(join(scene.one.repo.path, 'packages/p0/.turbo/turbo-test.log'), 'utf8')).not.toContain('a-secret');
  });

  test('not by any setting of the cache', async () => {
    const scene = await Scene.create();
    await scene.one.turbo(['run', 'test', '--filter=user']);
    const settings: readonly Variables[] = [{ TURBO_CACHE: 'local:r' }, { TURBO_CACHE: 'remote:rw' }, { TURBO_FORCE: 'true' }];
    for (const env of settings) expect(await scene.run(env)).toMatchObject({ state: 'executed', exit: 0 });
    expect(scene.log).toBe('user\n'.repeat(4));
  });

  test.each(['none', 'errors-only'])('with "outputLogs": "%s" as without', async (outputLogs) => {
    const scene = await Scene.create({ user: {} }, turboFile({ tasks: { test: { outputLogs } } }));
    expect([(await scene.run()).state, (await scene.run()).state]).toEqual(['executed', 'replayed']);
    scene.pretend(`${platform} ${arch} 18.1.0`);
    expect((await scene.run()).state).toBe('executed');
  });
});

describe('only the tests run again:', () => {
  const builds = {
    lib: { manifest: { scripts: { build: 'echo lib >> $RAN_LOG && cp src.js made.txt' } }, files: { '.gitignore': 'made.txt\n' } },
  };
  const tasks = { build: { dependsOn: ['^build'], outputs: ['made.txt'] }, test: { dependsOn: ['^build'] } };

  test('what ran before them comes from the cache, also for a change that no hash shows', async () => {
    const scene = await Scene.create(
      { ...builds, user: { dependencies: ['lib'] } },
      { ...turboFile({ tasks }), 'tributary.json': '{ "affected": { "always": ["user"] } }\n' },
    );
    await scene.run();
    const { state, forced, taskHash } = await scene.run();
    expect([state, forced]).toEqual(['executed', expect.stringContaining('it is always tested')]);
    expect(scene.log).toBe('lib\nuser\nuser\n');
    expect(taskHash).toBe((await scene.run()).taskHash);
  });

  test('a task that must run each time runs again too', async () => {
    // The tests use up what `seed` makes.
    const user = {
      test: 'rm seed && echo user >> $RAN_LOG',
      manifest: { scripts: { seed: 'touch seed', test: 'rm seed' } },
      files: { '.gitignore': 'seed\n' },
    };
    const scene = await Scene.create(
      { user },
      {
        ...turboFile({ tasks: { seed: { cache: false }, test: { dependsOn: ['seed'] } } }),
        'tributary.json': '{ "affected": { "always": ["user"] } }\n',
      },
    );
    expect((await scene.run()).exit).toBe(0);
    expect(await scene.run()).toMatchObject({ state: 'executed', exit: 0 });
  });

  test('they do not see what a cached result that does not count has left', async () => {
    // As a runner that writes a snapshot, but not in CI.
    const user = {
      test: "node -e \"if (!fs.existsSync('snap/a')) { if (process.env.CI) process.exit(1); fs.mkdirSync('snap'); fs.writeFileSync('snap/a', '') }\"",
    };
    const scene = await Scene.create({ user }, turboFile({ tasks: { test: { outputs: ['snap/**'] } } }));
    expect(await scene.one.turbo(['run', 'test', '--filter=user'])).toBe(0);
    scene.one.repo.git('clean', '-dfq', 'packages');
    expect((await scene.run({ CI: 'true' })).exit).toBe(1);
    expect((await scene.gate()).code).toBe(1);
  });
});

describe('a gate is for one commit:', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.create();
    await scene.shard();
  });

  test('it names the one that is checked out, also detached', async () => {
    const id = scene.one.repo.id('HEAD');
    scene.one.repo.git('checkout', '-q', '--detach');
    const said = `Tested: commit ${id.slice(0, 12)}, Node ${major}.`;
    expect(await scene.gate()).toMatchObject({ code: 0, stdout: expect.stringContaining(said) });
    expect(JSON.parse((await scene.gate('--json')).stdout)).toMatchObject({ passed: true, commit: id });
  });

  test('where none is checked out it has to be named, in full', async () => {
    const id = scene.one.repo.id('HEAD');
    const gate = (...more: readonly string[]): Promise<CliResult> =>
      scene.one.affected(['gate', '--plan', 'plan.json', ...more, '--receipts', 'receipts'], { cwd: scene.one.work });
    expect(await gate()).toMatchObject({ code: 1, stdout: expect.stringContaining('It is unknown which commit this gate is for: ') });
    expect(await gate('--commit', id)).toMatchObject({ code: 0, stdout: expect.stringContaining(id.slice(0, 12)) });
    for (const wrong of [id.slice(0, 12), 'HEAD', ''])
      expect(await gate('--commit', wrong)).toMatchObject({ code: 2, stderr: expect.stringContaining('[USAGE]') });
  });

  test('of receipts it takes each once, wherever its copies are, and none that is cut off', async () => {
    const [receipt, copies, folder] = [scene.at('receipts/01.json'), scene.at('copies'), scene.at('copies/one/two/three')];
    mkdirSync(folder, { recursive: true });
    for (const copy of ['01.json', '01 (1).json', 'one/two/three/01.json']) cpSync(receipt, join(copies, copy));
    expect((await scene.gate('--receipts', copies)).code).toBe(0);
    writeFileSync(join(folder, '01.json'), readFileSync(receipt, 'utf8').slice(0, -20));
    expect((await scene.gate('--receipts', copies)).code).toBe(1);
    expect(await scene.gate('--receipts', scene.at('none'))).toMatchObject({ code: 1, stderr: expect.stringContaining('Missing: ') });
  });

  test('not for a newer one than that of its plan', async () => {
    const old = scene.one.repo.id('HEAD');
    expect((await scene.gate()).code).toBe(0);
    scene.one.repo.commit('Break it');
    const { code, stdout, stderr } = await scene.gate();
    const now = scene.one.repo.id('HEAD').slice(0, 12);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`The plan is for commit ${old.slice(0, 12)}, but ${now} is checked out.`)]);
    expect(stderr).toContain('hint: Commit: ');
    // Who names the old one gets its answer.
    expect((await scene.gate('--commit', old)).code).toBe(0);
    expect(
      (
        await scene.gate(
          '--commit',
          old.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
        )
      ).code,
    ).toBe(1);
  });

  test('a shard that ran again replaces its receipt, and what passed only then is flaky', async () => {
    const flaky = await Scene.create({
      user: { test: "node -e \"fs.existsSync('x') || (fs.writeFileSync('x', ''), process.exit(1))\"", files: { '.gitignore': 'x\n' } },
    });
    expect((await flaky.run()).exit).toBe(1);
    for (const _ of ['passes', 'passes again']) {
      await flaky.shard();
      const { code, stderr } = await flaky.gate();
      expect([code, stderr]).toEqual([0, expect.stringContaining('user is flaky: it failed when its shard ran before and passed')]);
    }
    await flaky.shard({ AFFECTED_ATTEMPT: '2' });
    expect((await flaky.gate()).stderr).toContain('user is flaky: it failed in attempt 1 and passed in attempt 2');
  });

  test('the test that passed only when its shard ran again is named, also when it runs once more', async () => {
    const text =
      "require('node:test').test('adds', () => { if (!fs.existsSync('x')) { fs.writeFileSync('x', ''); throw new Error('no'); } })";
    const files = { 'packages/p0/a.test.js': `const fs = require('fs');\n${text}\n`, '.gitignore': 'x\n' };
    const flaky = await Scene.create({ user: { test: 'node --test' } }, files);
    expect((await flaky.run()).exit).toBe(1);
    for (const _ of ['passes', 'passes again']) {
      await flaky.shard();
      const { code, stderr } = await flaky.gate('--summary', flaky.at('gate.md'));
      expect([code, stderr]).toEqual([0, expect.stringContaining('Failed then: adds (packages/p0/a.test.js:2).')]);
      expect(readFileSync(flaky.at('gate.md'), 'utf8')).toContain('Failed then: adds (packages/p0/a.test.js:2).');
    }
  });
});

test('tests see CI=true wherever there is CI, unless the job says otherwise', async () => {
  const user = { test: 'node -p process.env.CI >> $RAN_LOG' };
  const scene = await Scene.create({ user }, turboFile({ tasks: { test: { cache: false } } }));
  const jobs: readonly (readonly [env: Variables, seen: string])[] = [
    [{ TF_BUILD: 'True' }, 'true'],
    [{ JENKINS_URL: 'http://ci.example/', BUILD_ID: '7' }, 'true'],
    [{ TEAMCITY_VERSION: '2025.1' }, 'true'],
    [{ TF_BUILD: 'True', CI: '' }, 'true'],
    [{ TF_BUILD: 'True', CI: 'false' }, 'false'],
    [{}, 'undefined'],
  ];
  for (const [env] of jobs) await scene.shard(env);
  expect(scene.log.trim().split('\n')).toEqual(jobs.map(([, seen]) => seen));
});
