import type { Obstacle } from '../align/candidates.js';
import { byWeight, changeInWords } from '../align/version-change.js';
import type { DeclarationRow, DependencyTable } from '../align/version-table.js';
import type { VersionFinding } from '../align/versions.js';
import { type MovedFor, movedSentences } from './moved-sentences.js';
import { namesOf } from './names.js';
import { code, type Reason, type ReportPart } from './part.js';

export function versionsPart(tables: readonly DependencyTable[], findings: readonly VersionFinding[]): ReportPart {
  const changes = tables.flatMap(({ name, rows }) => rows.map((row) => ({ name, row }))).filter(({ row }) => isChanged(row));
  const inCatalogs = findings.flatMap(({ name, outcomes }) => outcomes.flatMap((outcome) => catalogSentence(name, outcome)));
  return {
    step: 'versions',
    decisions: [
      ...movedSentences(raised(tables), RAISED),
      ...tables.flatMap(leftReasons),
      ...new Set(inCatalogs),
      ...tables.flatMap(widenedReasons),
    ],
    changes: changes.map(({ name, row }) => changeSentence(name, row)),
  };
}

const RAISED = {
  before: (how: string) => `Packages get newer versions than they had locked, ${how}`,
  byDefault: 'Each gets the version that the monorepo or another imported package has.',
  toChange: 'Run the tests. An exact version in a package.json keeps the former one.',
};

/** What no policy has decided. What gets older is told where it can be known, behind the installation. */
function raised(tables: readonly DependencyTable[]): readonly MovedFor[] {
  const moved = tables.flatMap(({ name, rows }) =>
    rows.flatMap(({ workspace, isNew, change, policy }): readonly MovedFor[] =>
      isNew && change?.direction === 'up' && policy === undefined ? [{ name, change, for: [workspace.name], through: [] }] : [],
    ),
  );
  return moved.sort(byWeight);
}

function isChanged({ range, change }: DeclarationRow): boolean {
  return range.from !== range.to || change !== undefined;
}

function changeSentence(name: string, { workspace, range, change, policy }: DeclarationRow): string {
  const ranges = range.from === range.to ? code(range.from) : `${code(range.from)} became ${code(range.to)}`;
  const moved = change === undefined ? '' : `, ${changeInWords(change)}`;
  return `${workspace.name}: ${name} ${ranges}${moved}${policy === undefined ? '' : ` (policy "${policy}")`}`;
}

const OBSTACLES: { readonly [One in Obstacle]: string } = {
  'ranges exclude each other': 'No version satisfies all of them',
  'locked apart': 'The ranges overlap, but what is locked on one side does not satisfy the other',
  'breaks in minors': 'The ranges overlap, but minor versions of it break as majors of others do, and what is locked differs in one',
  'open above': 'One of them admits versions that may break, which the other excludes',
  'nothing locked': 'Nothing is locked, and one of them admits what the other excludes',
  overridden: 'One of the packages that came says at its own root which version it gets',
};

/** Everybody who declares it, where one of them has to be decided about. */
function leftReasons({ name, rows }: DependencyTable): readonly Reason[] {
  const obstacles = rows.flatMap(({ left }) => left ?? []);
  const [obstacle] = obstacles.includes('ranges exclude each other') ? (['ranges exclude each other'] as const) : obstacles;
  if (obstacle === undefined) return [];
  return rows.map(({ workspace, range, locked, change }): Reason => {
    const version = change?.to ?? locked;
    const detail = `${code(range.to)}${version === undefined ? '' : ` (${version})`}`;
    return { topic: 'versions', package: workspace.name, place: name, text: `${OBSTACLES[obstacle]}.`, detail };
  });
}

function catalogSentence(name: string, outcome: VersionFinding['outcomes'][number]): readonly string[] {
  if (outcome.kind !== 'by policy' || outcome.inCatalogs.length === 0) return [];
  return [`${name}: the catalog that ${namesOf(outcome.inCatalogs.map(({ workspace }) => workspace.name))} uses has another range.`];
}

/** What a package publishes that admits more than before. */
function widenedReasons({ name, rows }: DependencyTable): readonly Reason[] {
  const widened = rows.filter(({ widensFor }) => widensFor === 'consumers');
  return widened.map(({ workspace, range }) => ({
    topic: 'widened',
    package: workspace.name,
    place: name,
    text: 'Its range admits more than before.',
    detail: `${code(range.from)} became ${code(range.to)}`,
  }));
}
