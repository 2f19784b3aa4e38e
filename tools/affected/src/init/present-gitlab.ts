import { isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import { splitLines } from '../ci-files/workflow-lines.js';
import { versionOfImage } from './node-version.js';
import { callsOfStep, canGo, findTasks, type PresentStep, type TaskFacts } from './present-tasks.js';
import { type PresentWorkflow, startsTests } from './present-workflow.js';
import { commonSettings, type Giving, otherCaches, readInstall, readInstallation, type Setting } from './settings.js';
import { entriesOf, readYamlTree, type YamlNode } from './yaml-tree.js';

/** Keys of a pipeline that are no jobs, and may have keys of jobs. */
const NO_JOBS: ReadonlySet<string> = new Set(['default', 'include', 'spec', 'stages', 'variables', 'workflow']);

/** A job, and where its keys may be. */
interface Job {
  /** The job, what it extends, the nearest first, and then what all jobs inherit. */
  readonly levels: readonly YAMLMap[];
  /** What it extends, and another file has. */
  readonly missing: readonly string[];
}

/**
 * Reads the jobs of a pipeline of GitLab that run tests, or what a plan can run too. `undefined` if it cannot be read, or no job is seen to
 * run them.
 */
export function readPresentPipeline(path: string, text: string, facts: TaskFacts): PresentWorkflow | undefined {
  const tree = readYamlTree(text);
  if (tree === undefined) return undefined;
  const names = [...entriesOf(tree).keys()].filter((name) => !name.startsWith('.') && !NO_JOBS.has(name));
  const jobs = names.map((name) => jobAt(tree, name));
  const calls = (job: Job, lines = linesIn(keyOfJob(job, 'script'))): PresentStep['calls'] =>
    callsOfStep(lines.join('\n'), facts, conditionOf(job));
  const tasks = findTasks(
    jobs.map((job) => ({ calls: calls(job) })),
    facts,
  );
  const read = jobs.map((job) => readJob(job, (line) => canGo(calls(job, [line]), tasks, startsTests(line))));
  const found = read.flatMap((job) => job ?? []);
  if (found.length === 0) return undefined;
  const { settings, told } = commonSettings(found.map(({ giving }) => giving));
  const extras = [...new Set([...told, ...found.flatMap((one) => one.extras)])];
  const tests = [...new Set(found.flatMap((one) => one.tests))];
  const others = names.filter((_, at) => read[at] === undefined);
  return { engine: 'gitlab', path, images: found.flatMap(({ images }) => images), settings, extras, tests, others, tasks };
}

function conditionOf(job: Job): string | undefined {
  const isFree = ['rules', 'only', 'except', 'when', 'allow_failure', 'environment'].every((key) => keyOfJob(job, key) === undefined);
  return isFree ? undefined : 'it runs under a condition';
}

/**
 * Reads a pipeline that `affected init` wrote before, with what it took over; `undefined` for others. `shards`: the text of
 * .gitlab/affected.yml.
 */
export function readWrittenPipeline(path: string, text: string, shards: string): PresentWorkflow | undefined {
  const tree = readYamlTree(text);
  const include = tree?.get('include', true);
  const isOneJob = linesIn(tree?.getIn(['affected', 'script'], true)).some((line) => line.includes('$AFFECTED run-shard'));
  if (tree === undefined || !(isOneJob || /affected-pipeline\.yml|ci\/gitlab\/one-job\.yml/.test(JSON.stringify(include))))
    return undefined;
  const inputs = new Map(
    (isSeq(include) ? include.items : []).flatMap((one) => (isMap(one) ? [...entriesOf(one.get('inputs', true))] : [])),
  );
  const own = isOneJob ? tree : (readYamlTree(shards) ?? tree);
  const job = entriesOf(own.get('.affected-shard', true) ?? own.get('affected', true));
  const variables = entriesOf(job.get('variables'));
  const [install = ''] = textsIn(inputs.get('install') ?? variables.get('AFFECTED_INSTALL'));
  const [options = ''] = textsIn(inputs.get('options') ?? variables.get('PLAN_OPTIONS'));
  const tasks = (/--task[ =](\S+)/.exec(options)?.[1] ?? 'test').split(',');
  return {
    engine: 'gitlab',
    path,
    images: [inputs.get('image') ?? job.get('image') ?? own.getIn(['.affected', 'variables', 'AFFECTED_IMAGE'], true)].flatMap(textsIn),
    isOwn: true,
    settings: [
      ...servicesIn(job.get('services')),
      ...[...variables].map(([name, value]) => ({ kind: 'variable', name, value }) as const),
      ...readInstallation([{ commands: [readInstall(install)].flatMap((one) => one ?? []), why: undefined }]).settings,
    ],
    extras: [],
    tests: [],
    others: [],
    tasks: tasks.map((task) => ({ task, stays: null })),
  };
}

function jobAt(tree: YAMLMap, name: string): Job {
  const job = tree.get(name, true);
  if (!isMap(job)) return { levels: [], missing: [] };
  const chain: YAMLMap[] = [];
  const missing: string[] = [];
  const extend = (one: YAMLMap): void => {
    if (chain.includes(one)) return;
    chain.push(one);
    // Later ones go before earlier ones. Source: docs.gitlab.com/ci/yaml, "extends".
    for (const base of textsIn(one.get('extends', true)).toReversed()) {
      const found = tree.get(base, true);
      if (isMap(found)) extend(found);
      else missing.push(base);
    }
  };
  extend(job);
  const defaults = tree.get('default', true);
  const inherited = chain.some((one) => one.has('inherit')) ? [] : [...(isMap(defaults) ? [defaults] : []), tree];
  return { levels: [...chain, ...inherited], missing };
}

/** What a job gives its steps, what else it has, and the lines that a plan can run. */
type FoundJob = Pick<PresentWorkflow, 'extras' | 'tests'> & { readonly giving: Giving; readonly images: readonly string[] };

function keyOfJob({ levels }: Job, key: string): YamlNode | undefined {
  return levels.find((one) => one.has(key))?.get(key, true) as YamlNode | undefined;
}

/** Returns `undefined` for a job that is not seen to run what a plan can run. */
function readJob(job: Job, goes: (line: string) => boolean): FoundJob | undefined {
  const { levels, missing } = job;
  const at = (key: string): YamlNode | undefined => keyOfJob(job, key);
  const script = linesIn(at('script'));
  const tests = script.filter(goes);
  if (tests.length === 0) return undefined;
  const before = [...linesIn(at('before_script')), ...script.filter((line) => !tests.includes(line))];
  const installations = before.flatMap((line) => readInstall(line) ?? []);
  const install = readInstallation([{ commands: installations, why: undefined }]);
  const image = imageOf(at('image'));
  const variables = new Map(levels.toReversed().flatMap((one) => [...entriesOf(one.get('variables', true))]));
  const settings: readonly Setting[] = [
    ...servicesIn(at('services')),
    ...[...variables].map(([name, value]) => ({ kind: 'variable', name, value }) as const),
    ...install.settings,
  ];
  const matrix = namesIn(levels[0]?.getIn(['parallel', 'matrix'], true));
  return {
    giving: { settings, isTest: tests.some(startsTests), whyNot: (setting) => whyUnknown(setting, matrix) },
    extras: [
      ...missing.map((name) => `extends ${name}`),
      ...(matrix.length === 0 ? [] : [`a matrix of ${matrix.join(', ')}`]),
      ...textsIn(at('tags')).map((tag) => `tag ${tag}`),
      ...(at('secrets') === undefined ? [] : ['its secrets']),
      ...(image === undefined || versionOfImage(image) !== undefined ? [] : [`image ${image}`]),
      ...install.told,
      ...otherCaches(cachedBy(at('cache'))),
      ...before.filter((line) => readInstall(line) === undefined).map((line) => `step "${line.trim()}"`),
    ],
    images: image === undefined ? [] : [image],
    tests: tests.map((line) => line.trim()),
  };
}

function imageOf(node: unknown): string | undefined {
  const name = isMap(node) ? node.get('name', true) : node;
  return isScalar(name) ? String(name.value) : undefined;
}

/** Returns the paths of one cache or of several. */
function cachedBy(node: unknown): readonly string[] {
  if (isSeq(node)) return node.items.flatMap(cachedBy);
  return isMap(node) ? textsIn(node.get('paths', true)) : [];
}

function servicesIn(node: unknown): readonly Setting[] {
  if (!isSeq(node)) return [];
  return node.items.map((one) => ({ kind: 'service', name: imageOf(one) ?? 'without a name', value: one as YamlNode }));
}

function whyUnknown({ kind, value }: Setting, matrix: readonly string[]): string | undefined {
  if (kind === 'variable' && !isScalar(value)) return 'its value is not plain text';
  const used = [...JSON.stringify(value).matchAll(/\$\{?(\w+)/g)].map(([, name = '']) => name);
  const [first] = used.filter((name) => matrix.includes(name));
  return first === undefined ? undefined : `its value needs ${first} of the matrix`;
}

/** Returns the keys of mappings in a list. */
function namesIn(node: unknown): readonly string[] {
  return isSeq(node) ? node.items.flatMap((one) => [...entriesOf(one).keys()]) : [];
}

/** Returns the texts of a value or of a list, which may have lists in it. */
function textsIn(node: unknown): readonly string[] {
  if (isSeq(node)) return node.items.flatMap(textsIn);
  return isScalar(node) ? [String(node.value)] : [];
}

function linesIn(node: unknown): readonly string[] {
  return textsIn(node).flatMap(splitLines);
}
