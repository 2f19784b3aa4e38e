import type { WorkspaceName } from '@tributary/model/ids';
import type { Downgrade } from '../align/lock/downgrades.js';
import type { LockedRequestOutcome, RequestOutcome } from '../align/lock/request-outcomes.js';
import type { OldLock } from '../align/project.js';
import type { LockOutcome } from '../alignment.js';
import { code, namesOf, someOf } from '../text.js';
import type { DecisionText } from '../topics.js';
import type { Reason, ReportPart } from './part.js';

type BroughtLocks = ReadonlyMap<WorkspaceName, Pick<OldLock, 'file' | 'ignored' | 'addressed'>>;

export function lockPart(
  { installation, manifests, spared, outcomes, toWorkspaces, scripts, fresh }: LockOutcome,
  brought: BroughtLocks,
): ReportPart {
  const rewritten = [...manifests.keys()].filter((file) => spared.length === 0 || file !== 'package.json');
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused');
  return {
    step: 'lockfile',
    decisions: [...addressedReasons(brought), ...changedQuestion(fresh?.changed ?? [])],
    changes: [
      ...(outcomes.length === 0 ? [] : [outcomesSentence(outcomes)]),
      rootSentence(toWorkspaces.length, installation.gone.length),
      ...refused.map(refusedSentence),
      ...[...brought].flatMap(([name, { file, ignored }]) => (ignored.length === 0 ? [] : [ignoredSentence(name, file, ignored)])),
      ...(spared.length === 0 ? [] : [sparedSentence(spared)]),
      ...rewritten.map((file) => `${code(file)} was reformatted as Yarn would do at each installation.`),
      INSTALLED[installation.scripts],
      ...(fresh === undefined ? notRun(scripts) : [AGAIN]),
    ],
  };
}

function sparedSentence(spared: readonly string[]): string {
  const lines = spared.length === 1 ? '1 line' : `${spared.length} lines`;
  const first = code(spared[0] ?? '');
  return `Registry packages with the name of a workspace keep the published versions of their dependencies: ${lines} in "resolutions" of the root, such as ${first}. Remove a line when its version is no longer used.`;
}

const INSTALLED: { readonly [One in LockOutcome['installation']['scripts']]: string } = {
  run: 'Installed with `--immutable --check-resolutions`.',
  skipped: 'Installed with `--immutable --check-resolutions --mode=skip-build`: no script of a package was run.',
};

const AGAIN = 'Installed again with `yarn install --immutable`, with scripts, in a fresh clone of the branch.';

/** Names the scripts of the packages that were not run: only a comparison of tests, which comes later, may have run them. */
function notRun(packages: LockOutcome['scripts']): readonly string[] {
  const names = packages.flatMap(({ name, scripts }) => scripts.map((script) => `${code(script)} of ${name}`));
  if (names.length === 0) return [];
  const never = `Unless the tests were compared, these scripts were never run: ${someOf(names)}.`;
  return [`${never} \`--run-scripts\` runs them in a fresh clone of the branch.`];
}

function changedQuestion(changed: readonly string[]): readonly DecisionText[] {
  if (changed.length === 0) return [];
  return [
    {
      text: `An installation with scripts changes files that git tracks: ${someOf(changed.map(code))}.`,
      byDefault: 'Every `yarn install` leaves them modified.',
      toChange: 'Commit what it writes, or ignore them in a `.gitignore` and remove them from git, or correct the script.',
      risk: 'behaviour',
    },
  ];
}

/** Returns the report of a dry run: what Yarn has found out, and what only the installation shows. */
export function plannedLockPart(unasked: string | undefined): ReportPart {
  if (unasked === undefined) return { step: 'lockfile', decisions: [], changes: [RESOLVED] };
  const question: DecisionText = {
    text: `It is unknown whether the branch can be installed: ${unasked}`,
    byDefault: 'The migration stops for the same reason, and changes nothing.',
    toChange: 'Repeat the dry run when the registry answers, or add `--no-install`.',
    risk: 'installation',
  };
  return { step: 'lockfile', decisions: [question], changes: [] };
}

const RESOLVED = 'Yarn resolved all dependencies, and downloaded the new ones. Only the installation shows what it warns of.';

/** Returns the report without an installation: locked versions are lost, and nobody must discover that by accident. */
export function unlockedPart(names: readonly string[]): ReportPart {
  const decisions: readonly DecisionText[] =
    names.length === 0
      ? []
      : [
          {
            text: `Nothing was installed, so the root yarn.lock lacks what ${namesOf(names)} had locked.`,
            byDefault: 'The next installation resolves all of it again.',
            toChange:
              '`migrate-repo discard <package>`, then migrate again without `--no-install`; or `yarn install`, and review its diff.',
            risk: 'versions',
          },
        ];
  return { step: 'lockfile', decisions, changes: [] };
}

const WORDS: { readonly [One in RequestOutcome]: (count: number) => string } = {
  kept: (count) => `${count} ${have(count)} the locked version`,
  'of the monorepo': (count) => `${count} that of the monorepo`,
  'of an imported package': (count) => `${count} that of another imported package`,
  refused: (count) => `${count} could not keep it (see below)`,
  'resolved anew': (count) => `${count} ${count === 1 ? 'was' : 'were'} resolved again by Yarn`,
  'a workspace': (count) => `${count} ${count === 1 ? 'is' : 'are'} resolved to a workspace`,
  overridden: (count) => `${count} ${count === 1 ? 'is' : 'are'} decided by "resolutions" of the root`,
  'no longer asked for': (count) => `${count} ${count === 1 ? 'is' : 'are'} no longer made`,
};

function have(count: number): string {
  return count === 1 ? 'has' : 'have';
}

/** Returns the number of requests with each outcome, in a fixed order. */
export function countOutcomes(
  outcomes: readonly LockedRequestOutcome[],
): readonly { readonly outcome: RequestOutcome; readonly count: number }[] {
  return (Object.keys(WORDS) as RequestOutcome[]).map((outcome) => ({
    outcome,
    count: outcomes.filter((one) => one.outcome === outcome).length,
  }));
}

function outcomesSentence(outcomes: readonly LockedRequestOutcome[]): string {
  const counts = countOutcomes(outcomes).filter(({ count }) => count > 0);
  return `Of ${outcomes.length} locked requests ${counts.map(({ outcome, count }) => WORDS[outcome](count)).join('; ')}.`;
}

function rootSentence(toWorkspaces: number, gone: number): string {
  const rest = [
    ...(toWorkspaces === 0 ? [] : [`${toWorkspaces} of its requests ${toWorkspaces === 1 ? 'is' : 'are'} now resolved to a workspace`]),
    ...(gone === 0 ? [] : [`${gone} ${gone === 1 ? 'is' : 'are'} no longer made`]),
  ];
  return `No locked version of the monorepo changed${rest.length === 0 ? '' : `; ${rest.join(', and ')}`}.`;
}

function refusedSentence({ descriptor, version, others, why = '' }: LockedRequestOutcome): string {
  return `${code(descriptor)} was locked at ${[version, ...others].join(' and ')}, but could not be kept: ${why}.`;
}

/**
 * Returns one question for all packages that get older than locked, and another for those that only an installation has
 * shown. `planned`: what was known before it.
 */
export function olderQuestions(downgrades: readonly Downgrade[], planned = downgrades): readonly DecisionText[] {
  const known = new Set(planned.map(keyOf));
  const shown = downgrades.filter((one) => !known.has(keyOf(one)));
  return [
    ...olderQuestion(
      'Packages get older versions than they had locked',
      downgrades.filter((one) => known.has(keyOf(one))),
      planned,
    ),
    ...olderQuestion('The installation gives packages older versions than they had locked', shown, shown),
  ];
}

/** Returns the key of a downgrade. It omits `through`, because only an installation shows which registry packages require it. */
function keyOf({ name, change, for: whom }: Downgrade): string {
  return [name, change.from, change.to, ...whom].join(' ');
}

function olderQuestion(words: string, downgrades: readonly Downgrade[], asked: readonly Downgrade[]): readonly DecisionText[] {
  if (downgrades.length === 0) return [];
  return [
    {
      text: `${words}: ${downgrades.map(oneOlder).join('; ')}.`,
      about: ['older', ...asked.map(keyOf).sort()].join('\n'),
      byDefault: 'The same request gets the version of the monorepo, of a workspace, or one that the registry still has.',
      toChange: '`yarn up <dependency>@<version>` raises it for all. An exact version in a package.json keeps the old one.',
      risk: 'versions',
    },
  ];
}

/** Returns `ms 1.4.0 → 1.1.0 for app, web through tool@1.0.0`. */
function oneOlder({ name, change, for: whom, through }: Downgrade): string {
  const askers = through.length === 0 ? '' : ` through ${namesOf(through)}`;
  return `${name} ${change.from} → ${change.to} for ${whom.length === 0 ? 'the monorepo' : namesOf(whom)}${askers}`;
}

function addressedReasons(brought: BroughtLocks): readonly Reason[] {
  const text = 'It comes from an address: check that it is still the locked commit.';
  return [...brought].flatMap(([owner, { addressed }]) =>
    addressed.map((name): Reason => ({ topic: 'addressed', package: owner, place: name, text })),
  );
}

function ignoredSentence(name: string, file: string, ignored: readonly string[]): string {
  return `${name}: ${ignored.map(code).join(', ')} ${ignored.length === 1 ? 'was' : 'were'} not read, because ${code(file)} takes precedence.`;
}
