import { isPlainObject } from '@tributary/model/plain-object';
import { effectOf } from '../ci-files/known-actions.js';
import { startOfTask } from '../ci-files/task-words.js';
import { readYaml, type YamlMapping } from '../ci-files/yaml-value.js';

/** The workflow that runs the tests today. */
export interface PresentWorkflow {
  readonly path: string;
  readonly steps: readonly YamlMapping[];
  /** What its testing jobs have that a proposed job lacks, such as `service postgres`. */
  readonly extras: readonly string[];
  /** The first lines of the steps that run tests. */
  readonly tests: readonly string[];
}

/** Reads the jobs that run tests. `undefined` for a text that cannot be read. */
export function readPresentWorkflow(path: string, text: string): PresentWorkflow | undefined {
  const read = readYaml(text);
  if ('problem' in read || !isPlainObject(read.value['jobs'])) return undefined;
  const all = Object.values(read.value['jobs']).filter(isPlainObject);
  const testing = all.filter((job) => stepsOf(job).some(runsTests));
  const jobs = testing.length > 0 ? testing : all;
  const steps = jobs.flatMap(stepsOf);
  return {
    path,
    steps,
    extras: [...new Set([read.value, ...jobs].flatMap(settingsOf).concat(steps.flatMap(extraStep)))],
    tests: [...new Set(steps.filter(runsTests).map(firstLine))],
  };
}

function stepsOf({ steps }: YamlMapping): readonly YamlMapping[] {
  return Array.isArray(steps) ? steps.filter(isPlainObject) : [];
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
const INSTALLS = /^\s*(?:corepack\s|(?:yarn|jlpm|npm|pnpm)(?:\s+(?:install|ci|set\s+version\s\S+))?(?:\s+-.*)?$)/;

function extraStep(step: YamlMapping): readonly string[] {
  const { uses } = step;
  if (typeof uses === 'string') return DONE.test(uses) || effectOf(uses) !== undefined ? [] : [`step ${uses.replace(/@.*$/s, '')}`];
  if (runsTests(step)) return [];
  const line = linesOf(step).find((text) => !INSTALLS.test(text));
  return line === undefined ? [] : [`step "${line.trim()}"`];
}
