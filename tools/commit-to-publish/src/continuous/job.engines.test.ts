// The templates of ci/ for lead times, read by those who read them for a living, and run by an engine that nobody here wrote.
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type CliResult, runProcess } from '@tributary/test-repo/run-cli';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { HostedRepo, readTemplate, type Template, TOOL } from './job.fixture.js';

const { ACTIONLINT: actionlint, CHECK_JSONSCHEMA: schemas, GITLAB_CI_LOCAL: gitlab } = process.env;
const cleanUp = cleanUpIn(afterEach);
const FILES: Readonly<Record<Template, string>> = { github: '.github/workflows/lead-time.yml', gitlab: '.gitlab/lead-time.yml' };

function repoWith(template: Template, from = '', to = ''): TempRepo {
  const repo = cleanUp.add(TempRepo.create());
  const text = readTemplate(template);
  if (!text.includes(from)) throw new Error(`The template has no "${from}".`);
  repo.write({ [FILES[template]]: text.replace(from, to) });
  return repo;
}

(actionlint === undefined ? describe.skip : describe)('actionlint', () => {
  const lint = ({ path }: TempRepo): Promise<CliResult> => runProcess(actionlint ?? '', ['-no-color'], { cwd: path });

  test('finds nothing in the workflow', async () => {
    expect(await lint(repoWith('github'))).toMatchObject({ stdout: '', stderr: '', code: 0 });
  });

  test.each([
    ['a job that is not there', 'needs: measure', 'needs: measures'],
    ['an output that the job does not have', 'needs.measure.outputs.page ', 'needs.measure.outputs.site '],
    ['a schedule that is none', '17 5 * * 1-5', '17 25 * * 1-5'],
  ])('finds %s', async (_, from, to) => {
    expect((await lint(repoWith('github', from, to))).code).toBe(1);
  });
});

(schemas === undefined ? describe.skip : describe)('check-jsonschema', () => {
  const check = (template: Template, { path }: TempRepo): Promise<CliResult> => {
    const schema = template === 'github' ? ['vendor.github-workflows'] : ['vendor.gitlab-ci', '--data-transform', 'gitlab-ci'];
    return runProcess(schemas ?? '', ['--builtin-schema', ...schema, FILES[template]], { cwd: path });
  };

  test.each(['github', 'gitlab'] as const)('takes the template for %s', async (template) => {
    expect(await check(template, repoWith(template))).toMatchObject({ code: 0 });
  });

  test.each([
    ['github', 'runs-on:', 'run-on:'],
    ['gitlab', 'expire_in: 1 week', 'expire_in: [1]'],
  ] as const)('finds a mistake in that for %s', async (template, from, to) => {
    expect((await check(template, repoWith(template, from, to))).code).toBe(1);
  });
});

/** gitlab-ci-local copies with rsync. */
const paths = [process.env['PATH'] ?? '', dirname(gitlab ?? '')].join(delimiter);
const canRun = gitlab !== undefined && paths.split(delimiter).some((folder) => existsSync(join(folder, 'rsync')));

(canRun ? describe : describe.skip)('gitlab-ci-local', () => {
  // A value that begins with / would be a file to it.
  async function runPipeline(host: HostedRepo, variables: Readonly<Record<string, string>>): Promise<string> {
    const checkout = cleanUp.add(host.checkout());
    const own = {
      COMMIT_TO_PUBLISH: `env ${TOOL}`,
      LEAD_TIME_REMOTE: `file://${host.host.path}`,
      LEAD_TIME_COLLECT: '--name acme/ui',
      ...variables,
    };
    const lines = Object.entries(own).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
    checkout.write({
      '.gitlab-ci.yml': 'include:\n  - local: .gitlab/lead-time.yml\n',
      [FILES.gitlab]: readTemplate('gitlab'),
      '.gitlab-ci-local-variables.yml': lines.join(''),
    });
    checkout.git('add', '--all');
    checkout.git('remote', 'set-url', 'origin', 'https://gitlab.example/acme/ui.git');
    const options = { cwd: checkout.path, env: { NO_COLOR: '1', PATH: paths }, timeoutMs: 280_000 };
    const { stdout, stderr } = await runProcess(gitlab ?? '', ['--force-shell-executor', '--shell-isolation'], options);
    return stdout + stderr;
  }

  test('runs both jobs where a schedule asks for them, and none elsewhere; the branch keeps the record', async () => {
    const host = cleanUp.add(new HostedRepo());
    host.push();
    expect(await runPipeline(host, { CI_PIPELINE_SOURCE: 'push', LEAD_TIME: '1' })).not.toMatch(/PASS|FAIL/);
    expect(host.tip()).toBe('');
    const ran = await runPipeline(host, { CI_PIPELINE_SOURCE: 'schedule', LEAD_TIME: '1', LEAD_TIME_FAIL_IF: '--fail-if p90>900d' });
    expect(ran.match(/^ (?:PASS|FAIL) +\S.*?(?= *$)/gm)).toEqual([' PASS  pages', ' PASS  lead-time-gate']);
    expect(host.kept().length).toBeGreaterThan(2);
  });
});
