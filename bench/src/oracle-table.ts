import type { CommitFigures, PeerFigures } from './oracle-commits.js';

/** The results for one repository. */
export interface RepositoryFigures {
  readonly repository: string;
  readonly commits: readonly CommitFigures[];
}

const HEAD = [
  'repository',
  'commits',
  '"everything"',
  'affected selects',
  'brute-force minimum',
  'affected missed',
  ...columnsOf('turborepo'),
];

/**
 * Returns a Markdown table with one row for each repository, with columns for Nx if it was asked. Shares are means over commits; those of a
 * peer over the commits that it answered.
 */
export function formatOracle(figures: readonly RepositoryFigures[]): string {
  const head = [...HEAD, ...(figures.some(({ commits }) => commits.some(({ nx }) => nx)) ? columnsOf('Nx') : [])];
  const rows = figures.map(rowOf);
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function columnsOf(peer: string): string[] {
  return ['selects', 'missed', 'failed'].map((figure) => `${peer} ${figure}`);
}

function rowOf({ repository, commits }: RepositoryFigures): string[] {
  return [
    repository,
    String(commits.length),
    String(commits.filter(({ all }) => all !== null).length),
    percent(commits.map(({ affected, workspaceCount }) => affected / workspaceCount)),
    percent(commits.map(({ minimum, workspaceCount }) => minimum / workspaceCount)),
    missed(commits),
    ...cellsOf(commits.map(({ turbo, workspaceCount }) => ({ ...turbo, workspaceCount }))),
    ...cellsOf(commits.flatMap(({ nx, workspaceCount }) => (nx ? [{ ...nx, workspaceCount }] : []))),
  ];
}

function cellsOf(figures: readonly (PeerFigures & { readonly workspaceCount: number })[]): string[] {
  if (figures.length === 0) return [];
  const answered = figures.flatMap((figure) => ('failed' in figure ? [] : [figure]));
  const shares = answered.map(({ selected, workspaceCount }) => selected / workspaceCount);
  return [percent(shares), missed(answered), String(figures.length - answered.length)];
}

function percent(shares: readonly number[]): string {
  if (shares.length === 0) return '-';
  return `${((100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length).toFixed(1)} %`;
}

function missed(commits: readonly { readonly misses: readonly unknown[] }[]): string {
  const failing = commits.filter(({ misses }) => misses.length > 0);
  if (failing.length === 0) return '0';
  return `${failing.reduce((sum, { misses }) => sum + misses.length, 0)} in ${failing.length} commits`;
}

/** Returns a line for each workspace that affected missed. */
export function formatMisses(figures: readonly RepositoryFigures[]): string {
  return figures
    .flatMap(({ repository, commits }) =>
      commits.flatMap(({ commit, misses }) => misses.map(({ workspace, why }) => `missed: ${repository} ${commit} ${workspace}: ${why}`)),
    )
    .join('\n');
}
