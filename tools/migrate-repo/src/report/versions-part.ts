import type { Obstacle } from '../align/candidates.js';
import { byWeight, changeInWords } from '../align/version-change.js';
import type { DeclarationRow, DependencyTable } from '../align/version-table.js';
import type { VersionFinding } from '../align/versions.js';
import { type MovedFor, movedSentences } from './moved-sentences.js';
import { namesOf } from './names.js';
import { code, type ReportPart } from './part.js';

export function versionsPart(tables: readonly DependencyTable[], findings: readonly VersionFinding[]): ReportPart {
  const changes = tables.flatMap(({ name, rows }) => rows.map((row) => ({ name, row }))).filter(({ row }) => isChanged(row));
  const inCatalogs = findings.flatMap(({ name, outcomes }) => outcomes.flatMap((outcome) => catalogSentence(name, outcome)));
  return {
    step: 'versions',
    decisions: [
      ...movedSentences(raised(tables), RAISED),
      ...tables.flatMap(leftSentence),
      ...new Set(inCatalogs),
      ...widenedSentences(tables),
    ],
    changes: changes.map(({ name, row }) => changeSentence(name, row)),
  };
}

const RAISED = {
  before: (how: string) => `Packages get newer versions than they had locked, ${how}`,
  after: 'See that the tests still pass; where they do not, ask for the old version exactly.',
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

/** One sentence for a dependency, however many declare it. */
function leftSentence({ name, rows }: DependencyTable): readonly string[] {
  const obstacles = rows.flatMap(({ left }) => left ?? []);
  const [obstacle] = obstacles.includes('ranges exclude each other') ? (['ranges exclude each other'] as const) : obstacles;
  if (obstacle === undefined) return [];
  const groups = new Map<string, string[]>();
  for (const { workspace, range, locked, change } of rows) {
    const version = change?.to ?? locked;
    const side = `${code(range.to)}${version === undefined ? '' : ` (${version})`}`;
    groups.set(side, [...(groups.get(side) ?? []), workspace.name]);
  }
  const sides = [...groups].map(([side, names]) => `${namesOf([...new Set(names)])} ${new Set(names).size === 1 ? 'has' : 'have'} ${side}`);
  return [`${name}: ${sides.join('; ')}. ${OBSTACLES[obstacle]}; nothing was changed.`];
}

function catalogSentence(name: string, outcome: VersionFinding['outcomes'][number]): readonly string[] {
  if (outcome.kind !== 'by policy' || outcome.inCatalogs.length === 0) return [];
  return [`${name}: the catalog that ${namesOf(outcome.inCatalogs.map(({ workspace }) => workspace.name))} uses has another range.`];
}

/** By package: what it publishes that admits more than before. */
function widenedSentences(tables: readonly DependencyTable[]): readonly string[] {
  const widened = new Map<string, string[]>();
  for (const { name, rows } of tables) {
    for (const { workspace, range } of rows.filter(({ widensFor }) => widensFor === 'consumers')) {
      widened.set(workspace.name, [...(widened.get(workspace.name) ?? []), `${name} ${code(range.from)} became ${code(range.to)}`]);
    }
  }
  return [...widened].map(
    ([name, ranges]) =>
      `${name} is published, and those who install it may get versions now that it excluded: ${ranges.join(', ')}. Put a range back that it needs.`,
  );
}
