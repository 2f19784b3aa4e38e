import { isDeepStrictEqual } from 'node:util';
import { withoutScope } from '@tributary/model/ids';
import { isPlainObject } from '@tributary/model/plain-object';
import { applyEdits } from 'jsonc-parser';
import type { YAMLMap } from 'yaml';
import { readYaml } from '../../edit/edit-yaml.js';
import type { Message } from '../../message.js';
import { inProject, type Subject } from '../rule.js';
import { defaultsFor, type Leftover, moveDirectories, type Rewriting, together } from './directories.js';
import { moveExpressions, moveText } from './expressions.js';
import { moveInputs, moveStep } from './inputs.js';
import { type MonorepoYarn, moveInstalls } from './installs.js';
import { intoPackage } from './into-package.js';
import { replaceScalar, yamlText } from './scalars.js';
import { disableTriggers } from './triggers.js';
import {
  insertFirst,
  mapAt,
  readRoot,
  readWorkflow,
  scalarAt,
  stepsOf,
  type TextEdit,
  textAt,
  textsIn,
  type WorkflowDocument,
} from './workflow-document.js';

export interface RewrittenWorkflow {
  readonly text: string;
  /** What could not be rewritten with certainty, with its original line; ordered by line. */
  readonly left: readonly Leftover[];
}

/** The message about what was left. */
export const LEFT: Message = {
  topic: 'workflows',
  text: 'It refers to things that may differ in the monorepo, and was not changed. Line numbers are those of the imported file.',
};

/**
 * Returns a workflow for the root: it runs only manually or when it is called, in the package's folder, and its paths
 * relative to the repository's root lead there. All other lines are unchanged. Returns `undefined` if its format cannot
 * be edited.
 */
export function rewriteWorkflow(
  workflow: WorkflowDocument,
  { subject, file }: { readonly subject: Subject; readonly file: string },
): RewrittenWorkflow | undefined {
  const { text } = workflow;
  const folder = subject.importedPackage.path;
  const { edits, left } = together([
    moveDirectories(workflow, folder),
    moveInputs(workflow, { folder, files: subject.monorepo }),
    moveExpressions(workflow, folder),
    moveInstalls(workflow, yarnOf(subject)),
    {
      edits: workflow.jobs.flatMap((job) => [job, ...job.steps].flatMap(({ node }) => useEdits(text, node, subject.importedPackage))),
      left: [],
    },
  ]);
  const rewritten = applyEdits(text, [
    ...edits,
    disableTriggers(
      workflow,
      { folder, file, workflowAt: (other) => workflowPath(subject.importedPackage.name, other) },
      defaultsFor(workflow, folder),
    ),
  ]);
  // Whatever the edits were, the jobs must be unchanged.
  const isSound = isDeepStrictEqual(readWorkflow(rewritten)?.jobs.map(shapeOf), workflow.jobs.map(shapeOf));
  return isSound ? { text: rewritten, left: inOrder(left) } : undefined;
}

/** Returns the Yarn of the monorepo. `yarnPath` of the root names a release that every `yarn` starts. */
function yarnOf({ monorepo, repository }: Subject): MonorepoYarn {
  const settings: unknown = readYaml(monorepo.read(inProject({ repository }, '.yarnrc.yml')) ?? '')?.toJS();
  const yarnPath = isPlainObject(settings) && typeof settings['yarnPath'] === 'string' ? settings['yarnPath'] : undefined;
  const manifest = monorepo.read(inProject({ repository }, 'package.json')) ?? '';
  const major = /\byarn-(\d+)\.[^/]*$/.exec(yarnPath ?? '')?.[1] ?? /"packageManager"\s*:\s*"yarn@(\d+)\./.exec(manifest)?.[1];
  return { start: yarnPath === undefined ? 'corepack' : 'release', major: major === undefined ? undefined : Number(major) };
}

function shapeOf({ id, steps }: WorkflowDocument['jobs'][number]): unknown {
  return [id, steps.map(({ action }) => (action?.startsWith('./') === true ? './' : (action ?? 'run')))];
}

/**
 * Rewrites a composite action of the repository: its commands run in the package's folder, because a workflow's
 * defaults do not apply to them. Returns `undefined` if nothing changes.
 */
export function rewriteAction(
  text: string,
  { importedPackage, monorepo }: Pick<Subject, 'importedPackage' | 'monorepo'>,
): RewrittenWorkflow | undefined {
  const root = readRoot(text);
  const runs = root === undefined ? undefined : mapAt(root, 'runs');
  if (root === undefined || runs === undefined || textAt(runs, 'using') !== 'composite') return undefined;
  const folder = importedPackage.path;
  const rewritings = stepsOf(runs).map((step): Rewriting => {
    const own = scalarAt(step.node, 'working-directory');
    const moved = own === undefined ? undefined : intoPackage(String(own.value), folder);
    const here = step.runs && own === undefined ? [insertFirst(text, step.node, [`working-directory: ${yamlText(folder)}`])] : [];
    const directory = own === undefined || moved === undefined || moved === 'unknown' ? [] : replaceScalar(text, own, moved.path);
    return together([
      { edits: [...here, ...directory, ...useEdits(text, step.node, importedPackage)], left: [] },
      moveStep(text, step, { folder, files: monorepo }),
      ...textsIn(step.node).map((scalar) => moveText(text, scalar, folder)),
    ]);
  });
  const { edits, left } = together(rewritings);
  return edits.length === 0 ? undefined : { text: applyEdits(text, [...edits]), left: inOrder(left) };
}

/** Rewrites `uses: ./…`, which is relative to the root of the repository. Workflows there have the package's name as a prefix. */
function useEdits(text: string, node: YAMLMap, { name, path: folder }: Subject['importedPackage']): readonly TextEdit[] {
  const uses = scalarAt(node, 'uses');
  const [, path] = /^\.\/(.*)$/.exec(textAt(node, 'uses') ?? '') ?? [];
  if (uses === undefined || path === undefined) return [];
  const file = /^\.github\/workflows\/([^/]+)$/.exec(path)?.[1];
  const moved = intoPackage(path, folder);
  return replaceScalar(text, uses, `./${file === undefined && moved !== 'unknown' ? moved.path : workflowPath(name, file ?? path)}`);
}

/** Returns the path of a workflow: `ci.yml` of d3-array becomes `.github/workflows/d3-array-ci.yml`. */
export function workflowPath(name: Subject['importedPackage']['name'], file: string): string {
  return `.github/workflows/${withoutScope(name)}-${file}`;
}

function inOrder(left: readonly Leftover[]): readonly Leftover[] {
  const unique = left.filter(({ line, what }, at) => left.findIndex((one) => one.line === line && one.what === what) === at);
  return unique.sort((a, b) => a.line - b.line);
}
