import { isPlainObject } from '@tributary/model/plain-object';
import { isMap, type YAMLMap } from 'yaml';
import { effectOf } from '../ci-files/known-actions.js';
import { startOfTask } from '../ci-files/task-words.js';
import { splitLines } from '../ci-files/workflow-lines.js';
import { readYaml, type YamlMapping } from '../ci-files/yaml-value.js';
import { givingOf, ownGivingOf, stepNodes } from './github-settings.js';
import type { SurveyedWorkflow } from './init-result.js';
import type { NodeSteps } from './node-version.js';
import { callsOfStep, canGo, findTasks, type PresentStep, readSteps, type TaskFacts } from './present-tasks.js';
import { commonSettings, type Giving, otherCaches, readInstall, readInstallation, type Setting } from './settings.js';
import { readYamlTree } from './yaml-tree.js';

/** The workflow that runs the tests today, with what a proposed one needs to know. */
export interface PresentWorkflow extends SurveyedWorkflow, NodeSteps {
  readonly engine: 'github' | 'gitlab';
  /** Whether `affected init` wrote it. */
  readonly isOwn?: boolean;
  /** What its tests are given, and tests of a proposed job can be given too. */
  readonly settings: readonly Setting[];
}

/** A job, and the part of the text that it is. */
interface Job {
  readonly name: string;
  readonly node: YAMLMap;
  readonly content: YamlMapping;
  readonly steps: readonly (PresentStep & { readonly node: YAMLMap | undefined })[];
}

/** Reads the jobs that run tests, or what a plan can run too. `undefined` for a text that cannot be read. */
export function readPresentWorkflow(path: string, text: string, facts: TaskFacts): PresentWorkflow | undefined {
  const read = readYaml(text);
  const tree = readYamlTree(text);
  if ('problem' in read || tree === undefined) return undefined;
  const all = jobsOf(read.value, tree, facts);
  if (all === undefined) return undefined;
  const everyStep = all.flatMap(({ steps }) => steps);
  const own = everyStep.flatMap(({ step }) => readOwnUse(step)?.tasks ?? []);
  const tasks = own.length > 0 ? own.map((task) => ({ task, stays: null })) : findTasks(everyStep, facts);
  const goes = ({ step, calls }: PresentStep): boolean => readOwnUse(step)?.isTest ?? canGo(calls, tasks, runsTests(step));
  const testing = all.filter(({ steps }) => steps.some(goes));
  const jobs = testing.length > 0 ? testing : all;
  const isPlanned = (line: string): boolean => canGo(callsOfStep(line, facts, undefined), tasks, startsTests(line));
  const found = jobs.map((job) => readJob(tree, job, { goes, isPlanned }));
  const { settings, told } = commonSettings(found.flatMap(({ givings }) => givings));
  const steps = jobs.flatMap((job) => job.steps);
  return {
    engine: 'github',
    path,
    steps: jobs.flatMap(({ content, steps: own }) => own.flatMap(({ step }) => legsOf(step, content))),
    settings,
    extras: [...new Set([...told, ...found.flatMap(({ extras }) => extras)])],
    tests: [...new Set(steps.filter(goes).flatMap(({ step }) => (linesOf(step).find(isPlanned) ?? linesOf(step)[0])?.trim() ?? []))],
    others: all.filter((job) => !jobs.includes(job)).map(({ name }) => name),
    tasks,
  };
}

function jobsOf(workflow: YamlMapping, tree: YAMLMap, facts: TaskFacts): readonly Job[] | undefined {
  const { jobs } = workflow;
  if (!isPlainObject(jobs)) return undefined;
  return Object.entries(jobs).flatMap(([name, content]) => {
    const node = tree.getIn(['jobs', name], true);
    if (!isPlainObject(content) || !isMap(node)) return [];
    const nodes = stepNodes(node);
    const steps = readSteps(workflow, content, facts).map((step, at) => ({ ...step, node: nodes[at] }));
    return [{ name, node, content, steps }];
  });
}

/** Reads what a job gives its steps, and what it has besides. */
function readJob(
  workflow: YAMLMap,
  { node: job, content, steps }: Job,
  { goes, isPlanned }: { readonly goes: (step: PresentStep) => boolean; readonly isPlanned: (line: string) => boolean },
): { readonly givings: readonly Giving[]; readonly extras: readonly string[] } {
  const going = steps.filter(goes);
  const staying = steps.filter((one) => !goes(one));
  const installing = staying.flatMap((one) => {
    const lines = linesOf(one.step).map(readInstall);
    return lines.length === 0 || lines.includes(undefined) ? [] : [{ ...one, commands: lines.flatMap((line) => line ?? []) }];
  });
  const own = going.flatMap(({ step }) => readOwnUse(step)?.install ?? []);
  const install = readInstallation([
    ...installing,
    ...own.map((line) => ({ commands: [readInstall(line)].flatMap((one) => one ?? []), why: undefined })),
  ]);
  const levels = { workflow, job };
  const isTest = (one: PresentStep): boolean =>
    readOwnUse(one.step)?.isTest === true || one.calls.some(({ task }) => task === 'test') || runsTests(one.step);
  const others = staying.filter((one) => !installing.some(({ step }) => step === one.step));
  return {
    givings: [
      ...going.map((one) => givingOf({ ...levels, step: one.node }, isTest(one), install.settings)),
      ...(going.length === 0 ? [givingOf(levels, false, install.settings)] : []),
      ...installing.map(({ node: step }) => ownGivingOf({ ...levels, step })),
    ],
    extras: [
      ...placeOf(content),
      ...install.told,
      ...others.flatMap(({ step }) => extraStep(step, () => false)),
      // What else a step does that goes.
      ...going.flatMap(({ step }) => (linesOf(step).some(isPlanned) ? extraStep(step, isPlanned) : [])),
    ],
  };
}

/** Returns a step once for each version of Node that its job's matrix names. */
function legsOf(step: YamlMapping, { strategy }: YamlMapping): readonly YamlMapping[] {
  const inputs = isPlainObject(step['with']) ? step['with'] : {};
  const [, name = ''] = /^\$\{\{ *matrix\.([\w-]+) *\}\}$/.exec(String(inputs['node-version'])) ?? [];
  const values = matrixOf(strategy)[name];
  return Array.isArray(values) ? values.map((value) => ({ ...step, with: { ...inputs, 'node-version': value } })) : [step];
}

function matrixOf(strategy: unknown): YamlMapping {
  const matrix = isPlainObject(strategy) ? strategy['matrix'] : undefined;
  return isPlainObject(matrix) ? matrix : {};
}

/** Where a job runs, and how often, if that is not as in the proposed ones. */
function placeOf({ container, strategy, 'runs-on': machine, uses }: YamlMapping): readonly string[] {
  const rows = Object.entries(matrixOf(strategy)).filter(([, values]) => !(Array.isArray(values) && values.length === 1));
  const label = [machine].flat().join(', ');
  return [
    ...(container === undefined ? [] : ['its container']),
    ...(rows.length === 0 ? [] : [`a matrix of ${rows.map(([name]) => name).join(', ')}`]),
    ...(machine === undefined || /^ubuntu-|\$/.test(label) ? [] : [`runs-on ${label}`]),
    ...(typeof uses === 'string' ? [`workflow ${uses}`] : []),
  ];
}

/** How a step uses the action that `affected init` writes, if it does. */
function readOwnUse({
  uses,
  with: inputs,
}: YamlMapping): { readonly isTest: boolean; readonly tasks: readonly string[]; readonly install: string | undefined } | undefined {
  if (typeof uses !== 'string' || !/^\.\/\.github\/actions\/affected$|\/ci\/github@/.test(uses)) return undefined;
  const { part, task, install } = isPlainObject(inputs) ? inputs : {};
  return {
    isTest: part === undefined || part === 'shard',
    tasks: typeof task === 'string' ? task.split(',') : [],
    install: typeof install === 'string' ? install : undefined,
  };
}

function linesOf({ run }: YamlMapping): readonly string[] {
  return typeof run === 'string' ? splitLines(run) : [];
}

function runsTests(step: YamlMapping): boolean {
  return linesOf(step).some(startsTests);
}

/** Tells whether a line of a script runs tests. */
export function startsTests(text: string): boolean {
  // `playwright install` brings browsers.
  return !/\sinstall(?:-deps)?(?:\s|$)/.test(text) && startOfTask({ text, kind: 'command' }, 'test', () => false) !== undefined;
}

/** What the proposed jobs do themselves. */
const DONE = /^actions\/(?:checkout|setup-node|cache(?:\/\w+)?|download-artifact)@/;

function extraStep(step: YamlMapping, isKnown: (line: string) => boolean): readonly string[] {
  const { uses, with: inputs } = step;
  const path = isPlainObject(inputs) ? inputs['path'] : undefined;
  if (typeof uses === 'string' && typeof path === 'string' && /^actions\/cache(?:\/\w+)?@/.test(uses)) return otherCaches(splitLines(path));
  if (typeof uses === 'string') return DONE.test(uses) || effectOf(uses) !== undefined ? [] : [`step ${uses.replace(/@.*$/s, '')}`];
  const line = linesOf(step).find((text) => readInstall(text) === undefined && !isKnown(text));
  return line === undefined ? [] : [`step "${line.trim()}"`];
}
