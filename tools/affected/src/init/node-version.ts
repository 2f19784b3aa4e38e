import { isPlainObject } from '@tributary/model/plain-object';

/** The version of Node that tests run on today. */
export interface NodeVersion {
  /** `20`, `20.19` or `20.19.1`; `null`: several, a range, or a name such as `lts/*`. */
  readonly version: string | null;
  /** The file that says so, with what it says: `.nvmrc: v20`. */
  readonly from: string;
}

/** A workflow, as far as it says so. */
export interface NodeSteps {
  readonly path: string;
  /** On GitHub. */
  readonly steps?: readonly Readonly<Record<string, unknown>>[];
  /** The images of its jobs, on GitLab. */
  readonly images?: readonly string[];
}

/** What may say so. */
export interface NodeSources {
  /** The workflow that runs the tests, if there is one. */
  readonly workflow: NodeSteps | undefined;
  /** Returns the text of a file of the repository. */
  readonly read: (file: string) => string | undefined;
}

/** Finds the version in the order in which tools look: the workflow, the files of version managers, then package.json. */
export function findNodeVersion({ workflow, read }: NodeSources): NodeVersion | null {
  if (workflow !== undefined) {
    const { steps = [], images = [] } = workflow;
    const said = unique([...images.flatMap((one) => versionOfImage(one) ?? []), ...steps.flatMap((step) => setUp(step, 'node-version'))]);
    if (said.length > 0) return found(workflow.path, said);
    const [file] = unique(steps.flatMap((step) => setUp(step, 'node-version-file')));
    const named = file === undefined ? undefined : versionIn(file, read);
    if (named !== undefined) return named;
  }
  for (const file of ['.nvmrc', '.node-version', '.tool-versions', 'package.json']) {
    const one = versionIn(file, read);
    if (one !== undefined) return one;
  }
  return null;
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}

/** Returns the images of Node that the file of an engine names, also as the version of a task of Azure. */
export function imagesOfNode(text: string): readonly string[] {
  return [...text.matchAll(/(?:\bnode:|\bversionSpec: *['"]?)(\d+(?:\.\d+)*)/g)].map(([, version = '']) => `node:${version}`);
}

/** Returns the version of Node's own image, with which the templates are known to run: without a system, such as `-alpine`. */
export function versionOfImage(image: string): string | undefined {
  return /^node:(\d[\d.]*)$/.exec(image)?.[1];
}

/** Returns an input of a step that sets Node up, with or without our action. */
function setUp({ uses, with: inputs }: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const value =
    typeof uses === 'string' && /(^|\/)setup-node@|\/ci\/github@/.test(uses) && isPlainObject(inputs) ? inputs[name] : undefined;
  return typeof value === 'string' ? [value.replace(/^'(.*)'$/, '$1')] : [];
}

function found(place: string, said: readonly string[]): NodeVersion {
  return { version: said.length === 1 ? plainVersion(said[0] ?? '') : null, from: `${place}: ${said.join(', ')}` };
}

function versionIn(file: string, read: NodeSources['read']): NodeVersion | undefined {
  const text = read(file)?.trim();
  if (text === undefined || text === '') return undefined;
  if (file.endsWith('.json')) return inManifest(file, text);
  const plain = text.replace(/#.*/g, '').trim();
  const named = /(?:^|\n)node(?:js)?[ \t]+(\S+)/.exec(plain)?.[1];
  const said = named ?? (file.endsWith('.tool-versions') ? '' : (plain.split(/\s/, 1)[0] ?? ''));
  return said === '' ? undefined : found(file, [said]);
}

/** In the order of setup-node: Volta, `devEngines`, `engines`. */
function inManifest(file: string, text: string): NodeVersion | undefined {
  const manifest = parsed(text);
  const at = (...keys: readonly string[]): unknown => {
    let value: unknown = manifest;
    for (const key of keys) value = isPlainObject(value) ? value[key] : undefined;
    return value;
  };
  const runtimes = [at('devEngines', 'runtime')].flat().filter((one) => isPlainObject(one) && one['name'] === 'node') as {
    version?: unknown;
  }[];
  const said: readonly (readonly [key: string, value: unknown])[] = [
    ['volta.node', at('volta', 'node')],
    ['devEngines.runtime', runtimes[0]?.version],
    ['engines.node', at('engines', 'node')],
  ];
  const [first] = said.filter((one): one is readonly [string, string] => typeof one[1] === 'string');
  return first === undefined ? undefined : found(`${first[0]} in ${file}`, [first[1]]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the version, or the major version of a range with a caret or tilde; `null` for other ranges, which may have several. */
function plainVersion(said: string): string | null {
  const [, sign, version = '', major = ''] = /^([\^~v]?)((0|[1-9]\d{0,4})(?:\.(?:0|[1-9]\d{0,4})){0,2})(?:\.[x*]){0,2}$/.exec(said) ?? [];
  if (version === '') return null;
  return sign === '^' || sign === '~' ? major : version;
}

/** What a template takes. */
const DEFAULT = 24;

/** Returns a template for a version of Node. `undefined`: a line of it needs more of the version than is known. */
export function withNodeVersion(template: string, version: string): string | undefined {
  const image = new RegExp(`cimg/node:${DEFAULT}\\.\\d+`, 'g');
  if (image.test(template) && !version.includes('.')) return undefined;
  return template
    .replace(image, `cimg/node:${version}`)
    .replace(new RegExp(`(default: ')${DEFAULT}(')`), `$1${version}$2`)
    .replace(new RegExp(`(node-version: )${DEFAULT}$`, 'gm'), version.includes('.') ? `$1'${version}'` : `$1${version}`)
    .replace(new RegExp(`(versionSpec: )${DEFAULT}\\.x`, 'g'), `$1${version.includes('.') ? version : `${version}.x`}`)
    .replace(new RegExp(`(: node:)${DEFAULT}\\b`, 'g'), `$1${version}`);
}
