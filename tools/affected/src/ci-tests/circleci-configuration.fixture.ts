import type { Job } from './circleci-job.fixture.js';

/** The configuration of a pipeline. Source: circleci.com/docs, "Configuration reference". */
export interface Configuration {
  readonly setup?: boolean;
  readonly parameters?: Readonly<Record<string, { readonly default: string }>>;
  readonly jobs: Readonly<Record<string, Job>>;
  readonly workflows: Readonly<Record<string, { readonly jobs: readonly (string | Readonly<Record<string, Invocation>>)[] }>>;
}

interface Invocation {
  readonly name?: string;
  readonly requires?: readonly (string | Readonly<Record<string, string | readonly string[]>>)[];
  readonly context?: string;
  readonly [parameter: string]: unknown;
}

interface Required {
  readonly job: string;
  readonly statuses: readonly string[];
}

/** A job of a workflow, and the jobs that it waits for. */
export interface Invoked {
  readonly name: string;
  readonly job: string;
  readonly requires: readonly Required[];
  readonly context: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

export function invocationOf(job: string | Readonly<Record<string, Invocation>>): Invoked {
  const [kind = '', { name = kind, requires = [], context, ...parameters } = {}]: readonly [string?, Invocation?] =
    typeof job === 'string' ? [job] : (Object.entries(job)[0] ?? []);
  return { name, job: kind, requires: requires.flatMap(requiredOf), context, parameters: parameters as Readonly<Record<string, string>> };
}

const TERMINAL = ['success', 'failed', 'canceled', 'unauthorized', 'not_run'];

function requiredOf(one: string | Readonly<Record<string, string | readonly string[]>>): readonly Required[] {
  if (typeof one === 'string') return [{ job: one, statuses: ['success'] }];
  return Object.entries(one).map(([job, status]) => ({ job, statuses: status === 'terminal' ? TERMINAL : [status].flat() }));
}

/** Replaces `<< scope.name >>` by values. An undeclared name is an error in the configuration. */
export function substitute<Value>(value: Value, scope: string, values: Readonly<Record<string, string>>): Value {
  const text = JSON.stringify(value).replace(/<<\s*([\w.-]+)\s*>>/g, (whole, path: string) => {
    const name = path.startsWith(`${scope}.`) ? path.slice(scope.length + 1) : undefined;
    if (name === undefined || (name.includes('.') && scope === 'pipeline')) return whole;
    const own = values[name];
    if (own === undefined) throw new Error(`unknown variable ${path}`);
    return JSON.stringify(own).slice(1, -1);
  });
  return JSON.parse(text) as Value;
}
