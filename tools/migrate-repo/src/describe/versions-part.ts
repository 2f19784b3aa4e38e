import type { Obstacle } from '../align/candidates.js';
import { byWeight, changeInWords } from '../align/version-change.js';
import type { DeclarationRow, DependencyTable } from '../align/version-table.js';
import type { VersionFinding } from '../align/versions.js';
import { groupMessages } from '../message.js';
import { code, namesOf } from '../text.js';
import { type MovedFor, movedReasons } from './moved-reasons.js';
import type { Reason, ReportPart } from './part.js';

export function versionsPart(tables: readonly DependencyTable[], findings: readonly VersionFinding[]): ReportPart {
  const changes = tables.flatMap(({ name, rows }) => rows.map((row) => ({ name, row }))).filter(({ row }) => isChanged(row));
  const inCatalogs = findings.flatMap(({ name, outcomes }) => outcomes.flatMap((outcome) => catalogSentence(name, outcome)));
  return {
    step: 'versions',
    decisions: [
      ...movedReasons(raised(tables), 'newer-breaking'),
      ...tables.filter(isOpen).flatMap(leftReasons),
      ...new Set(inCatalogs),
      ...tables.flatMap(widenedReasons),
    ],
    changes: [
      ...changes.map(({ name, row }) => changeSentence(name, row)),
      ...groupMessages(tables.filter((table) => !isOpen(table)).flatMap(leftReasons)),
    ],
  };
}

/** Returns upgrades that no policy has decided. Downgrades are reported after the installation, when they are known. */
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
  'locked apart': 'The ranges overlap, but the locked version of one side does not satisfy the other',
  'breaks in minors': 'The ranges overlap, but minor versions of this package may break, and the locked ones differ',
  'lower or wider': 'One range for all would allow versions that one of them excludes',
  'a pin': 'One range for all would restrict the consumers of the package',
  published: 'One range for all would change only what is published',
  'an older version': 'One range for all would lead to an older version than was locked',
  overridden: 'One of the imported packages sets its version in its own root settings',
};

const HARD: readonly Obstacle[] = ['ranges exclude each other', 'locked apart', 'breaks in minors', 'overridden'];

/** Whether a dependency needs a decision: code of several packages loads it, and they get different versions. */
function isOpen({ rows }: DependencyTable): boolean {
  const loaded = rows.filter(({ isTool }) => !isTool);
  const obstacles = loaded.flatMap(({ left }) => left ?? []);
  const versions = new Set(loaded.flatMap(({ change, locked }) => change?.to ?? locked ?? []));
  return loaded.length > 1 && (obstacles.some((one) => HARD.includes(one)) || (obstacles.length > 0 && versions.size > 1));
}

/** Returns all declarations of a dependency as reasons, if one of them needs a decision. */
function leftReasons({ name, rows }: DependencyTable): readonly Reason[] {
  const obstacles = rows.flatMap(({ left }) => left ?? []);
  const obstacle = HARD.find((one) => obstacles.includes(one)) ?? obstacles[0];
  if (obstacle === undefined) return [];
  return rows.map((row): Reason => {
    return { topic: 'versions', package: row.workspace.name, place: name, text: `${OBSTACLES[obstacle]}.`, detail: rangeOf(row) };
  });
}

function rangeOf({ range, locked, change }: DeclarationRow): string {
  const version = change?.to ?? locked;
  return `${code(range.to)}${version === undefined || version === range.to ? '' : ` (${version})`}`;
}

function catalogSentence(name: string, outcome: VersionFinding['outcomes'][number]): readonly string[] {
  if (outcome.kind !== 'by policy' || outcome.inCatalogs.length === 0) return [];
  return [`${name}: the catalog that ${namesOf(outcome.inCatalogs.map(({ workspace }) => workspace.name))} uses has a different range.`];
}

/** Returns published ranges that now admit more versions. */
function widenedReasons({ name, rows }: DependencyTable): readonly Reason[] {
  const widened = rows.filter(({ widensFor }) => widensFor === 'consumers');
  return widened.map(({ workspace, range }) => ({
    topic: 'widened',
    package: workspace.name,
    place: name,
    text: 'Its range allows more than before.',
    detail: `${code(range.from)} became ${code(range.to)}`,
  }));
}
