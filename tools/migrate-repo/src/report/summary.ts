import type { DecisionResult, MigrateResult } from '../result/result.js';
import { code, countOf, namesOf, someOf, sumOf } from '../text.js';
import { sortDecisions } from './open-decisions.js';

/** The maximum number of names in a line. */
const SHOWN = 5;

/** Returns the five lines on top of a report: what came, what breaks, what to decide, what changed for others, what to run. */
export function summaryLines(result: MigrateResult): readonly string[] {
  const { open } = sortDecisions(result);
  return [
    `- **Came**: ${came(result)}`,
    `- **Breaks**: ${breaks(result, open)}`,
    `- **Decide**: ${decide(result, open)}`,
    `- **Changed for others**: ${changedForOthers(result)}`,
    `- **Run**: ${toRun(result)}`,
  ];
}

function came({ packages, state }: MigrateResult): string {
  const [first] = packages;
  const which =
    first !== undefined && packages.length === 1
      ? `${code(first.path)}, from ${code(first.source)} at ${code(first.sourceCommit.slice(0, 12))}`
      : countOf(packages.length, 'package');
  const tags = countOf(
    sumOf(packages, ({ tags: all }) => all.length),
    'tag',
  );
  if (state === 'planned') return `${which}, with the whole history and ${tags}, in a dry run.`;
  const proofs = packages.flatMap(({ proof }) => proof ?? []);
  const commits = countOf(
    proofs.reduce((sum, proof) => sum + proof.commits, 0),
    'commit',
  );
  const proven = proofs.length === packages.length ? 'each proven against its source' : 'see the proof below';
  return `${which}, with ${commits} and ${tags}, ${proven}.`;
}

/** Says what breaks, and names the first point. */
export function breaks(
  { alignment, tests }: Pick<MigrateResult, 'alignment'> & Partial<Pick<MigrateResult, 'tests'>>,
  open: readonly DecisionResult[],
): string {
  const failing = (tests?.packages ?? []).filter(({ outcome }) => outcome === 'newly failing').map(({ name }) => name);
  const risky = open.filter(({ risk }) => risk !== 'none');
  const [first] = risky;
  const parts = [
    ...(failing.length === 0 ? [] : [`tests that passed before fail in ${namesOf(failing, SHOWN)}.`]),
    ...(first === undefined ? [] : [`${countOf(risky.length, 'point')} to check. The first: ${first.text}`]),
  ];
  if (parts.length > 0) return parts.join(' ');
  return alignment === null ? 'not examined, because of `--no-align`.' : 'nothing was found.';
}

/** Says how much is to decide. */
export function decide({ alignment }: Pick<MigrateResult, 'alignment'>, open: readonly DecisionResult[]): string {
  const choices = open.filter(({ risk }) => risk === 'none').length;
  if (alignment === null) return 'not examined, because of `--no-align`.';
  return choices === 0 ? 'no open decision was found.' : `${countOf(choices, 'choice')}; nothing must be answered first.`;
}

function changedForOthers({ packages, alignment, dependencies, replaced }: MigrateResult): string {
  const isOwn = (file: string): boolean => packages.some(({ path }) => file.startsWith(`${path}/`));
  const added = packages.some(({ registration }) => registration === 'added') ? ['package.json'] : [];
  const files = [...new Set([...added, ...(alignment ?? []).flatMap((step) => step.files)])].filter((file) => !isOwn(file)).sort();
  const others = (dependencies ?? []).flatMap(({ declarations }) =>
    declarations.filter(({ isNew, newRange }) => !isNew && newRange !== null).map(({ workspace }) => workspace),
  );
  const names = new Set(packages.map(({ name }) => name));
  const redirected = (replaced ?? []).flatMap((one) => one.for).filter((name) => !names.has(name));
  const changed = [...new Set([...others, ...redirected])].sort();
  if (files.length + changed.length === 0) return 'nothing.';
  return [
    ...(files.length === 0 ? [] : [`the files ${someOf(files.map(code), SHOWN)}`]),
    ...(changed.length === 0 ? [] : [`the dependencies of ${namesOf(changed, SHOWN)}`]),
  ]
    .join(', and ')
    .concat('.');
}

function toRun({ branch, state, packages }: MigrateResult): string {
  if (state === 'planned') return 'the same command without `--dry-run`.';
  const tests = packages.length === 1 ? 'its tests' : 'their tests';
  return `${code(`git switch ${branch}`)}, ${code('yarn install')} and ${tests}; then merge with a merge commit, because squashing or rebasing would destroy the history.`;
}
