import { isPlainObject } from '@tributary/model/plain-object';
import { parseSemverRange } from '@tributary/workspaces/ranges';
import intersects from 'semver/ranges/intersects.js';
import type { Scalar } from 'yaml';
import { checkoutOf, type Leftover, lineOf, type Rewriting, together } from './directories.js';
import { type Job, mapAt, type Step, scalarAt, textAt, type WorkflowDocument } from './workflow-document.js';

/**
 * How the monorepo starts its Yarn in CI. `release`: `yarnPath` names a release, which every `yarn` uses. `corepack`:
 * it must be enabled first.
 */
export type YarnStart = 'release' | 'corepack';

/** The Yarn of the monorepo. */
export interface MonorepoYarn {
  readonly start: YarnStart;
  /** `undefined` if unknown. */
  readonly major: number | undefined;
}

const QUIET = String.raw`(?:\s+--(?:no-audit|no-fund|no-progress|prefer-offline|silent|frozen-lockfile|no-frozen-lockfile|no-immutable|non-interactive))*`;

/** A command that only installs the package with all its dependencies. */
const WHOLE = new RegExp(String.raw`^(?:npm\s+(?:ci|clean-install|i|install)|yarn(?:\s+install)?|pnpm\s+(?:i|install))${QUIET}$`);

/** The same together with other commands. */
const PART = /(?:^|[;&|]\s*)((?:npm\s+(?:ci|clean-install|i|install)|yarn\s+install|pnpm\s+(?:i|install))(?=\s|[;&|]|$)[^;&|\n]*)/;

/** Installations of single programs, which do not install the package. */
const OF_OTHERS = /\s(?:-g|--global|--location[= ]global|--no-save)\b|\s(?:i|install)\s+(?:-\S+\s+)*[^-\s]/;

const INSTALL: { readonly [Start in YarnStart]: string } = {
  release: 'yarn install --immutable',
  corepack: 'corepack enable && yarn install --immutable',
};

/**
 * Makes steps that install the package install the monorepo. A step must contain nothing else and run at the top of the
 * package; otherwise it is left, with its line. The cache of `actions/setup-node` becomes Yarn's, if Yarn starts
 * without enabling corepack first.
 */
export function moveInstalls({ text, jobs }: WorkflowDocument, { start, major = 0 }: MonorepoYarn): Rewriting {
  const steps = jobs.flatMap((job) => job.steps.map((step) => moveStep(text, { job, step, start })));
  return together([...steps, ...(major >= 4 ? jobs.map((job) => oldNodes(text, job)) : [])]);
}

/** Versions of Node that run Yarn 4. Source: `engines` of @yarnpkg/cli. */
const NODES = '>=18.12.0';
const OLD_NAMES = /^lts\/(?:argon|boron|carbon|dubnium|erbium|fermium|gallium)$/i;

/** Reports versions of Node with which a job installs, but on which the monorepo's Yarn does not start. */
function oldNodes(text: string, job: Job): Rewriting {
  const isInstalling = job.steps.some(({ node }) => WHOLE.test((textAt(node, 'run') ?? '').trim()));
  const setups = job.steps.filter(({ action }) => isInstalling && action === 'actions/setup-node');
  const left = setups.flatMap(({ node }): readonly Leftover[] => {
    const version = scalarAt(mapAt(node, 'with') ?? node, 'node-version');
    const old = version === undefined ? [] : versionsMeant(job, String(version.source ?? version.value)).filter(isOldNode);
    if (version === undefined || old.length === 0) return [];
    return [{ line: lineOf(text, version.range?.[0] ?? 0), what: `Node ${old.join(', ')}, on which Yarn 4 does not start` }];
  });
  return { edits: [], left };
}

/** Returns the given version, or those in the matrix list that it refers to. */
function versionsMeant({ node }: Job, version: string): readonly string[] {
  const name = /^\$\{\{\s*matrix\.([\w-]+)\s*\}\}$/.exec(version)?.[1];
  if (name === undefined) return [version];
  const matrix: unknown = mapAt(mapAt(node, 'strategy') ?? node, 'matrix')?.toJSON();
  const values = isPlainObject(matrix) ? matrix[name] : undefined;
  return Array.isArray(values) ? values.map(String) : [];
}

function isOldNode(version: string): boolean {
  return OLD_NAMES.test(version) || (parseSemverRange(version) !== undefined && !intersects(version, NODES));
}

interface StepInJob {
  readonly job: Job;
  readonly step: Step;
  readonly start: YarnStart;
}

function moveStep(text: string, { job, step, start }: StepInJob): Rewriting {
  if (step.action === 'actions/setup-node') return moveCache(text, step, start);
  const run = scalarAt(step.node, 'run');
  if (typeof run?.value !== 'string') return NOTHING;
  const isHere = checkoutOf(job) === 'here' && scalarAt(step.node, 'working-directory') === undefined;
  if (!WHOLE.test(run.value.trim())) return { edits: [], left: partsIn(text, run) };
  if (!isHere) return { edits: [], left: [{ line: lineOf(text, run.range?.[0] ?? 0), what: `\`${run.value.trim()}\`` }] };
  return { edits: [replaceWhole(text, run, INSTALL[start])], left: [] };
}

/** Replaces a whole script. A multi-line `run` may end with the indentation of the next line. */
function replaceWhole(text: string, { range }: Scalar, value: string): Rewriting['edits'][number] {
  const [from, to] = range ?? [0, 0];
  const end = text.slice(from, to).trimEnd().length;
  return { offset: from, length: end, content: value };
}

function partsIn(text: string, run: Scalar): readonly Leftover[] {
  const [from] = run.range ?? [0];
  const head = /^[|>]/.test(text.slice(from)) ? 1 : 0;
  return String(run.value)
    .split('\n')
    .flatMap((line, at) => {
      const [, found] = PART.exec(line.trim()) ?? [];
      const isOwn = found !== undefined && !OF_OTHERS.test(found) && !/--immutable\b/.test(found);
      return isOwn ? [{ line: lineOf(text, from) + head + at, what: `\`${found.trim()}\`` }] : [];
    });
}

function moveCache(text: string, { node }: Step, start: YarnStart): Rewriting {
  const inputs = mapAt(node, 'with');
  const cache = inputs === undefined ? undefined : scalarAt(inputs, 'cache');
  if (typeof cache?.value !== 'string' || !/^(?:npm|pnpm|yarn)$/.test(cache.value)) return NOTHING;
  if (start === 'release') return cache.value === 'yarn' ? NOTHING : { edits: [replaceWhole(text, cache, 'yarn')], left: [] };
  const line = lineOf(text, cache.range?.[0] ?? 0);
  return { edits: [], left: [{ line, what: `\`cache: ${cache.value}\`, because setup-node asks Yarn before corepack is enabled` }] };
}

const NOTHING: Rewriting = { edits: [], left: [] };
