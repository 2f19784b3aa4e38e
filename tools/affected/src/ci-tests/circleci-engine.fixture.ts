import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { parse } from 'yaml';
import { type Configuration, type Invoked, invocationOf, substitute } from './circleci-configuration.fixture.js';
import { JobRun, type Status } from './circleci-job.fixture.js';
import { type Hosted, readTemplate, type Trouble } from './hosted.fixture.js';

/** The request of a continuation. */
export interface Continuation {
  readonly configuration: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface CircleOptions {
  readonly cleanUp: CleanUp;
  readonly shards: number;
  readonly trouble?: Trouble | undefined;
  readonly branch?: string;
  /** Variables of the project. */
  readonly project?: Readonly<Record<string, string>>;
  /** Variables by context. Contexts are open to the branch main only. */
  readonly contexts?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A run of a workflow. */
export interface WorkflowRun {
  readonly statuses: ReadonlyMap<string, Status>;
  /** The output of the steps, by job. */
  readonly printed: ReadonlyMap<string, string>;
  readonly workspace: ReadonlyMap<string, string>;
}

/**
 * A pipeline of CircleCI as its documentation describes it. Source: circleci.com/docs, "Configuration reference", "Dynamic configuration
 * overview", "Using workspaces to share data between jobs", "Rerunning a workflow's failed jobs".
 */
export class CirclePipeline {
  private readonly hosted: Hosted;
  private readonly environment: Readonly<Record<string, string>>;
  private readonly contexts: NonNullable<CircleOptions['contexts']>;
  private readonly branch: string;
  private readonly caches = new Map<string, string>();
  private readonly id = 'b0a3f1de-5d1c-4c0e-8f7b-6f6f0c1d2e3f';
  private jobNumber = 1_234_566;
  private continuation: Continuation | undefined;
  private host = '';

  private constructor(hosted: Hosted, { shards, trouble, branch = 'topic', project = {}, contexts = {} }: CircleOptions) {
    this.hosted = hosted;
    this.branch = branch;
    this.contexts = contexts;
    this.environment = { ...hosted.environment(shards, trouble), ...project, CIRCLE_BRANCH: branch };
  }

  /** Starts a new pipeline, and the server for its continuation. */
  static async start(hosted: Hosted, options: CircleOptions): Promise<CirclePipeline> {
    const pipeline = new CirclePipeline(hosted, options);
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const code = pipeline.answer(`${request.method} ${request.url}`, Buffer.concat(chunks).toString());
        response.writeHead(code, { 'Content-Type': 'application/json' }).end('{"message":"…"}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    options.cleanUp.add({ close: () => new Promise<void>((resolve) => server.close(() => resolve())) });
    pipeline.host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return pipeline;
  }

  /** Runs the setup workflow of the template, with the tool under test instead of the published one. */
  runSetup({ writeContext = '' }: { readonly writeContext?: string } = {}): Promise<WorkflowRun> {
    const text = readTemplate('circleci/config.yml').replace(/AFFECTED: ''$/m, `AFFECTED: ${this.hosted.affected}`);
    return this.run(text.replace("WRITE_CONTEXT: ''", `WRITE_CONTEXT: '${writeContext}'`), { parameters: {} });
  }

  /** Returns the continuation that the setup workflow requested. Throws without one. */
  continued(): Continuation {
    if (this.continuation === undefined) throw new Error('nothing asked to continue');
    return this.continuation;
  }

  /**
   * Runs the pipeline's continuation. `canceled`: jobs that people cancel before they start. `after`: the run before, for "Rerun workflow
   * from failed".
   */
  runContinuation(more: Omit<RunOptions, 'parameters'> = {}): Promise<WorkflowRun> {
    const { configuration, parameters } = this.continued();
    return this.run(configuration, { parameters, ...more });
  }

  /** Deletes the caches, as CircleCI does after fifteen days. */
  loseCaches(): void {
    this.caches.clear();
  }

  /** Answers a request. A pipeline can be continued only once, and only with its key. */
  private answer(request: string, body: string): number {
    const { 'continuation-key': key, ...rest } = JSON.parse(body) as Continuation & { 'continuation-key'?: string };
    if (request !== 'POST /api/v2/pipeline/continue' || key !== KEY || this.continuation !== undefined) return 400;
    if (Object.values(rest.parameters).some((value) => value.length > 512)) return 400;
    this.continuation = rest;
    return 200;
  }

  private async run(text: string, options: RunOptions): Promise<WorkflowRun> {
    const configuration = this.expand(parse(text) as Configuration, options.parameters);
    const state = { statuses: new Map<string, Status>(), printed: new Map<string, string>(), workspace: new Map(options.after?.workspace) };
    const [{ jobs } = { jobs: [] }] = Object.values(configuration.workflows);
    let waiting = jobs.map(invocationOf);
    while (waiting.length > 0) {
      const isReady = ({ requires }: Invoked): boolean => requires.every(({ job }) => state.statuses.has(job));
      const ready = waiting.filter(isReady);
      if (ready.length === 0) throw new Error('jobs wait for each other');
      waiting = waiting.filter((one) => !ready.includes(one));
      await Promise.all(ready.map((one) => this.runJob(one, { configuration, state, options })));
    }
    return state;
  }

  private async runJob(invoked: Invoked, { configuration, state, options }: JobPlace): Promise<void> {
    const { name, job, requires, context, parameters } = invoked;
    const status = statusWithoutRunning(invoked, { state, options });
    if (status !== undefined) {
      state.statuses.set(name, status);
      return;
    }
    const granted = this.granted(context);
    if (granted === undefined) {
      state.statuses.set(name, 'unauthorized');
      return;
    }
    const definition = configuration.jobs[job];
    if (definition === undefined) throw new Error(`no job ${job}`);
    const run = new JobRun(this.hosted, {
      name,
      upstream: requires.map((one) => one.job),
      workspace: state.workspace,
      caches: this.caches,
      environment: { ...this.jobEnvironment(name, configuration), ...granted },
    });
    state.statuses.set(name, await run.steps(substitute(definition, 'parameters', parameters)));
    state.printed.set(name, run.log.join(''));
  }

  /**
   * Returns a job's variables from its context, which win over the project's. `undefined` if the context is missing, or the job may not use
   * it.
   */
  private granted(context: string | undefined): Readonly<Record<string, string>> | undefined {
    if (context === undefined) return {};
    return this.branch === 'main' ? this.contexts[context] : undefined;
  }

  private expand(configuration: Configuration, given: Readonly<Record<string, string>>): Configuration {
    const declared = configuration.parameters ?? {};
    for (const name of Object.keys(given)) if (declared[name] === undefined) throw new Error(`unexpected parameter ${name}`);
    const parameters = Object.fromEntries(Object.entries(declared).map(([name, one]) => [name, given[name] ?? one.default]));
    return substitute(substitute(configuration, 'pipeline.parameters', parameters), 'pipeline', { id: this.id, trigger_source: 'webhook' });
  }

  private jobEnvironment(name: string, { setup = false }: Configuration): Readonly<Record<string, string>> {
    this.jobNumber += 1;
    return {
      ...this.environment,
      CI: 'true',
      CIRCLECI: 'true',
      CIRCLE_SHA1: this.hosted.commit,
      CIRCLE_JOB: name,
      CIRCLE_BUILD_NUM: String(this.jobNumber),
      ...(setup ? { CIRCLE_CONTINUATION_KEY: KEY, CIRCLE_HOST: this.host } : {}),
    };
  }
}

const KEY = 'a key that only setup jobs have';

interface RunOptions {
  readonly parameters: Readonly<Record<string, string>>;
  readonly canceled?: readonly string[];
  readonly after?: WorkflowRun | undefined;
}

interface State extends WorkflowRun {
  readonly statuses: Map<string, Status>;
  readonly printed: Map<string, string>;
  readonly workspace: Map<string, string>;
}

interface JobPlace {
  readonly configuration: Configuration;
  readonly state: State;
  readonly options: RunOptions;
}

/**
 * Returns the status of a job that does not run: it passed before, was cancelled, or its requirements are not met. A passed job runs again
 * only after a job that it requires.
 */
function statusWithoutRunning(
  { name, requires }: Invoked,
  { state: { statuses }, options: { canceled = [], after } }: Pick<JobPlace, 'state' | 'options'>,
): Status | undefined {
  const isKept = after?.statuses.get(name) === 'success' && requires.every(({ job }) => after.statuses.get(job) === 'success');
  if (isKept) return 'success';
  if (canceled.includes(name)) return 'canceled';
  return requires.every(({ job, statuses: wanted }) => wanted.includes(statuses.get(job) ?? 'not_run')) ? undefined : 'not_run';
}
