import { isMap, isScalar, type YAMLMap } from 'yaml';
import type { Giving, Setting } from './settings.js';
import { entriesOf, type YamlNode } from './yaml-tree.js';

/** The parts of a workflow in which a step has its settings, the outermost first. */
export interface Levels {
  readonly workflow: YAMLMap;
  readonly job: YAMLMap;
  readonly step?: YAMLMap | undefined;
}

/** Returns what a step of a workflow of GitHub is given. `install`: how its job installs, if that is no plain installation. */
export function givingOf({ workflow, job, step }: Levels, isTest: boolean, install: readonly Setting[] = []): Giving {
  const variables = new Map([workflow, job, step].flatMap((level) => variablesOf(level?.get('env', true))));
  const services = entriesOf(job.get('services', true));
  const settings: readonly Setting[] = [
    ...[...services].map(([name, value]) => ({ kind: 'service', name, value }) as const),
    ...[...variables].map(([name, value]) => ({ kind: 'variable', name, value }) as const),
    ...install,
  ];
  // An environment has variables and secrets of its own.
  const contexts = job.has('environment') ? ['github'] : ['github', 'vars', 'secrets'];
  return { settings, isTest, whyNot: ({ name, value }) => whyUnknown(`${name}\n${JSON.stringify(value)}`, contexts) };
}

/** Returns the variables that only this step has. */
export function ownGivingOf(levels: Required<Levels>): Giving {
  const own = variablesOf(levels.step?.get('env', true)).map(([name, value]) => ({ kind: 'variable', name, value }) as const);
  return { settings: own, isTest: false, whyNot: () => 'of the installation' };
}

function variablesOf(env: unknown): readonly (readonly [string, YamlNode])[] {
  // An expression may give all of them.
  return isScalar(env) && env.value !== '' ? [[String(env.value), env]] : [...entriesOf(env)];
}

/** Returns the steps of a job. */
export function stepNodes(job: YAMLMap): readonly YAMLMap[] {
  const steps = job.get('steps', true);
  return typeof steps === 'object' && steps !== null && 'items' in steps
    ? (steps.items as readonly unknown[]).filter((one) => isMap(one))
    : [];
}

const FUNCTIONS = /^(?:contains|startswith|endswith|format|join|tojson|fromjson)$/;
const LITERALS = /^(?:true|false|null|nan|infinity)$/;

/** Source: docs.github.com, "Contexts reference", "Context availability": what `jobs.<job_id>.env` may use. */
function whyUnknown(text: string, contexts: readonly string[]): string | undefined {
  const [first = '', ...others] = text.split('\n');
  if (first.includes('${{')) return 'its names are not known';
  for (const [, expression = ''] of others.join('\n').matchAll(/\$\{\{(.*?)(?:\}\}|$)/gs)) {
    const plain = expression.replace(/'(?:[^']|'')*'/g, ' ');
    if (plain.includes("'")) return 'its expression cannot be read';
    for (const [, name = '', call] of plain.matchAll(/(?<![\w.-])([a-z_][\w-]*)(\s*\()?/gi)) {
      const word = name.toLowerCase();
      const isKnown = call === undefined ? contexts.includes(word) || LITERALS.test(word) : FUNCTIONS.test(word);
      if (!isKnown) return `its value needs ${call === undefined ? name : `${name}()`}`;
    }
  }
  return undefined;
}
