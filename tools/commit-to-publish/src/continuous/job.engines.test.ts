// The lead-time templates of ci/: independent parsers read them, and an independent engine runs them.
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type CliResult, runProcess } from '@tributary/test-repo/run-cli';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { type ActRun, runSchedule } from './act.fixture.js';
import { HostedRepo, readTemplate, type Template, TOOL } from './job.fixture.js';

const { ACT: act, ACTIONLINT: actionlint, CHECK_JSONSCHEMA: schemas, GITLAB_CI_LOCAL: gitlab } = process.env;
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

/** gitlab-ci-local needs rsync for its copies. */
const paths = [process.env['PATH'] ?? '', dirname(gitlab ?? '')].join(delimiter);
const canRun = gitlab !== undefined && paths.split(delimiter).some((folder) => existsSync(join(folder, 'rsync')));

(canRun ? describe : describe.skip)('gitlab-ci-local', () => {
  // gitlab-ci-local takes a value that begins with / for a file.
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

(act === undefined ? describe.skip : describe)('act', () => {
  const stepsWith = (gate: string): readonly string[] => [
    'measure checkout success',
    'measure setup-node success',
    'measure Collect success',
    'measure Report success',
    'measure upload-pages-artifact success',
    `measure ${gate}`,
    'publish deploy-pages success',
  ];

  test('runs the workflow of a schedule: the branch keeps the record, and Pages gets the page though the gate fails', async () => {
    const host = cleanUp.add(new HostedRepo());
    for (let at = 1; at <= 12; at++) host.changeAndRelease(`2.${at}.0`, at * 400, 240);
    host.push();
    const run = async (failIf: string): Promise<ActRun> => {
      const checkout = cleanUp.add(host.checkout());
      // Without `--github`: the comment in the template says so for a job that reads git alone.
      checkout.write({
        [FILES.github]: readTemplate('github')
          .replace('LEAD_TIME_COLLECT: --github ', 'LEAD_TIME_COLLECT: --name acme/ui ')
          .replace('--window 13w', '--since 2020-01-06'),
      });
      return runSchedule(FILES.github, {
        act: act ?? '',
        path: checkout.path,
        variables: { COMMIT_TO_PUBLISH: TOOL, LEAD_TIME_FAIL_IF: failIf },
        environment: { LEAD_TIME_REMOTE: `file://${host.host.path}` },
      });
    };
    const failed = await run('--fail-if p50>1d');
    expect({ code: failed.code, steps: failed.steps }).toEqual({ code: 1, steps: stepsWith('Gate failure') });
    expect(failed.page).toMatch(/^<!doctype html>[\s\S]*<h1>Lead time of changes: acme\/ui<\/h1>/);
    expect(failed.summary).toContain('| package |');
    const tip = host.tip();
    const passed = await run('--fail-if p50>90d');
    expect({ code: passed.code, steps: passed.steps }).toEqual({ code: 0, steps: stepsWith('Gate success') });
    expect([tip === '', host.tip() === tip]).toEqual([false, true]);
  });
});
