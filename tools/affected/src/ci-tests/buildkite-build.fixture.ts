import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from '@tributary/test-repo/run-cli';
import { type BuildkiteOptions, jobVariables, type Step, type UploadedStep } from './buildkite-job.fixture.js';
import { BuildkiteServer } from './buildkite-server.fixture.js';

interface UploadedPipeline {
  readonly agents?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly UploadedStep[];
}

/** The largest number of jobs that Buildkite takes in one upload. */
const MOST_JOBS = 500;

const MACHINES = 3;

/**
 * A build of Buildkite. Steps run in order, and several at the same time up to the next `wait`. The uploaded steps of a job follow directly
 * behind it. The real agent runs each job: it checks out, runs the command and uploads the artifacts. Plugins, blocks and dependencies are
 * missing.
 */
export class BuildkiteBuild {
  /** `gate` → `passed`; for a step that ran again, the last state. */
  readonly states = new Map<string, 'passed' | 'failed' | 'cancelled'>();
  readonly logs = new Map<string, string>();
  readonly queues = new Map<string, string>();
  readonly server: BuildkiteServer;
  private readonly options: BuildkiteOptions;
  private steps: Step[];
  private readonly done = new Set<Step>();

  private constructor(server: BuildkiteServer, options: BuildkiteOptions) {
    this.server = server;
    this.options = options;
    this.steps = [{ key: 'upload', command: 'buildkite-agent pipeline upload', queue: 'default', retries: 0 }];
    mkdirSync(join(options.folder, 'hooks'), { recursive: true });
  }

  static async start(options: BuildkiteOptions): Promise<BuildkiteBuild> {
    return new BuildkiteBuild(await BuildkiteServer.start(), options);
  }

  /** Runs the build to its end. Returns the state that Buildkite reports to the repository's host: failed if a job failed. */
  async run(): Promise<'passed' | 'failed'> {
    for (let next = this.nextStep(); next !== undefined; next = this.nextStep()) {
      if (isCommand(next)) {
        await this.runPart(this.commandsBefore(this.steps.indexOf(next)));
        continue;
      }
      this.done.add(next);
      if (this.state === 'failed' && next.continue_on_failure !== true) break;
    }
    return this.state;
  }

  /** Runs a job again, as the button "Retry" does. */
  async retry(key: string): Promise<void> {
    const step = this.steps.find((one) => one.key === key);
    if (step === undefined) throw new Error(`there is no step ${key}`);
    for (const [job, known] of this.server.jobs) if (known.step === key) this.server.jobs.set(job, { ...known, state: 'retried' });
    const again = { ...step, retries: step.retries + 1 };
    this.steps = this.steps.map((one) => (one === step ? again : one));
    await this.runPart([again]);
  }

  get state(): 'passed' | 'failed' {
    return [...this.states.values()].every((state) => state === 'passed') ? 'passed' : 'failed';
  }

  private nextStep(): Step | undefined {
    return this.steps.find((step) => !this.done.has(step));
  }

  /** Returns the commands from a place to the next `wait`. */
  private commandsBefore(from: number): readonly Step[] {
    const rest = this.steps.slice(from);
    const end = rest.findIndex((step) => !isCommand(step));
    return (end === -1 ? rest : rest.slice(0, end)).filter((step) => !this.done.has(step));
  }

  private async runPart(part: readonly Step[]): Promise<void> {
    for (const step of part) this.done.add(step);
    const waiting = [...part];
    const work = async (machine: number): Promise<void> => {
      for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await this.runJob(step, machine);
    };
    await Promise.all(Array.from({ length: MACHINES }, (_, machine) => work(machine)));
  }

  private async runJob(step: Step, machine: number): Promise<void> {
    const { key = '' } = step;
    const job = randomUUID();
    this.server.jobs.set(job, { step: key, state: 'latest' });
    this.queues.set(key, step.queue);
    if (this.options.neverRun?.(step) === true) return void this.states.set(key, 'cancelled');
    const running = startProcess(this.options.program, ['bootstrap', '--phases', 'checkout,command'], {
      cwd: this.options.folder,
      env: jobVariables(step, { job, machine, endpoint: this.server.endpoint }, this.options),
    });
    const cancelled = await cancelWhen(this.options.cancel?.get(key), running);
    const { code, stdout, stderr } = await running.finished;
    this.logs.set(key, stdout + stderr);
    this.states.set(key, cancelled ? 'cancelled' : code === 0 ? 'passed' : 'failed');
    this.insertUploads(job, step);
  }

  private insertUploads(job: string, after: Step): void {
    for (const { job: by, pipeline } of this.server.pipelines) if (by === job) this.insert(pipeline as UploadedPipeline, after);
  }

  /** Inserts the steps of an upload. The variables of a pipeline apply only to its own steps. */
  private insert({ agents, env, steps }: UploadedPipeline, after: Step): void {
    const more = steps.map((step): Step => ({ ...step, env: { ...env, ...step.env }, queue: agents?.['queue'] ?? 'default', retries: 0 }));
    if (more.filter(isCommand).length > MOST_JOBS) throw new Error(`Buildkite refuses an upload of more than ${MOST_JOBS} jobs`);
    const keys = [...this.steps, ...more].flatMap(({ key }) => key ?? []);
    if (new Set(keys).size !== keys.length) throw new Error('Buildkite refuses an upload with a key that is there already');
    this.steps.splice(this.steps.indexOf(after) + 1, 0, ...more);
  }
}

function isCommand(step: Step): boolean {
  return step.command !== undefined;
}

/** Cancels a job as Buildkite does, as soon as a file exists. Returns whether it was still running. */
async function cancelWhen(file: string | undefined, { child, finished }: ReturnType<typeof startProcess>): Promise<boolean> {
  if (file === undefined) return false;
  let ended = false;
  void finished.finally(() => {
    ended = true;
  });
  while (!ended && !existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
  return !ended && child.kill('SIGTERM');
}
