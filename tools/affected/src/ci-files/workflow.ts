import { isPlainObject } from '@tributary/model/plain-object';
import { effectOf } from './known-actions.js';
import { type Readable, readYaml, type YamlMapping } from './yaml-value.js';

/** What a CI file says, without what no test can notice. */
export interface Workflow {
  /** What all jobs share: variables, defaults, inputs. All of an action, or of a file of another engine. */
  readonly shared: YamlMapping;
  readonly jobs: ReadonlyMap<string, Job>;
  /** The names of the events that start it. */
  readonly events: readonly string[];
}

export interface Job {
  /** With its uploads, which matter only to jobs that need it. */
  readonly content: YamlMapping;
  readonly withoutUploads: YamlMapping;
  /** The jobs whose outputs and artifacts it can use. */
  readonly needs: readonly string[];
}

/** The keys that tests cannot notice. Every other key counts. */
const UNNOTICED = {
  workflow: new Set(['name', 'run-name', 'permissions', 'concurrency', 'on', 'jobs']),
  job: new Set(['name', 'permissions', 'concurrency', 'timeout-minutes']),
  step: new Set(['name', 'timeout-minutes']),
  action: new Set(['name', 'description', 'author', 'branding']),
  input: new Set(['description']),
} as const;

/** In characters, for all jobs of a workflow. */
const LARGEST = 50_000_000;

/** Reads a workflow of GitHub. */
export function readWorkflow(text: string): Readable<Workflow> {
  const read = readYaml(text);
  if ('problem' in read) return read;
  const { jobs = {}, on } = read.value;
  const problem = isPlainObject(jobs) ? problemOf(jobs) : 'its jobs are not a YAML mapping';
  if (problem !== undefined) return { problem };
  // What jobs share is read once for each.
  if (entriesOf(jobs).length * text.length > LARGEST) return { problem: 'it has too many jobs' };
  const known = entriesOf(jobs).map(([id, job]) => [id, jobOf(isPlainObject(job) ? job : {})] as const);
  const shared = { ...without(read.value, UNNOTICED.workflow), on: passedOn(on) };
  return { value: { shared, jobs: new Map(known), events: isPlainObject(on) ? Object.keys(on) : textsIn(on) } };
}

/** Reads an action of GitHub. */
export function readAction(text: string): Readable<Workflow> {
  const read = readYaml(text);
  if ('problem' in read) return read;
  const { runs = {}, inputs = {} } = read.value;
  const problem = problemOf({ runs });
  if (problem !== undefined) return { problem };
  const content = { ...without(read.value, UNNOTICED.action), inputs: inputsIn(inputs), runs: withSteps(runs, 'uploads') };
  return { value: { shared: content, jobs: new Map(), events: [] } };
}

/** Reads a file of another engine, of which everything but the labels of steps counts. */
export function readPipeline(text: string): Readable<Workflow> {
  const read = readYaml(text);
  return 'problem' in read ? read : { value: { shared: withoutLabels(read.value), jobs: new Map(), events: [] } };
}

/** Returns a clause about jobs that GitHub would refuse. */
function problemOf(jobs: YamlMapping): string | undefined {
  for (const [id, job] of Object.entries(jobs)) {
    if (!/^[A-Za-z_][\w-]*$/.test(id)) return `"${id}" is not a job name`;
    if (!isPlainObject(job)) return `"${id}" is not a YAML mapping`;
    const { steps = [], uses = '' } = job;
    if (!Array.isArray(steps) || !steps.every(isPlainObject)) return `the steps of "${id}" are not a list of YAML mappings`;
    for (const used of [uses, ...steps.map((step) => step['uses'] ?? '')]) {
      if (typeof used !== 'string') return `a "uses" in "${id}" is not a text`;
      if (used.includes('${{')) return `"uses: ${used}" is an expression`;
    }
  }
  return undefined;
}

function jobOf(job: YamlMapping): Job {
  const content = without(job, UNNOTICED.job);
  return { content: withSteps(content, 'uploads'), withoutUploads: withSteps(content, 'none'), needs: textsIn(job['needs']) };
}

/** Returns a job or an action without steps that report, and on request without those that upload. */
function withSteps(job: unknown, which: 'uploads' | 'none'): YamlMapping {
  if (!isPlainObject(job)) return {};
  const { steps } = job;
  if (!Array.isArray(steps)) return job;
  const isCounted = ({ uses }: YamlMapping): boolean => {
    const effect = typeof uses === 'string' ? effectOf(uses) : undefined;
    return effect === undefined || effect === which;
  };
  const counted: readonly YamlMapping[] = steps.filter(isPlainObject).filter(isCounted);
  return { ...job, steps: counted.map((step) => without(step, UNNOTICED.step)) };
}

/** Returns what each event passes to jobs. What starts a run, and when, is no part of it. */
function passedOn(on: unknown): YamlMapping {
  const events = entriesOf(on).filter((entry): entry is [string, YamlMapping] => isPlainObject(entry[1]));
  const passed = events.map(([event, { inputs, outputs = {} }]) => [event, { inputs: inputsIn(inputs), outputs }] as const);
  return Object.fromEntries(passed.filter(([, { inputs, outputs }]) => entriesOf(inputs).length + entriesOf(outputs).length > 0));
}

function inputsIn(inputs: unknown): YamlMapping {
  return Object.fromEntries(
    entriesOf(inputs).map(([name, input]) => [name, isPlainObject(input) ? without(input, UNNOTICED.input) : input]),
  );
}

function entriesOf(value: unknown): readonly [string, unknown][] {
  return isPlainObject(value) ? Object.entries(value) : [];
}

function textsIn(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
}

function without(value: YamlMapping, keys: ReadonlySet<string>): YamlMapping {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.has(key)));
}

/** The names of steps in Buildkite and Azure Pipelines. */
const LABELS: ReadonlySet<string> = new Set(['label', 'displayName']);
const STEPS: ReadonlySet<string> = new Set(['steps', 'jobs', 'stages']);

function withoutLabels(value: YamlMapping): YamlMapping {
  return Object.fromEntries(
    Object.entries(value).map(([key, below]) => {
      if (!STEPS.has(key) || !Array.isArray(below)) return [key, below];
      return [key, below.map((step: unknown) => (isPlainObject(step) ? withoutLabels(withoutLabel(step)) : step))];
    }),
  );
}

/** A job of CircleCI may have such a name too, but is no text. */
function withoutLabel(step: YamlMapping): YamlMapping {
  return Object.fromEntries(Object.entries(step).filter(([key, value]) => !LABELS.has(key) || typeof value !== 'string'));
}
