import { isPlainObject } from '@tributary/model/plain-object';
import type { Scalar, YAMLMap } from 'yaml';
import { intoPackage } from './into-package.js';
import { replaceScalar, yamlText } from './scalars.js';
import { insertFirst, type Job, mapAt, type Step, scalarAt, type TextEdit, textAt, type WorkflowDocument } from './workflow-document.js';

/** Something that could not be rewritten and is left to a person. */
export interface Leftover {
  /** Counted from 1. */
  readonly line: number;
  readonly what: string;
}

export interface Rewriting {
  readonly edits: readonly TextEdit[];
  readonly left: readonly Leftover[];
}

const KEY = 'working-directory';

/**
 * Makes the steps of a workflow run in the package's folder: with a default for all jobs that check out the repository,
 * and as a prefix of a step's own directory. Steps before the checkout, and jobs that check out into another folder,
 * are unchanged.
 */
export function moveDirectories(workflow: WorkflowDocument, folder: string): Rewriting {
  const { text, root, jobs } = workflow;
  const running = jobs.filter(({ steps }) => steps.some(({ runs }) => runs));
  if (!running.some((job) => checkoutOf(job) === 'here')) return together(jobs.map((job) => leftInJob(text, job)));
  const all = mapAt(root, 'defaults') === undefined ? NOTHING : moveDefaults(text, root, folder);
  return together([all, ...running.map((job) => moveJob(text, job, folder)), ...jobs.map((job) => leftInJob(text, job))]);
}

/** Returns the lines for the top of a workflow without defaults; empty if no job checks out the repository. */
export function defaultsFor({ root, jobs }: WorkflowDocument, folder: string): readonly string[] {
  const isNeeded =
    mapAt(root, 'defaults') === undefined && jobs.some((job) => checkoutOf(job) === 'here' && job.steps.some(({ runs }) => runs));
  return isNeeded ? defaultLines(yamlText(folder)) : [];
}

/** Returns where a job checks out the repository. `elsewhere`: into a separate folder. */
export function checkoutOf({ steps }: Job): 'here' | 'elsewhere' | 'none' {
  const checkouts = steps.filter(isOwnCheckout);
  if (checkouts.length === 0) return 'none';
  return checkouts.some((step) => textAt(mapAt(step.node, 'with') ?? step.node, 'path') === undefined) ? 'here' : 'elsewhere';
}

/** Whether a step checks out this repository. */
function isOwnCheckout({ action, node }: Step): boolean {
  const repository = textAt(mapAt(node, 'with') ?? node, 'repository');
  return (
    action !== undefined &&
    /checkout/i.test(action) &&
    (repository === undefined || /^\$\{\{\s*github\.repository\s*\}\}$/.test(repository))
  );
}

function moveJob(text: string, job: Job, folder: string): Rewriting {
  if (checkoutOf(job) !== 'here') return { edits: [defaultEdit(text, job.node, '.')], left: [] };
  const first = job.steps.findIndex((step) => isOwnCheckout(step) && textAt(mapAt(step.node, 'with') ?? step.node, 'path') === undefined);
  const steps = job.steps.map((step, at) => {
    const own = scalarAt(step.node, KEY);
    if (at > first) return own === undefined ? NOTHING : moveScalar(text, own, { folder, job });
    return step.runs && own === undefined ? { edits: [insertFirst(text, step.node, [`${KEY}: .`])], left: [] } : NOTHING;
  });
  const defaults = mapAt(job.node, 'defaults') === undefined ? NOTHING : moveDefaults(text, job.node, folder, job);
  return together([defaults, ...steps]);
}

/** Moves a block of defaults. It replaces the defaults above it as a whole. */
function moveDefaults(text: string, owner: YAMLMap, folder: string, job?: Job): Rewriting {
  const run = mapAt(mapAt(owner, 'defaults') ?? owner, 'run');
  const own = run === undefined ? undefined : scalarAt(run, KEY);
  if (own !== undefined) return moveScalar(text, own, { folder, job });
  return { edits: [defaultEdit(text, owner, yamlText(folder))], left: [] };
}

function defaultEdit(text: string, owner: YAMLMap, folder: string): TextEdit {
  const defaults = mapAt(owner, 'defaults');
  const run = defaults === undefined ? undefined : mapAt(defaults, 'run');
  if (run !== undefined) return insertFirst(text, run, [`${KEY}: ${folder}`]);
  if (defaults !== undefined)
    return insertFirst(
      text,
      defaults,
      defaultLines(folder)
        .slice(1)
        .map((line) => line.slice(2)),
    );
  return insertFirst(text, owner, defaultLines(folder));
}

function defaultLines(folder: string): readonly string[] {
  return ['defaults:', '  run:', `    ${KEY}: ${folder}`];
}

function moveScalar(text: string, scalar: Scalar, { folder, job }: { readonly folder: string; readonly job: Job | undefined }): Rewriting {
  const path = String(scalar.value);
  const moved = intoPackage(path, folder);
  const name = /^\$\{\{\s*matrix\.([\w-]+)\s*\}\}/.exec(path)?.[1];
  if (moved !== 'unknown') return { edits: replaceScalar(text, scalar, moved.path), left: [] };
  if (name !== undefined && job !== undefined && isRelativeInMatrix(job, name))
    return { edits: replaceScalar(text, scalar, `${folder}/${path}`), left: [] };
  return { edits: [], left: [{ line: lineOf(text, scalar.range?.[0] ?? 0), what: `\`${KEY}: ${path}\`` }] };
}

/** Whether all values of a matrix entry are paths relative to the root of the repository. */
function isRelativeInMatrix({ node }: Job, name: string): boolean {
  const matrix: unknown = mapAt(mapAt(node, 'strategy') ?? node, 'matrix')?.toJSON();
  const values = isPlainObject(matrix) ? matrix[name] : undefined;
  const isListed =
    Array.isArray(values) && values.every((value) => typeof value === 'string' && /^[\w.]/.test(value) && !value.startsWith('..'));
  return isListed && isPlainObject(matrix) && matrix['include'] === undefined;
}

function leftInJob(text: string, job: Job): Rewriting {
  if (checkoutOf(job) !== 'elsewhere') return NOTHING;
  const line = lineOf(text, job.offset);
  return { edits: [], left: [{ line, what: `the job ${job.id}, which checks out into a folder of its own` }] };
}

const NOTHING: Rewriting = { edits: [], left: [] };

export function together(all: readonly Rewriting[]): Rewriting {
  return { edits: all.flatMap(({ edits }) => edits), left: all.flatMap(({ left }) => left) };
}

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
