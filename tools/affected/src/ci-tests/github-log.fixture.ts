/** The result of a step. act marks every leg of a matrix as failed when one failed: only the steps are reliable. */
export interface StepResult {
  /** `plan`, `shards`, `gate`. */
  readonly job: string;
  /** `01`; empty outside of the matrix. */
  readonly leg: string;
  /** The name of the step, or its command. */
  readonly step: string;
  readonly result: string;
}

/** A run of a workflow in act. */
export interface GitHubRun {
  /** 1 if a job failed. */
  readonly code: number | null;
  /** In the order of their ends, with the skipped ones. */
  readonly steps: readonly StepResult[];
  /** The outputs of the job `plan`, by name. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The summaries that GitHub shows for the run, by job. */
  readonly summaries: Readonly<Record<string, string>>;
  /** The output of programs, by job. act may lose the output of a step that fails, because it does not wait for the rest of it. */
  readonly printed: Readonly<Record<string, string>>;
  /** The messages of act itself, for a failure of the test. */
  readonly output: string;
}

interface Line {
  readonly jobID?: string;
  readonly matrix?: Readonly<Record<string, string>>;
  readonly step?: string;
  readonly stepResult?: string;
  readonly stage?: string;
  readonly msg?: string;
  readonly raw_output?: boolean;
  readonly command?: string;
  readonly name?: string;
  readonly arg?: string;
  readonly content?: string;
}

/** Reads the output of `act --json`: one object a line. */
export function readActRun({
  code,
  stdout,
  stderr,
}: {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}): GitHubRun {
  const lines = stdout.split('\n').flatMap((line): readonly Line[] => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const printed: Record<string, string> = {};
  const outputs: Record<string, string> = {};
  const summaries: Record<string, string> = {};
  for (const { jobID = '', raw_output: isPrinted, msg = '', command, name = '', arg = '', content = '' } of lines) {
    if (isPrinted === true) printed[jobID] = (printed[jobID] ?? '') + msg;
    if (command === 'summary') summaries[jobID] = (summaries[jobID] ?? '') + content;
    if (jobID === 'plan' && command === 'set-output') outputs[name] = arg;
  }
  const output = lines.flatMap(({ raw_output: isPrinted, msg = '' }) => (isPrinted === true ? [] : [msg]));
  return { code, steps: lines.flatMap(stepIn), outputs, summaries, printed, output: [...output, stderr].join('\n') };
}

function stepIn({ jobID: job = '', matrix, step = '', stepResult: result, stage, msg = '' }: Line): readonly StepResult[] {
  // act logs a step of a composite action under the name of the step that uses the action. Its own name is in the message.
  const [, own = step] = /^\s*\S+\s+\w+ - Main (.*?)(?: \[[\w.µ]+\])?$/s.exec(msg) ?? [];
  return result === undefined || stage !== 'Main' ? [] : [{ job, leg: matrix?.['leg'] ?? '', step: own, result }];
}

/** Returns the legs that ran, in the order of their ids. */
export function legsOf({ steps }: GitHubRun): readonly string[] {
  return [...new Set(steps.filter(({ job, result }) => job === 'shards' && result !== 'skipped').map(({ leg }) => leg))].sort();
}

/** Returns `passed` only if the job ran and no step of it failed; `not run` if GitHub would show it as skipped. */
export function resultOf({ steps }: GitHubRun, job: string): 'passed' | 'failed' | 'not run' {
  const own = steps.filter((step) => step.job === job);
  if (own.some(({ result }) => result === 'failure')) return 'failed';
  return own.some(({ result }) => result === 'success') ? 'passed' : 'not run';
}
