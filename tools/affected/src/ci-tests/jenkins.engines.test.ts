import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { jenkins } from '../engines/jenkins.js';
import { sameTime } from '../engines/plan.fixture.js';
import { Hosted, NAMES, readTemplate } from './hosted.fixture.js';
import { describeCases, type HostedRun } from './hosted-cases.fixture.js';
import { type Build, groovyOf, JenkinsProject } from './jenkins-engine.fixture.js';
import { findTool } from './tools.fixture.js';

const cleanUp = cleanUpIn(afterAll);
const lint = findTool('NPM_GROOVY_LINT');
const groovy = lint === undefined ? undefined : groovyOf(lint);

/** A run ends before a better compiler would pay off. */
const QUICK_JAVA = ['--javaoptions=-XX:TieredStopAtLevel=1,-XX:+UseSerialGC'];

/** Returns npm-groovy-lint's errors and warnings for files. These make it end with 1; it reports nothing less severe. */
async function flawsOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = cleanUp.add(new TempFolder());
  const paths = Object.entries(files).map(([name, text]) => folder.write(name, text));
  const args = ['--noserver', '--no-insight', '--failon', 'warning', '--loglevel', 'warning', ...QUICK_JAVA, ...paths];
  const { code, stdout, stderr } = await runProcess(lint ?? '', args, { cwd: folder.path });
  return code === 0 ? '' : stdout + stderr;
}

(lint === undefined ? describe.skip : describe)('npm-groovy-lint', () => {
  const template = readTemplate('jenkins/Jenkinsfile');
  const emitted = Object.fromEntries([0, 1, 7, 250, 251].map((count) => [`legs-${count}.groovy`, jenkins.emit(sameTime(count))]));

  // One run for all, because each takes seconds before it reads a file.
  test('finds nothing in the template and in what is emitted for 0, 1, 7, 250 and 251 shards', async () => {
    const oneJob = readTemplate('jenkins/one-job.Jenkinsfile');
    expect(await flawsOf({ Jenkinsfile: template, 'one-job/Jenkinsfile': oneJob, ...emitted })).toBe('');
  });

  test('finds brackets that are not closed', async () => {
    const broken = {
      Jenkinsfile: template.replace('withEnv([', 'withEnv('),
      'legs-7.groovy': emitted['legs-7.groovy']?.replace(']', '') ?? '',
    };
    const flaws = await flawsOf(broken);
    for (const name of Object.keys(broken)) expect(flaws).toContain(name);
  });
});

function runOf({ problem, machines, stages, printed }: Build): HostedRun {
  const gate = stages['gate'];
  // Jenkins has one result for a build, which must agree with the gate.
  if ((gate === 'passed') !== (problem === null)) throw new Error(`the gate says ${gate}, the build ${problem}`);
  return { gate: gate === 'passed' || gate === 'failed' ? gate : 'not run', output: printed['gate'] ?? '', machines: [...machines].sort() };
}

(groovy === undefined ? describe.skip : describe)('the Jenkinsfile, run by Groovy', () => {
  const start = async (hosted: Hosted, shards: number, trouble = {}): Promise<JenkinsProject> =>
    new JenkinsProject(hosted, groovy ?? '', { shards, trouble });

  describeCases(
    {
      machine: (id) => `shard-${id}`,
      again: 'everything',
      start: async (hosted, shards, trouble) => {
        const project = await start(hosted, shards, trouble);
        return {
          first: async ({ canceled = [] } = {}) => runOf(await project.build({ canceled: canceled.map((id) => `shard-${id}`) })),
          again: async () => runOf(await project.build()),
        };
      },
    },
    cleanUp,
  );

  test('a plan that cannot be made fails the build', async () => {
    const build = await (await start(await Hosted.create(cleanUp, { turbo: 'no JSON' }), 7)).build();
    expect(build).toMatchObject({ machines: [], stages: { plan: 'failed' } });
    expect(build.problem).not.toBeNull();
  });

  test('what a build before has left on an agent does not count', async () => {
    const project = await start(await Hosted.create(cleanUp, { names: NAMES.slice(0, 2) }), 2);
    expect((await project.build()).problem).toBeNull();
    const next = await project.build({ variables: { TEST_SHARDS: '1' } });
    expect(next.printed['gate']).toContain('All 2 planned pieces in 1 shard ran and passed.');
    expect(next.problem).toBeNull();
  });

  test('a push is compared with the last commit that passed, of which only the checkout tells', async () => {
    const hosted = await Hosted.create(cleanUp, { changed: 2 });
    const previous = hosted.repo.repo.git('rev-parse', 'main');
    await (await start(hosted, 2)).build({ previous, variables: { BRANCH_NAME: 'main', AFFECTED_BASE_BRANCH: '' } });
    expect(hosted.ran()).toEqual([...NAMES.slice(0, 2)].sort());
  });

  describe('a pull request that Jenkins merges in each workspace anew', () => {
    let hosted: Hosted;
    let build: Build;

    beforeAll(async () => {
      hosted = await Hosted.create(cleanUp, { changed: 3 });
      hosted.advanceMain();
      const variables = { CHANGE_ID: '42', CHANGE_TARGET: 'main', BRANCH_NAME: 'PR-42', AFFECTED_BASE_BRANCH: '' };
      build = await (await start(hosted, 3)).build({ variables });
    });

    test('is tested as the one commit that was planned', () => {
      expect(build.printed['gate']).toContain('All 3 planned pieces in 3 shards ran and passed.');
      expect(build.problem).toBeNull();
    });

    test('is compared with its target', () => expect(hosted.ran()).toEqual([...NAMES.slice(0, 3)].sort()));
  });

  test('of one shard more than a list may have, one machine runs two', async () => {
    const names = Array.from({ length: 251 }, (_, at) => `@acme/p${at}`);
    const hosted = await Hosted.create(cleanUp, { names });
    const build = await (await start(hosted, 251)).build({ only: ['shard-01'] });
    expect(build.machines).toEqual(['shard-01']);
    expect(hosted.ran()).toHaveLength(2);
    expect(build.stages['gate']).toBe('failed');
    expect(build.printed['gate']?.match(/has no receipt/g)).toHaveLength(249);
  });
});
