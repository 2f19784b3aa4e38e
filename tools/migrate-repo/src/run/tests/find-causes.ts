import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { hasScript, readInstalledManifest } from '../../io/installed-manifest.js';
import { readInstalledTree } from '../../io/installed-tree.js';
import { code } from '../../report/part.js';
import { readEvidence } from '../../tests/evidence.js';
import { isGood, lastOf, type TestRun } from '../../tests/test-run.js';
import { type ChangedVersion, compareTrees, type TreeChanges } from '../../tests/tree-changes.js';
import type { TestCauseResult } from '../../tests-result.js';
import { bisect } from './bisect.js';
import type { CauseSearch, FoundCauses } from './cause-search.js';
import type { ComparedPackage } from './compare-tests.js';
import type { Experiment } from './experiments.js';
import { findManagerVariables } from './manager-variables.js';
import type { MigratedBranch } from './migrated.js';
import { fareWithRemedy, isProven } from './with-remedy.js';

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
  return isProven(inquiry.fare(control))
    ? { causes: [], passing: control }
    : { causes: await tryAll(one, search, inquiry), passing: undefined };
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
  for (const { what, experiment, cause, names } of suspects) {
    search.onAttempt(what);
    const withRemedy = inquiry.fare(await search.laboratory.attempt(name, experiment), names);
    if (isProven(withRemedy)) return { found: { ...cause, withRemedy }, refuted };
    if (names.length > 0) refuted.push({ ...cause, withRemedy });
  }
  return { found: undefined, refuted };
}

/**
 * Tries the remedies for what the output after shows and the one before does not, of a package that fails on both sides.
 * First it changes nothing. A run that passes then is returned, and no cause. What that run does not show is not tried.
 * Throws as `runContained`.
 */
export async function tryShown(one: ComparedPackage, search: CauseSearch): Promise<FoundCauses> {
  const { fare } = openInquiry(one, search);
  const before = lastOf(one.before);
  const suspects = shownIn(one, search).filter(({ names }) => !isShownIn(before, names));
  if (suspects.length === 0) return { causes: [], passing: undefined };
  search.onAttempt('nothing changed');
  const control = await search.laboratory.attempt(one.name, {});
  if (isGood(control)) return { causes: [], passing: control };
  const causes: TestCauseResult[] = [];
  for (const { names, what, experiment, cause } of suspects.filter((suspect) => isShownIn(control, suspect.names))) {
    search.onAttempt(what);
    causes.push({ ...cause, withRemedy: fare(await search.laboratory.attempt(one.name, experiment), names) });
  }
  return { causes, passing: undefined };
}

function isShownIn({ output }: TestRun, names: readonly string[]): boolean {
  const shown = new Set(shownSuspects(output, '').flatMap((suspect) => suspect.names));
  return names.some((name) => shown.has(name));
}

function shownIn(one: ComparedPackage, { branch }: CauseSearch): readonly Suspect[] {
  return shownSuspects(lastOf(one.after).output, branch.closures.of(one.name).at(-1) ?? '');
}

interface Inquiry {
  /** What a run with a remedy shows. `names`: what the output must no longer show, unless the one before shows it too. */
  readonly fare: (run: TestRun, names?: readonly string[]) => TestCauseResult['withRemedy'];
  /** Both sides compared, when they are asked for. */
  readonly changes: () => Promise<TreeChanges>;
}

function openInquiry(one: ComparedPackage, search: CauseSearch): Inquiry {
  const before = lastOf(one.before);
  return {
    fare: (run, names = []) => {
      const gone = names.filter((name) => !isShownIn(before, [name]));
      return fareWithRemedy(before, run, isShownIn(run, gone));
    },
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
  /** What the output shows; empty if it does not show the cause. What it shows is reported even if the remedy does not help. */
  readonly names: readonly string[];
}

/** Returns suspects that no output shows. */
async function otherSuspects(one: ComparedPackage, search: CauseSearch): Promise<readonly Suspect[]> {
  const root = await search.laboratory.install();
  const own = join(root, search.branch.closures.of(one.name).at(-1) ?? '');
  const appeared = appearedSuspect(one.name, await readChanges(one.name, search), { root, branch: search.branch });
  return [runnerSuspect(own), ...(appeared === undefined ? [] : [appeared])];
}

/** Returns suspects that the output names: paths into node_modules that no longer lead to the package, and modules that are not found. */
function shownSuspects(output: string, own: string): readonly Suspect[] {
  const { modulePaths, missingModules, lines } = readEvidence(output);
  const experiment = { unhoisted: [own] };
  const remedy = 'With `"installConfig": { "hoistingLimits": "workspaces" }` in its package.json';
  const suspect = (
    kind: 'path into node_modules' | 'hoisting',
    names: readonly string[],
    what: (named: string) => string,
  ): readonly Suspect[] => {
    if (names.length === 0) return [];
    const text = `${what(names.map(code).join(', '))}: ${code(lines.get(names[0] ?? '') ?? '')}.`;
    return [{ what: 'hoistingLimits', experiment, cause: { kind, text, remedy }, names }];
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
  names: [],
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
  return { what: 'npm run', experiment: { runner: 'npm' }, cause: { ...cause, remedy }, names: [] };
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
    names: [],
  };
}

function declares(folder: string, name: string): boolean {
  const manifest = readInstalledManifest(folder);
  const blocks = ['dependencies', 'devDependencies', 'optionalDependencies'].map((field) => manifest?.[field]);
  return blocks.some((block) => isPlainObject(block) && Object.hasOwn(block, name));
}

/** Bisects the changed dependencies by giving some of them their earlier versions. */
async function bisectVersions(one: ComparedPackage, search: CauseSearch, { fare, changes }: Inquiry): Promise<readonly TestCauseResult[]> {
  const { versions } = await changes();
  // The last run that fares well is that of the versions that are found.
  let withRemedy: TestCauseResult['withRemedy'] = 'not tried';
  const attempt = async (pinned: readonly ChangedVersion[]): Promise<boolean> => {
    search.onAttempt(`${pinned.length} of ${versions.length} versions as before`);
    const now = fare(await search.laboratory.attempt(one.name, { resolutions: resolutionsOf(one.name, pinned) }));
    if (isProven(now)) withRemedy = now;
    return isProven(now);
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
    withRemedy,
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
