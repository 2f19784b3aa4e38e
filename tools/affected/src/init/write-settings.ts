import { type Document, isMap, isScalar, isSeq, parseDocument, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { withInput } from './forms.js';
import type { PresentWorkflow } from './present-workflow.js';
import { inWords, type Setting } from './settings.js';
import { entriesOf, keyOf, type YamlNode, yamlLines } from './yaml-tree.js';

/** How a template takes what the present workflow gives its tests. */
interface Place {
  readonly takes: readonly Setting['kind'][];
  readonly write: (text: string, settings: readonly Setting[]) => string;
  /** Returns the names of the variables that it sets itself. */
  readonly sets: (read: ReadTemplate) => readonly string[];
}

type ReadTemplate = (name: string) => string;

const ALL = ['service', 'variable', 'install'] as const;
const SHARDS = '.affected-shard';

/** The templates that have the job which runs tests, or say how it installs. */
const PLACES: Readonly<Record<string, Place>> = {
  'github/workflow.yml': { takes: ALL, write: (text, all) => intoWorkflow(text, 'shards', all), sets: namesInAction },
  'github/one-job.yml': { takes: ALL, write: (text, all) => intoWorkflow(text, 'affected', all), sets: namesInAction },
  'gitlab/one-job.yml': {
    takes: ALL,
    write: (text, all) => intoPipeline(text, 'affected', all),
    sets: (read) => variablesOf(read('gitlab/one-job.yml'), 'affected'),
  },
  'gitlab/.gitlab/affected.yml': {
    takes: ['service', 'variable'],
    write: (text, all) => intoPipeline(text, SHARDS, all),
    sets: (read) => ['.affected', SHARDS].flatMap((job) => variablesOf(read('gitlab/.gitlab/affected.yml'), job)),
  },
  'gitlab/.gitlab-ci.yml': { takes: ['install'], write: intoInputs, sets: () => [] },
};

/** What a proposed workflow takes over from the present one. */
export interface Takeover {
  readonly taken: readonly Setting[];
  /** What it does not take, in words, with the reason where there is one. */
  readonly left: readonly string[];
}

/** The templates of a form. `isReference`: one file uses the others in another repository. */
export interface FormTemplates {
  readonly names: readonly string[];
  readonly isReference: boolean;
  readonly read: ReadTemplate;
}

/** A file that uses templates elsewhere has at most 40 lines, 15 of them without settings. */
const MOST_LINES = 25;

/** Divides what the tests of a present workflow are given: what the templates of a form take, and the rest. */
export function divideSettings(
  { engine, settings, isOwn = false }: Pick<PresentWorkflow, 'engine' | 'settings' | 'isOwn'>,
  { names, isReference, read }: FormTemplates,
): Takeover {
  const places = names.flatMap((name) => (name.startsWith(`${engine}/`) ? (PLACES[name] ?? []) : []));
  const set = new Set(places.flatMap(({ sets }) => sets(read)));
  const isLong = isReference && engine === 'gitlab' && intoPipeline('', 'job', settings).split('\n').length > MOST_LINES;
  const whyLeft = ({ kind, name }: Setting): string | undefined => {
    if (places.length === 0) return 'of another engine';
    if (isLong) return 'too long for a file by reference';
    if (!places.some(({ takes }) => takes.includes(kind))) return 'only copied templates can take it';
    return kind === 'variable' && set.has(name) ? 'the template sets it' : undefined;
  };
  const left = settings.filter((one) => whyLeft(one) !== undefined);
  return {
    taken: settings.filter((one) => !left.includes(one)),
    // What a template sets is in the file that was made of it.
    left: left.filter(({ name }) => !isOwn || !set.has(name)).map((one) => `${inWords(one)} (${whyLeft(one)})`),
  };
}

/** Returns the file of a template with the settings that it takes. */
export function withSettings(template: string, text: string, settings: readonly Setting[]): string {
  const place = PLACES[template];
  const own = settings.filter(({ kind }) => place?.takes.includes(kind));
  return place === undefined || own.length === 0 ? text : place.write(text, own);
}

function intoWorkflow(text: string, job: string, settings: readonly Setting[]): string {
  const keys = { ...asMap('env', settings, 'variable'), ...asMap('services', settings, 'service') };
  const whole = withKeys(text, ['jobs', job], keys);
  const install = installIn(settings);
  return install === undefined ? whole : withInput(whole, `install: '${install}'`, 'tests');
}

function intoPipeline(text: string, job: string, settings: readonly Setting[]): string {
  const services = new YAMLSeq();
  services.items = settings.flatMap(({ kind, value }) => (kind === 'service' ? [value] : []));
  const install = installIn(settings);
  const variables = [...settings, ...(install === undefined ? [] : [variable('AFFECTED_INSTALL', install)])];
  const whole = withKeys(text, [job], services.items.length === 0 ? {} : { services });
  return withVariables(whole, job, asMap('variables', variables, 'variable')['variables']);
}

function intoInputs(text: string, settings: readonly Setting[]): string {
  const install = installIn(settings);
  return install === undefined ? text : text.replace(/^( +)options: .*\n/m, (line, start) => `${line}${start}install: ${install}\n`);
}

function variable(name: string, value: string): Setting {
  return { kind: 'variable', name, value: new Scalar(value) };
}

function installIn(settings: readonly Setting[]): string | undefined {
  const [install] = settings.filter(({ kind }) => kind === 'install');
  return install === undefined ? undefined : `corepack enable && ${install.name}`;
}

/** Returns a key with the settings of a kind as a mapping; none if there are none. */
function asMap(key: string, settings: readonly Setting[], kind: Setting['kind']): Readonly<Record<string, YAMLMap>> {
  const map = new YAMLMap();
  for (const one of settings) if (one.kind === kind) map.set(one.name, one.value);
  return map.items.length === 0 ? {} : { [key]: map };
}

/** Returns the names that the job of a pipeline sets. */
function variablesOf(text: string, job: string): readonly string[] {
  return [...entriesOf(parsed(text).getIn([job, 'variables'], true)).keys()];
}

/** Returns the names that the action sets for the tests. */
function namesInAction(read: ReadTemplate): readonly string[] {
  const steps = parsed(read('github/action.yml')).getIn(['runs', 'steps'], true);
  const run = isSeq(steps) ? steps.items.find((step) => isMap(step) && step.get('id') === 'run') : undefined;
  return isMap(run) ? [...entriesOf(run.get('env', true)).keys()] : [];
}

function parsed(text: string): Document {
  return parseDocument(text, { schema: 'failsafe' });
}

/** Adds keys to a mapping, before its key `steps`, `variables` or the first one. The rest of the text stays as it is. */
function withKeys(text: string, path: readonly string[], keys: Readonly<Record<string, YamlNode>>): string {
  if (Object.keys(keys).length === 0) return text;
  const map = parsed(text).getIn(path, true);
  if (!isMap(map)) return `${text}${path.join()}:\n${yamlLines(keys, 2)}`;
  const key = (map.items.find((pair) => /^(?:steps|variables)$/.test(keyOf(pair))) ?? map.items[0])?.key;
  const at = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
  const start = text.lastIndexOf('\n', at) + 1;
  return `${text.slice(0, start)}${yamlLines(keys, at - start)}${text.slice(start)}`;
}

/** Adds variables to those of a job of a pipeline, and replaces the values of those that it has. */
function withVariables(text: string, job: string, variables: YAMLMap | undefined): string {
  if (variables === undefined) return text;
  const present = parsed(text).getIn([job, 'variables'], true);
  if (!isMap(present)) return withKeys(text, [job], { variables });
  let changed = text;
  // From the end, so that the places before stay where they are.
  const [last] = present.items.slice(-1).map(({ value }) => (isScalar(value) ? value.range : undefined));
  const names = new Set(present.items.map(keyOf));
  const added = Object.fromEntries([...entriesOf(variables)].filter(([name]) => !names.has(name)));
  const end = text.indexOf('\n', last?.[1] ?? 0) + 1;
  if (Object.keys(added).length > 0) changed = `${text.slice(0, end)}${yamlLines(added, 4)}${text.slice(end)}`;
  for (const { key, value } of present.items.toReversed()) {
    const replaced = variables.get(isScalar(key) ? key.value : key, true);
    if (isScalar(replaced) && isScalar(value) && value.range)
      changed = `${changed.slice(0, value.range[0])}${String(replaced.value)}${changed.slice(value.range[1])}`;
  }
  return changed;
}
