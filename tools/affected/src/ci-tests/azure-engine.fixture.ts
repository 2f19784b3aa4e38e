import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { evaluate, type Facts } from './azure-expression.fixture.js';
import { type AzureJob, AzureJobRun } from './azure-job.fixture.js';
import { type Hosted, readTemplate, type Trouble } from './hosted.fixture.js';

type Result = 'Succeeded' | 'Failed' | 'Skipped' | 'Canceled';

/** A run of the pipeline, or a further attempt of it. */
export interface AzureRun {
  /** The results by job; the jobs of a matrix are `shards leg_01`. */
  readonly results: ReadonlyMap<string, Result>;
  /** The output of the steps, by job, of those that ran. */
  readonly printed: ReadonlyMap<string, string>;
  readonly outputs: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly attempts: ReadonlyMap<string, number>;
  /** How often the stage ran. Each rerun counts, also that of failed jobs alone. */
  readonly stageAttempt: number;
  /** The legs of the matrix; empty if its job did not start. */
  readonly legs: Legs;
}

export interface AzureOptions {
  /** Legs that people cancel before they start. */
  readonly canceled?: readonly string[];
  /** Only these legs run; the others count as cancelled. */
  readonly only?: (legs: Legs) => readonly string[];
  /** The run before, for "Rerun failed jobs". */
  readonly after?: AzureRun | undefined;
  /** The run before, for "Rerun stage": all its jobs run again. */
  readonly restarted?: AzureRun;
}

/** The variables of each leg of a matrix. */
export type Legs = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Pipeline {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly jobs: readonly AzureJob[];
}

/**
 * Azure Pipelines as its documentation describes it. Source: learn.microsoft.com, "Specify conditions", "Set variables in scripts",
 * "Expressions", "jobs.job.strategy", "Publish and download pipeline artifacts", "Rerun failed jobs".
 */
export class AzurePipeline {
  private readonly hosted: Hosted;
  private readonly environment: Readonly<Record<string, string>>;
  private readonly artifacts: string;

  constructor(hosted: Hosted, shards: number, trouble: Trouble = {}) {
    this.hosted = hosted;
    this.environment = hosted.environment(shards, trouble);
    this.artifacts = hosted.folder();
  }

  /** Returns the template's variables for the values that the engine sets. */
  variables(branch: string, reason: string): Readonly<Record<string, string>> {
    return this.read({ branch, reason }).variables;
  }

  /** Runs the template. */
  async run(options: AzureOptions = {}): Promise<AzureRun> {
    const { jobs, variables } = this.read({ branch: 'refs/heads/topic', reason: 'IndividualCI' });
    const { after, restarted } = options;
    const state: State = {
      results: new Map(),
      printed: new Map(),
      outputs: { ...after?.outputs },
      attempts: new Map((after ?? restarted)?.attempts),
      stageAttempt: ((after ?? restarted)?.stageAttempt ?? 0) + 1,
      legs: {},
    };
    let waiting = jobs;
    while (waiting.length > 0) {
      // The last job that may start is next, so that no template can rely on the order of its jobs.
      const next = waiting.findLast(({ dependsOn = [] }) => [dependsOn].flat().every((name) => resultsOf(state, name).length > 0));
      if (next === undefined) throw new Error('jobs wait for each other');
      waiting = waiting.filter((job) => job !== next);
      await this.runJob(next, { variables, state, options });
    }
    return state;
  }

  /** Reads the template, with the tool under test instead of the published one. */
  private read({ branch, reason }: { readonly branch: string; readonly reason: string }): {
    readonly jobs: readonly AzureJob[];
    readonly variables: Readonly<Record<string, string>>;
  } {
    const text = readTemplate('azure/azure-pipelines.yml').replace(/AFFECTED: ''$/m, `AFFECTED: ${this.hosted.affected}`);
    const { jobs, variables } = parse(text) as Pipeline;
    const system = { 'Build.Reason': reason, 'Build.SourceBranch': branch, 'Build.SourceVersion': this.hosted.commit };
    return { jobs, variables: { ...system, ...atCompileTime(variables, system) } };
  }

  private async runJob(job: AzureJob, scene: Scene): Promise<void> {
    const { state, options } = scene;
    const needed = [job.dependsOn ?? []].flat();
    const succeeded = needed.every((name) => resultsOf(state, name).every((result) => result === 'Succeeded')) ? 'yes' : 'no';
    const facts: Facts = { outputs: Object.fromEntries(needed.map((name) => [name, state.outputs[name] ?? {}])), succeeded };
    if (evaluate(job.condition ?? 'succeeded()', facts) !== true) {
      state.results.set(job.job, 'Skipped');
      return;
    }
    const { matrix } = job.strategy ?? {};
    const legs = matrix === undefined ? { '': {} } : legsOf(atRunTime(matrix, facts));
    if (matrix !== undefined) state.legs = legs;
    const chosen = options.only?.(legs);
    await inTurns(Object.entries(legs), async ([leg, values]) => {
      const name = leg === '' ? job.job : `${job.job} ${leg}`;
      const isKept = options.after?.results.get(name) === 'Succeeded' && !needed.some((one) => hasRun(state, one));
      if (isKept) state.results.set(name, 'Succeeded');
      else if (options.canceled?.includes(leg) === true || (leg !== '' && chosen?.includes(leg) === false))
        state.results.set(name, 'Canceled');
      else await this.runLeg(job, { name, values, facts, scene });
    });
  }

  private async runLeg(
    job: AzureJob,
    {
      name,
      values,
      facts,
      scene: { state, variables },
    }: { readonly name: string; readonly values: Readonly<Record<string, string>>; readonly facts: Facts; readonly scene: Scene },
  ): Promise<void> {
    const attempt = (state.attempts.get(name) ?? 0) + 1;
    state.attempts.set(name, attempt);
    const workspace = this.hosted.folder();
    const sources = join(workspace, 's');
    mkdirSync(sources);
    const own = Object.fromEntries(Object.entries(job.variables ?? {}).map(([key, value]) => [key, atRunTime(value, facts)]));
    const run = new AzureJobRun(this.hosted, {
      artifacts: this.artifacts,
      workspace,
      sources,
      environment: this.environment,
      variables: {
        ...variables,
        ...own,
        ...values,
        'Pipeline.Workspace': workspace,
        'System.JobAttempt': String(attempt),
        'System.StageAttempt': String(state.stageAttempt),
        TF_BUILD: 'True',
      },
    });
    state.results.set(name, await run.steps(job.steps));
    state.printed.set(name, run.log.join(''));
    if (Object.keys(run.outputs).length > 0) state.outputs[job.job] = run.outputs;
  }
}

interface State extends AzureRun {
  readonly results: Map<string, Result>;
  readonly printed: Map<string, string>;
  readonly outputs: Record<string, Readonly<Record<string, string>>>;
  readonly attempts: Map<string, number>;
  legs: Legs;
}

interface Scene {
  readonly variables: Readonly<Record<string, string>>;
  readonly state: State;
  readonly options: AzureOptions;
}

/** Returns the results of all legs of a job. */
function resultsOf({ results }: AzureRun, job: string): readonly Result[] {
  return [...results].filter(([name]) => name === job || name.startsWith(`${job} `)).map(([, result]) => result);
}

/** Returns whether a job ran in this attempt. */
function hasRun({ printed }: AzureRun, job: string): boolean {
  return [...printed.keys()].some((name) => name === job || name.startsWith(`${job} `));
}

/** Works on four items at a time. All at once would be too much for one machine, because each job builds and tests. */
async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}

/** Evaluates `$[ … ]`, as Azure does just before the job runs. */
function atRunTime(text: string, facts: Facts): string {
  const expression = /^\$\[(.*)\]$/s.exec(text);
  return expression === null ? text : String(evaluate(expression[1] ?? '', facts) ?? '');
}

/** Parses the legs. `{}` gives one job without variables: MicrosoftDocs/azure-devops-docs#5259. */
function legsOf(matrix: string): Legs {
  const legs = JSON.parse(matrix) as Legs;
  for (const name of Object.keys(legs)) if (!/^[A-Za-z][A-Za-z0-9_]{0,99}$/.test(name)) throw new Error(`no name of a leg: ${name}`);
  return Object.keys(legs).length === 0 ? { '': {} } : legs;
}

/** Evaluates `${{ if … }}` and `${{ else }}`, as Azure does when it reads the file. */
function atCompileTime(
  variables: Readonly<Record<string, unknown>>,
  system: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  let isTaken = false;
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]): readonly (readonly [string, string])[] => {
      const condition = /^\$\{\{ (?:if (.*)|else) \}\}$/.exec(name);
      if (condition === null) return [[name, String(value)]];
      const holds = condition[1] === undefined ? !isTaken : evaluate(condition[1], { variables: system }) === true;
      isTaken ||= holds;
      return holds ? Object.entries(value as Readonly<Record<string, string>>) : [];
    }),
  );
}
