import { formatTable } from '@tributary/terminal/table';
import type { Collection, RepositorySummary, UpgradeSummary } from '../collect/collection.js';
import { SCREEN } from '../report/top-rows.js';
import { list, notesOf, sumNotes } from './collection-notes.js';
import type { TextStyle } from './text-style.js';

export interface CollectionChoice {
  readonly notes: 'all' | 'summed';
  /** The rows of each table; `undefined`: all repositories, and as many upgrades as the notes ask for. */
  readonly top: number | undefined;
}

/** Renders a collection for a terminal: a row for each repository, then the channels and what was left out, added up or with reasons. */
export function renderCollection(
  { repositories, upgrades }: Collection,
  style: TextStyle,
  { notes, top }: CollectionChoice = { notes: 'all', top: undefined },
): string {
  const changesOf = ({ changes }: RepositorySummary): number => changes.person + changes.bot;
  const inTable = top === undefined ? repositories : [...repositories].sort((a, b) => changesOf(b) - changesOf(a));
  const waiting = notes === 'all' && top === undefined ? upgrades : [...upgrades].sort((a, b) => b.open - a.open);
  return [
    renderRows(REPOSITORIES, inTable.map(cells), { style, top }),
    ...(upgrades.length === 0
      ? []
      : [renderRows(UPGRADES, waiting.map(upgradeCells), { style, top: top ?? (notes === 'all' ? undefined : SCREEN) })]),
    ...said(repositories, notes),
  ].join('\n\n');
}

const REPOSITORIES = { titles: ['repository', 'packages', 'changes', 'by bots', 'publications', 'published', 'events', 'new'], names: 1 };
const UPGRADES = { titles: ['package', 'consumer', 'taken', 'skipped', 'not yet'], names: 2 };

function renderRows(
  { titles, names }: typeof UPGRADES,
  rows: readonly (readonly string[])[],
  { style, top = rows.length }: { readonly style: TextStyle; readonly top: number | undefined },
): string {
  const columns = titles.map((title, at) => (at < names ? { title, shrink: 'start' as const } : { title, align: 'right' as const }));
  const table = formatTable({ columns, rows: rows.slice(0, top), styleTitle: style.bold }, style.width);
  return rows.length <= top ? table : `${table}\n${rows.length - top} more. All: --top ${rows.length}.`;
}

function cells({ repo, packages, changes, publications, pairs, published, inFirst, events }: RepositorySummary): readonly string[] {
  const counted = pairs - inFirst;
  const all = Object.values(publications).reduce((sum, count) => sum + count, 0);
  return [
    repo,
    String(packages.length),
    String(changes.person + changes.bot),
    String(changes.bot),
    String(all),
    counted === 0 ? '' : `${Math.round((published / counted) * 100)} %`,
    String(events.all),
    String(events.fresh),
  ];
}

function upgradeCells({ package: name, consumer, taken, skipped, open }: UpgradeSummary): readonly string[] {
  return [name, consumer, `${taken}`, `${skipped}`, `${open}`];
}

function said(repositories: readonly RepositorySummary[], which: CollectionChoice['notes']): readonly string[] {
  if (which === 'all') {
    const lines = repositories.flatMap((summary) => {
      const channels = channelsOf([summary]);
      const texts = [...(channels.length === 0 ? [] : [`channels: ${channels.join(', ')}.`]), ...notesOf(summary).map(({ text }) => text)];
      return texts.map((text) => `${summary.repo}: ${text}`);
    });
    return lines.length === 0 ? [] : [lines.join('\n')];
  }
  const channels = channelsOf(repositories);
  const notes = sumNotes(repositories.flatMap(notesOf));
  const lines = [
    ...(channels.length === 0 ? [] : [`Channels: ${list(channels.slice(0, SHOWN), channels.length)}.`]),
    ...(notes.length === 0 ? [] : [`Also seen: ${notes.join(', ')}. Details: --verbose.`]),
  ];
  return lines.length === 0 ? [] : [lines.join('\n')];
}

/** The channels that are shown without being asked for. */
const SHOWN = 8;

/** Returns the channels with their publications, for example `latest (74)`, those with most first. */
function channelsOf(repositories: readonly RepositorySummary[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { publications } of repositories)
    for (const [channel, count] of Object.entries(publications)) sums.set(channel, (sums.get(channel) ?? 0) + count);
  return [...sums].sort(([, a], [, b]) => b - a).map(([channel, count]) => `${channel} (${count})`);
}
