import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { withInput } from '../init/forms.js';
import { type GitHubRun, readActRun } from './github-log.fixture.js';
import { writeStubs } from './github-stubs.fixture.js';

const WORKFLOW = '.github/workflows/affected.yml';
const root = findProjectRoot();

/** The workflow with three jobs, or the one with one job. */
export type Form = 'workflow' | 'one-job';

/** Reads the files of `ci/github`, by the path where a team copies them to. */
export function readTemplates(form: Form = 'workflow'): { readonly [WORKFLOW]: string; readonly [file: string]: string } {
  const read = (file: string): string => readFileSync(join(root, 'ci/github', file), 'utf8');
  return { [WORKFLOW]: read(`${form}.yml`), '.github/actions/affected/action.yml': read('action.yml') };
}

/** A push, a pull request, a merge group or a night, as GitHub describes it. */
export interface GitHubEvent {
  readonly name: 'pull_request' | 'merge_group' | 'push' | 'schedule';
  readonly payload: unknown;
}

interface RunOptions {
  readonly event: GitHubEvent;
  /** The command that starts affected, by default what was built here. Empty: the template's own. */
  readonly command?: string;
  /** Further inputs of the action that makes the plan. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Variables of the repository. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Secrets of the repository, and GITHUB_TOKEN, which GitHub gives each run as `github.token`. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Only these legs run; the others never start. */
  readonly legs?: readonly string[];
  /** The run before, for "Re-run failed jobs": the job `plan` does not run again, and keeps its outputs. */
  readonly planOf?: Pick<GitHubRun, 'outputs'>;
  /** Folders with the files of other repositories, by `owner/name@commit`. */
  readonly repositories?: Readonly<Record<string, string>>;
}

interface JobFolder {
  /** A repository with the commit checked out that GitHub would check out. */
  readonly path: string;
  /** The variables that the jobs need. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A repository on GitHub, as far as act supports it: artifacts and caches stay from run to run. */
export class GitHubRepo {
  /** The folder of `store/artifacts/<id of the run>` and `store/cache`. */
  readonly folder: TempFolder;
  private readonly act: string;
  private readonly place: JobFolder;

  constructor(act: string, place: JobFolder, cleanUp: CleanUp) {
    this.act = act;
    this.place = place;
    this.folder = cleanUp.add(new TempFolder());
    // Node brings corepack. The real one would write beside the Node of this machine; Yarn is in PATH already.
    this.write('bin/corepack', '#!/bin/sh\n[ "$*" = enable ]\n', 0o755);
  }

  /** Runs the committed workflow to its end. */
  async run({
    event,
    command = `node ${join(root, 'tools/affected/out/cli.cjs')}`,
    inputs = {},
    variables = {},
    environment = {},
    secrets = {},
    legs = [],
    planOf,
    repositories = {},
  }: RunOptions): Promise<GitHubRun> {
    const started = withInput(readFileSync(join(this.place.path, WORKFLOW), 'utf8'), `command: '${command}'`, 'every');
    const committed = Object.entries(inputs).reduce((text, [name, value]) => withInput(text, `${name}: '${value}'`, 'first'), started);
    const workflow = planOf === undefined ? committed : withFrozenPlan(committed, planOf.outputs);
    const args = [
      event.name,
      '--json',
      '--no-cache-server',
      '--platform',
      'ubuntu-latest=-self-hosted',
      '--workflows',
      this.write('run/affected.yml', workflow),
      '--eventpath',
      this.write('run/event.json', JSON.stringify(event.payload)),
      ...writeStubs(this.folder, Object.values(readTemplates()).join('\n')),
      ...Object.entries(repositories).flatMap(([name, folder]) => ['--local-repository', `${name}=${folder}`]),
      ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}=${value}`]),
      ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      ...Object.entries(secrets).flatMap(([name, value]) => ['--secret', `${name}=${value}`]),
      ...legs.flatMap((leg) => ['--matrix', `leg:${leg}`]),
    ];
    const path = `${this.folder.join('bin')}:${this.place.environment['PATH'] ?? ''}`;
    const { code, stdout, stderr } = await runProcess(this.act, args, {
      cwd: this.place.path,
      // Legs write into one map without a lock (act's LocalRepositoryCache). Go stops such a program, unless only one thread runs.
      env: { ...this.place.environment, PATH: path, GOMAXPROCS: '1' },
      timeoutMs: 240_000,
    });
    return readActRun({ code, stdout, stderr });
  }

  /** Returns the keys of all caches. */
  cached(): readonly string[] {
    return readdirSync(this.folder.join('store/cache'))
      .filter((name) => name !== '.keep')
      .sort();
  }

  private write(name: string, content: string, mode = 0o644): string {
    const file = this.folder.write(name, '');
    writeFileSync(file, content, { mode });
    return file;
  }
}

function withFrozenPlan(workflow: string, outputs: Readonly<Record<string, string>>): string {
  const job = { 'runs-on': 'ubuntu-latest', outputs, steps: [{ run: 'true' }] };
  const frozen = workflow.replace(/^ {2}plan:\n[\s\S]*?(?=^ {2}shards:)/m, () => `  plan: ${JSON.stringify(job)}\n`);
  if (frozen === workflow) throw new Error('the workflow has no job plan before the job shards');
  return frozen;
}
