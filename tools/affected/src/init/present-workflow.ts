import { isPlainObject } from '@tributary/model/plain-object';
import { effectOf } from '../ci-files/known-actions.js';
import { startOfTask } from '../ci-files/task-words.js';
import { readYaml, type YamlMapping } from '../ci-files/yaml-value.js';
import { findTasks, type PresentStep, type PresentTask, readSteps, type TaskFacts } from './present-tasks.js';

/** The workflow that runs the tests today. */
export interface PresentWorkflow {
  readonly path: string;
  readonly steps: readonly YamlMapping[];
  /** What its testing jobs have that a proposed job lacks, such as `service postgres`. */
  readonly extras: readonly string[];
  /** The first lines of the steps that run tests, or tasks that the proposed workflow runs too. */
  readonly tests: readonly string[];
  /** The tasks of workspaces that it runs, with the test if that is seen. */
  readonly tasks: readonly PresentTask[];
}

/** Reads the jobs that run tests, or what a plan can run too. `undefined` for a text that cannot be read. */
export function readPresentWorkflow(path: string, text: string, facts: TaskFacts): PresentWorkflow | undefined {
  const read = readYaml(text);
  if ('problem' in read || !isPlainObject(read.value['jobs'])) return undefined;
  const workflow = read.value;
  const all = Object.values(read.value['jobs']).filter(isPlainObject);
  const running = new Map(all.map((job) => [job, readSteps(workflow, job, facts)]));
  const tasks = findTasks([...running.values()].flat(), facts);
  const planned = new Set(tasks.flatMap(({ task, stays }) => (stays === null ? [task] : [])));
  const canGo = ({ step, calls }: PresentStep): boolean => {
    const known = calls.flatMap(({ task, why }) =>
      task === undefined ? [] : [task === 'test' || (why === undefined && planned.has(task))],
    );
    return !known.includes(false) && ((known.length > 0 && known.length === calls.length) || runsTests(step));
  };
  const testing = all.filter((job) => running.get(job)?.some(canGo));
  const jobs = testing.length > 0 ? testing : all;
  const steps = jobs.flatMap((job) => running.get(job) ?? []);
  const going = steps.filter(canGo).map(({ step }) => step);
  const staying = steps.filter((one) => !canGo(one)).map(({ step }) => step);
  return {
    path,
    steps: steps.map(({ step }) => step),
    extras: [...new Set([...[workflow, ...jobs, ...going].flatMap(settingsOf), ...staying.flatMap(extraStep)])],
    tests: [...new Set(going.map(firstLine))],
    tasks,
  };
}

function linesOf({ run }: YamlMapping): readonly string[] {
  return typeof run === 'string' ? run.split('\n').filter((line) => line.trim() !== '') : [];
}

function firstLine(step: YamlMapping): string {
  return linesOf(step)[0]?.trim() ?? '';
}

function runsTests(step: YamlMapping): boolean {
  // `playwright install` brings browsers.
  return linesOf(step).some(
    (text) => !/\sinstall(?:-deps)?(?:\s|$)/.test(text) && startOfTask({ text, kind: 'command' }, 'test', () => false) !== undefined,
  );
}

function settingsOf({ services, container, env }: YamlMapping): readonly string[] {
  const named = (what: string, value: unknown): readonly string[] =>
    isPlainObject(value) ? Object.keys(value).map((name) => `${what} ${name}`) : [];
  return [...named('service', services), ...(container === undefined ? [] : ['its container']), ...named('variable', env)];
}

/** What the proposed jobs do themselves. */
const DONE = /^actions\/(?:checkout|setup-node|cache(?:\/\w+)?|download-artifact)@/;
const INSTALLS =
  /^\s*(?:corepack\s|(?:yarn|jlpm|npm|pnpm)(?:\s+(?:install|ci|set\s+version\s\S+))?(?:\s+--(?:immutable|frozen-lockfile)(?:=\S*)?)*\s*$)/;

function extraStep(step: YamlMapping): readonly string[] {
  const { uses } = step;
  if (typeof uses === 'string') return DONE.test(uses) || effectOf(uses) !== undefined ? [] : [`step ${uses.replace(/@.*$/s, '')}`];
  const line = linesOf(step).find((text) => !INSTALLS.test(text));
  return line === undefined ? [] : [`step "${line.trim()}"`];
}
