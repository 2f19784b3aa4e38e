import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { hasScript, readInstalledManifest } from '../../io/installed-manifest.js';
import { readInstalledTree } from '../../io/installed-tree.js';
import { code } from '../../report/part.js';
import { readEvidence } from '../../tests/evidence.js';
import { isGood, isWorse, lastOf, type TestRun } from '../../tests/test-run.js';
import { type ChangedVersion, compareTrees, type TreeChanges } from '../../tests/tree-changes.js';
import type { TestCauseResult } from '../../tests-result.js';
import { bisect } from './bisect.js';
import type { CauseSearch, FoundCauses } from './cause-search.js';
import type { ComparedPackage } from './compare-tests.js';
import type { Experiment } from './experiments.js';
import { findManagerVariables } from './manager-variables.js';
import type { MigratedBranch } from './migrated.js';

/** The maximum number of installations to bisect the versions of one package. */
const MOST_INSTALLATIONS = 24;

/**
 * Finds out why a package is newly failing: changes one thing at a time in a checkout of the branch, by what the output and the installed
 * packages show, until its tests fare as well as before. First it changes nothing: a run that fares as well then is returned, and no cause. A cause whose remedy helps ends the search;
 * those that the output shows and whose remedy does not help stay in the list. No cause where nothing was found. Throws as `runContained`.
 */
export async function findCauses(one: ComparedPackage, search: CauseSearch): Promise<FoundCauses> {
  if (lastOf(one.after).result === 'not installed') return { causes: [], passing: undefined };
  const inquiry = openInquiry(one, search);
  search.onAttempt('nothing changed');
  const control = await search.laboratory.attempt(one.name, {});
  return inquiry.passes(control) ? { causes: [], passing: control } : { causes: await tryAll(one, search, inquiry), passing: undefined };
}

/** In the order of their likelihood and their cost. */
async function tryAll(one: ComparedPackage, search: CauseSearch, inquiry: Inquiry): Promise<readonly TestCauseResult[]> {
  const shown = await tryOut([...shownIn(one, search), ROOT_SUSPECT], one.name, { search, inquiry });
  if (shown.found !== undefined) return [shown.found];
  const variables = await findManagerVariables(one.name, search, inquiry);
  if (variables.length > 0) return variables;
  const others = await tryOut(await otherSuspects(one, search), one.name, { search, inquiry });
  if (others.found !== undefined) return [others.found];
  return [...(await bisectVersions(one, search, inquiry)), ...shown.refuted];
}

interface Trial {
  /** The first cause whose remedy passes. */
  readonly found: TestCauseResult | undefined;
  /** Earlier causes that the output shows, but whose remedy does not help. */
  readonly refuted: readonly TestCauseResult[];
}

async function tryOut(
  suspects: readonly Suspect[],
  name: string,
  { search, inquiry }: { readonly search: CauseSearch; readonly inquiry: Inquiry },
): Promise<Trial> {
  const refuted: TestCauseResult[] = [];
  for (const { what, experiment, cause, shown } of suspects) {
    search.onAttempt(what);
    if (inquiry.passes(await search.laboratory.attempt(name, experiment)))
      return { found: { ...cause, withRemedy: inquiry.helped }, refuted };
    if (shown) refuted.push({ ...cause, withRemedy: 'still fails' });
  }
  return { found: undefined, refuted };
}

/**
 * Tries the remedies for what the output after shows and the one before does not, of a package that fails on both sides. A remedy helps where the output does not show it any more, and the
 * tests fare as well as before. Throws as `runContained`.
 */
export async function tryShown(one: ComparedPackage, search: CauseSearch): Promise<readonly TestCauseResult[]> {
  const { passes, helped } = openInquiry(one, search);
  const namesIn = (run: TestRun): ReadonlySet<string> => new Set(shownSuspects(run.output, '').flatMap(({ names }) => names));
  const before = namesIn(lastOf(one.before));
  const causes: TestCauseResult[] = [];
  for (const { names, what, experiment, cause } of shownIn(one, search)) {
    if (names.some((name) => before.has(name))) continue;
    search.onAttempt(what);
    const run = await search.laboratory.attempt(one.name, experiment);
    const now = namesIn(run);
    const isGone = !names.some((name) => now.has(name));
    causes.push({ ...cause, withRemedy: isGone && passes(run) ? helped : 'still fails' });
  }
  return causes;
}

function shownIn(one: ComparedPackage, { branch }: CauseSearch): ReturnType<typeof shownSuspects> {
  return shownSuspects(lastOf(one.after).output, branch.closures.of(one.name).at(-1) ?? '');
}

interface Inquiry {
  /** As well as before, also if both fail. */
  readonly passes: (run: TestRun) => boolean;
  /** What is said of a remedy with which they do. */
  readonly helped: 'passes' | 'as before';
  /** Both sides compared, when they are asked for. */
  readonly changes: () => Promise<TreeChanges>;
}

function openInquiry(one: ComparedPackage, search: CauseSearch): Inquiry {
  const good = lastOf(one.before);
  return {
    passes: (run) => !isWorse(good, run),
    helped: isGood(good) ? 'passes' : 'as before',
    changes: () => readChanges(one.name, search),
  };
}

async function readChanges(name: string, { alone, laboratory, branch }: CauseSearch): Promise<TreeChanges> {
  const before = await alone.locate(name);
  const root = await laboratory.install();
  const folder = join(root, branch.closures.of(name).at(-1) ?? '') as AbsolutePath;
  return compareTrees(readInstalledTree(before.folder, before.top), readInstalledTree(folder, root));
}

interface Suspect {
  readonly what: string;
  readonly experiment: Experiment;
  readonly cause: Omit<TestCauseResult, 'withRemedy'>;
  /** Whether the output shows it. If so, it is reported even if the remedy does not help. */
  readonly shown: boolean;
}

/** Returns suspects that no output shows. */
async function otherSuspects(one: ComparedPackage, search: CauseSearch): Promise<readonly Suspect[]> {
  const root = await search.laboratory.install();
  const own = join(root, search.branch.closures.of(one.name).at(-1) ?? '');
  const appeared = appearedSuspect(one.name, await readChanges(one.name, search), { root, branch: search.branch });
  return [runnerSuspect(own), ...(appeared === undefined ? [] : [appeared])];
}

/** Returns suspects that the output names: paths into node_modules that no longer lead to the package, and modules that are not found. */
function shownSuspects(output: string, own: string): readonly (Suspect & { readonly names: readonly string[] })[] {
  const { modulePaths, missingModules, lines } = readEvidence(output);
  const experiment = { unhoisted: [own] };
  const remedy = 'With `"installConfig": { "hoistingLimits": "workspaces" }` in its package.json';
  const suspect = (
    kind: 'path into node_modules' | 'hoisting',
    names: readonly string[],
    what: (named: string) => string,
  ): ReturnType<typeof shownSuspects> => {
    if (names.length === 0) return [];
    const text = `${what(names.map(code).join(', '))}: ${code(lines.get(names[0] ?? '') ?? '')}.`;
    return [{ what: 'hoistingLimits', experiment, cause: { kind, text, remedy }, shown: true, names }];
  };
  return [
    ...suspect(
      'path into node_modules',
      modulePaths,
      (named) => `It reads ${named} by a path in \`node_modules\`, which does not exist in the monorepo`,
    ),
    ...suspect(
      'hoisting',
      missingModules.filter((name) => !modulePaths.includes(name)),
      (named) => `It does not find ${named} in the monorepo`,
    ),
  ];
}

const ROOT_SUSPECT: Suspect = {
  what: 'a repository of its own',
  experiment: { repository: 'own' },
  cause: {
    kind: 'repository root',
    text: 'Its scripts expect the root of the repository in their own folder.',
    remedy: 'With a `.git` in its folder',
  },
  shown: false,
};

/**
 * Suspects scripts beside `test`, and variables that npm sets differently from Yarn. Variables that Yarn does not set
 * at all were tried before.
 */
function runnerSuspect(folder: string): Suspect {
  const beside = ['pretest', 'posttest'].filter((script) => hasScript(folder, script)).map(code);
  const cause =
    beside.length > 0
      ? { kind: 'script' as const, text: `npm runs ${beside.join(' and ')} with \`test\`, but the monorepo's Yarn does not.` }
      : { kind: 'environment variable' as const, text: 'Its scripts need variables that npm and Yarn set differently, such as PATH.' };
  const remedy = 'With `npm run` instead of `yarn run`';
  return { what: 'npm run', experiment: { runner: 'npm' }, cause: { ...cause, remedy }, shown: false };
}

/** Suspects an optional peer: a registry package now finds a module, because another workspace brings it and it is hoisted. */
function appearedSuspect(
  name: string,
  { presence }: TreeChanges,
  { root, branch }: { readonly root: AbsolutePath; readonly branch: MigratedBranch },
): Suspect | undefined {
  const appeared = presence.filter(({ now }) => now === 'found');
  const providers = branch.members.filter(
    (member) => member.name !== name && appeared.some((one) => declares(join(root, member.path), one.name)),
  );
  const told = appeared.filter((one) => providers.some(({ path }) => declares(join(root, path), one.name)));
  if (told.length === 0) return undefined;
  const finds = told.map((one) => `${code(one.parent ?? name)} finds ${code(one.name)}`).join(', ');
  const names = providers.map((provider) => provider.name).join(', ');
  return {
    what: `without hoisting of ${names}`,
    experiment: { unhoisted: providers.map(({ path }) => path) },
    cause: {
      kind: 'hoisting',
      text: `${finds}, which it did not find before: it is a hoisted dependency of ${names}.`,
      remedy: `With \`"installConfig": { "hoistingLimits": "workspaces" }\` in the package.json of ${names}`,
    },
    shown: false,
  };
}

function declares(folder: string, name: string): boolean {
  const manifest = readInstalledManifest(folder);
  const blocks = ['dependencies', 'devDependencies', 'optionalDependencies'].map((field) => manifest?.[field]);
  return blocks.some((block) => isPlainObject(block) && Object.hasOwn(block, name));
}

/** Bisects the changed dependencies by giving some of them their earlier versions. */
async function bisectVersions(
  one: ComparedPackage,
  search: CauseSearch,
  { passes, helped, changes }: Inquiry,
): Promise<readonly TestCauseResult[]> {
  const { versions } = await changes();
  const attempt = async (pinned: readonly ChangedVersion[]): Promise<boolean> => {
    search.onAttempt(`${pinned.length} of ${versions.length} versions as before`);
    return passes(await search.laboratory.attempt(one.name, { resolutions: resolutionsOf(one.name, pinned) }));
  };
  const found = await bisect(versions, attempt, MOST_INSTALLATIONS);
  if (found.state === 'not these') return [];
  const { culprits, rest } = found;
  const pins = Object.entries(resolutionsOf(one.name, [...culprits, ...rest])).map(([key, value]) => code(`"${key}": "${value}"`));
  const remedy = `With ${pins.length <= SHOWN ? pins.join(', ') : `${pins.length} versions as before`} in \`resolutions\` of the root package.json`;
  const change = ({ parent, name, before, after, isWorkspace }: ChangedVersion): string =>
    `${code(parent ?? one.name)} gets ${code(name)} ${after}${isWorkspace ? ', the workspace,' : ''} where it had ${before}`;
  const cause = (isWorkspace: boolean, text: string): TestCauseResult => ({
    kind: isWorkspace ? 'workspace' : 'dependency version',
    text,
    remedy,
    withRemedy: helped,
  });
  const causes = culprits.slice(0, SHOWN).map((culprit) => cause(culprit.isWorkspace, `${change(culprit)}.`));
  if (rest.length === 0) return causes;
  const some = `${causes.length > 0 ? 'Perhaps also some' : 'Some'} of ${rest.length} other changed versions, such as: ${change(rest[0] as ChangedVersion)}.`;
  return [...causes, cause(false, `${some} They were not narrowed down within ${MOST_INSTALLATIONS} installations.`)];
}

const SHOWN = 5;

function resolutionsOf(name: string, versions: readonly ChangedVersion[]): Readonly<Record<string, string>> {
  return Object.fromEntries(versions.map((change) => [`${change.parent ?? name}/${change.name}`, `npm:${change.before}`]));
}
