import { existsSync, readFileSync } from 'node:fs';
import type { CliResult } from '@tributary/test-repo/run-cli';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';

/**
 * Stand-ins for the actions that need GitHub's own servers. They keep the site in a folder, and fail where the real ones fail: for a
 * missing folder, and for a deployment without a site. `actions/checkout` has none, because act does it itself.
 */
const STUBS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'setup-node': { steps: [{ shell: 'bash', run: 'node --version' }] },
  'upload-pages-artifact': {
    steps: [{ shell: 'bash', run: 'test -e "$FROM/index.html" && cp -R "$FROM" "$SITE"', env: { FROM: `\${{ inputs.path }}` } }],
  },
  'deploy-pages': {
    steps: [{ id: 'deployed', shell: 'bash', run: 'test -e "$SITE/index.html" && echo "page_url=file://$SITE" >> "$GITHUB_OUTPUT"' }],
  },
};

/** The results of a finished run. */
export interface ActRun extends CliResult {
  /** Lines such as `measure Collect success`: job, name or action, and result of each step that ran, in order. */
  readonly steps: readonly string[];
  /** The page that Pages would serve; `undefined` if the run uploaded none. */
  readonly page: string | undefined;
  /** The summary that GitHub shows for the run. */
  readonly summary: string;
}

interface ActScene {
  readonly act: string;
  /** A checkout with the workflow. */
  readonly path: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs a workflow on this machine as its schedule would. */
export async function runSchedule(workflow: string, { act, path, variables, environment }: ActScene): Promise<ActRun> {
  const folder = new TempFolder();
  const site = folder.join('site');
  try {
    for (const [name, runs] of Object.entries(STUBS)) folder.write(`stubs/${name}/action.yml`, actionOf(name, runs));
    folder.write('event.json', JSON.stringify({ schedule: '17 5 * * 1-5', repository: { default_branch: 'main' } }));
    const used = [...readFileSync(`${path}/${workflow}`, 'utf8').matchAll(/uses: actions\/([\w-]+)@([0-9a-f]{40})/g)];
    const stubs = used.filter(([, name = '']) => STUBS[name] !== undefined);
    const args = [
      ...['schedule', '--json', '--no-cache-server', '--platform', 'ubuntu-latest=-self-hosted'],
      ...['--workflows', workflow, '--eventpath', folder.join('event.json'), '--secret', 'GITHUB_TOKEN=s3cret'],
      ...stubs.flatMap(([, name, commit]) => ['--local-repository', `actions/${name}@${commit}=${folder.join('stubs', name ?? '')}`]),
      ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}=${value}`]),
      ...Object.entries({ ...environment, SITE: site }).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ];
    const ran = await runProcess(act, args, { cwd: path, env: { GOMAXPROCS: '1' }, timeoutMs: 240_000 });
    return {
      ...ran,
      ...readLog(ran.stdout),
      page: existsSync(`${site}/index.html`) ? readFileSync(`${site}/index.html`, 'utf8') : undefined,
    };
  } finally {
    folder.dispose();
  }
}

function actionOf(name: string, runs: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    name,
    description: 'stands in for the real one',
    inputs: { path: { description: 'a folder', default: '' } },
    outputs: name === 'deploy-pages' ? { page_url: { description: 'an address', value: `\${{ steps.deployed.outputs.page_url }}` } } : {},
    runs: { using: 'composite', ...runs },
  });
}

interface Line {
  readonly jobID?: string;
  readonly step?: string;
  readonly stage?: string;
  readonly stepResult?: string;
  readonly command?: string;
  readonly content?: string;
}

/** Reads the output of `act --json`: one object a line. */
function readLog(stdout: string): Pick<ActRun, 'steps' | 'summary'> {
  const lines = stdout.split('\n').flatMap((line): readonly Line[] => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const ended = lines.filter(({ stepResult, stage }) => stepResult !== undefined && stage === 'Main');
  // act logs a step of a composite action under the name of the step that uses the action.
  const steps = ended.map(({ jobID, step, stepResult }) => `${jobID} ${step?.replace(/^actions\/([\w-]+)@.*/, '$1')} ${stepResult}`);
  return {
    steps: [...new Set(steps)],
    summary: lines.flatMap(({ command, content = '' }) => (command === 'summary' ? [content] : [])).join(''),
  };
}
