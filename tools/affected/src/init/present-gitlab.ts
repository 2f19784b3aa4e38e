import { isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import { splitLines } from '../ci-files/workflow-lines.js';
import { type PresentWorkflow, startsTests } from './present-workflow.js';
import { commonSettings, type Giving, readInstall, readInstallation, type Setting } from './settings.js';
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

/** Reads the jobs of a pipeline of GitLab that run tests. `undefined` if it cannot be read, or no job is seen to run them. */
export function readPresentPipeline(path: string, text: string): PresentWorkflow | undefined {
  const tree = readYamlTree(text);
  if (tree === undefined) return undefined;
  const names = [...entriesOf(tree).keys()].filter((name) => !name.startsWith('.') && !NO_JOBS.has(name));
  const found = names.flatMap((name) => readJob(jobAt(tree, name)) ?? []);
  if (found.length === 0) return undefined;
  const { settings, told } = commonSettings(found.map(({ giving }) => giving));
  const extras = [...new Set([...told, ...found.flatMap((one) => one.extras)])];
  return { engine: 'gitlab', path, steps: [], settings, extras, tests: [...new Set(found.flatMap(({ tests }) => tests))], tasks: [] };
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

/** Returns `undefined` for a job that is not seen to run tests. */
function readJob({
  levels,
  missing,
}: Job): { readonly giving: Giving; readonly extras: readonly string[]; readonly tests: readonly string[] } | undefined {
  const at = (key: string): YamlNode | undefined => levels.find((one) => one.has(key))?.get(key, true) as YamlNode | undefined;
  const script = linesIn(at('script'));
  const tests = script.filter(startsTests);
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
    giving: { settings, isTest: true, whyNot: (setting) => whyUnknown(setting, matrix) },
    extras: [
      ...missing.map((name) => `extends ${name}`),
      ...(image === undefined ? [] : [`image ${image}`]),
      ...install.told,
      ...before.filter((line) => readInstall(line) === undefined).map((line) => `step "${line.trim()}"`),
    ],
    tests: tests.map((line) => line.trim()),
  };
}

function imageOf(node: unknown): string | undefined {
  const name = isMap(node) ? node.get('name', true) : node;
  return isScalar(name) ? String(name.value) : undefined;
}

function servicesIn(node: unknown): readonly Setting[] {
  if (!isSeq(node)) return [];
  return node.items.map((one) => ({ kind: 'service', name: imageOf(one) ?? 'without a name', value: one as YamlNode }));
}

function whyUnknown({ kind, value }: Setting, matrix: readonly string[]): string | undefined {
  if (kind === 'variable' && !isScalar(value)) return 'it is more than a text';
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
