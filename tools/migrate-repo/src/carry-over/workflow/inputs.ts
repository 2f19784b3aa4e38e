import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import { isPair, isScalar, type Pair, type YAMLMap } from 'yaml';
import type { TreeFiles } from '../../align/project.js';
import { checkoutOf, type Leftover, lineOf, type Rewriting, together } from './directories.js';
import { intoPackage, isLockfile, isPlainFolder } from './into-package.js';
import { replaceLines, yamlText } from './scalars.js';
import { insertFirst, type Job, mapAt, type Step, type WorkflowDocument } from './workflow-document.js';

/** The folder of the package and the files of the repository. */
export interface PackageFolder {
  readonly folder: string;
  /** Including changes by other rules. */
  readonly files: TreeFiles;
  /** Files that other actions of the job may create at the root. */
  readonly made?: ReadonlySet<string>;
}

/**
 * Inputs of well-known actions that are paths relative to the root of the repository, regardless of the working
 * directory. `default`: the action's default, if it is in the repository.
 */
const PATHS: readonly { readonly actions: RegExp; readonly inputs: RegExp; readonly default?: string }[] = [
  { actions: /^actions\/upload-artifact$/, inputs: /^path$/ },
  { actions: /^actions\/download-artifact$/, inputs: /^path$/, default: '.' },
  { actions: /^actions\/upload-pages-artifact$/, inputs: /^path$/, default: '_site' },
  { actions: /^actions\/cache(?:\/(?:save|restore))?$/, inputs: /^path$/ },
  { actions: /^actions\/setup-[a-z]+$/, inputs: /^(?:[a-z]+-version-file|cache-dependency-path)$/ },
];

/**
 * Prefixes inputs that are certainly paths. Those that may be are left, with their lines. Jobs that check out elsewhere
 * or not at all are unchanged.
 */
export function moveInputs({ text, jobs }: WorkflowDocument, place: PackageFolder): Rewriting {
  const here = jobs.filter((job) => checkoutOf(job) === 'here');
  return together(
    here.flatMap((job) => {
      const made = new Set(job.steps.flatMap(filesOfActions));
      return stepsAfterCheckout(job).map((step) => moveStep(text, step, { ...place, made }));
    }),
  );
}

/** Returns what unknown actions name in their inputs: they may write it, and would do so at the root. */
function filesOfActions({ action, node }: Step): readonly string[] {
  if (action === undefined || PATHS.some(({ actions }) => actions.test(action))) return [];
  const inputs = mapAt(node, 'with')?.items ?? [];
  return inputs.flatMap(({ value }) => (isScalar(value) && typeof value.value === 'string' ? [value.value.replace(/^\.\//, '')] : []));
}

/** Returns the steps after the checkout. Earlier actions do not use the repository's files. */
function stepsAfterCheckout({ steps }: Job): readonly Step[] {
  return steps.slice(steps.findIndex(({ action }) => action !== undefined && /checkout/i.test(action)) + 1);
}

/** Moves the inputs of a step, in a job or an action. */
export function moveStep(text: string, step: Step, place: PackageFolder): Rewriting {
  if (step.action === undefined) return { edits: [], left: [] };
  const inputs = mapAt(step.node, 'with');
  const known = PATHS.find(({ actions }) => actions.test(step.action ?? ''));
  const entries = (inputs?.items ?? []).filter((item) => isPair(item));
  const moved = entries.map((pair) => moveInput(text, pair, { place, isPath: known?.inputs.test(nameOf(pair)) === true }));
  const isMissing = known?.default !== undefined && !entries.some((pair) => known.inputs.test(nameOf(pair)));
  return together([
    ...moved,
    isMissing ? { edits: [addInput(text, step.node, inputs, pathOf(known.default, place))], left: [] } : { edits: [], left: [] },
  ]);
}

function pathOf(path: string, { folder }: PackageFolder): string {
  return yamlText(path === '.' ? folder : `${folder}/${path}`);
}

function addInput(text: string, step: YAMLMap, inputs: YAMLMap | undefined, path: string) {
  return inputs === undefined ? insertFirst(text, step, ['with:', `  path: ${path}`]) : insertFirst(text, inputs, [`path: ${path}`]);
}

function moveInput(text: string, pair: Pair, { place, isPath }: { readonly place: PackageFolder; readonly isPath: boolean }): Rewriting {
  const { value } = pair;
  if (!isScalar(value) || typeof value.value !== 'string') return { edits: [], left: [] };
  const left: Leftover[] = [];
  const leave = (entry: string, offset: number): void => {
    left.push({ line: lineOf(text, offset), what: `\`${nameOf(pair)}: ${entry}\`` });
  };
  const start = value.range?.[0] ?? 0;
  if (!isPath) {
    const path = value.value.split('\n').find((entry) => namesFile(entry.trim(), nameOf(pair), place));
    if (path !== undefined) leave(path.trim(), start);
    return { edits: [], left };
  }
  const edits = replaceLines(text, value, (entry, offset) => {
    // Installed packages are at the root now.
    if (/^(?:\.\/|\*\*\/)?node_modules(?:\/|$)/.test(entry)) return undefined;
    if (nameOf(pair).endsWith('-version-file')) return nearest(entry, place);
    const isMade = place.made?.has(entry.replace(/^\.\//, '')) === true;
    const moved = isPlainFolder(place.folder) && !isLockfile(entry) && !isMade ? intoPackage(entry, place.folder) : 'unknown';
    if (moved === 'unknown') leave(entry, offset);
    return moved === 'unknown' ? undefined : moved.path;
  });
  return { edits, left };
}

/** Returns a file of the package, or the one above with the same content, for which the package's was removed. */
function nearest(entry: string, { folder, files }: PackageFolder): string {
  const file = entry.replace(/^\.\//, '');
  for (let above = folder as RepoFolder; above !== ''; above = parentFolder(above))
    if (files.read(`${above}/${file}` as RepoPath) !== undefined) return `${above}/${file}`;
  return files.read(file as RepoPath) === undefined ? `${folder}/${file}` : file;
}

/** Names of inputs that indicate a path. */
const OF_PATHS = /(?:^|[-_])(?:path|dir|directory|folder|file|glob|workdir|manifest)s?$/i;

/** Whether an input of an unknown action looks like a path: by its name, by a leading `./`, or because such a file exists. */
function namesFile(entry: string, input: string, { folder, files }: PackageFolder): boolean {
  if (/^\.\/[\w.]/.test(entry) || (OF_PATHS.test(input) && /^[\w.*]/.test(entry))) return true;
  return (
    /[/.]/.test(entry) &&
    /^[\w./-]+$/.test(entry) &&
    files.paths.some((path) => path === `${folder}/${entry}` || path.startsWith(`${folder}/${entry}/`))
  );
}

function nameOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : '';
}
