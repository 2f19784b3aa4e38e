import type { CommitFigures } from './oracle-commits.js';

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
  'turborepo selects',
  'turborepo missed',
  'turborepo failed',
];

/** Returns a Markdown table with one row for each repository. Shares are means over commits; turborepo's over those that it answered. */
export function formatOracle(figures: readonly RepositoryFigures[]): string {
  const rows = figures.map(rowOf);
  return [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function rowOf({ repository, commits }: RepositoryFigures): string[] {
  const answered = commits.flatMap(({ turbo, workspaceCount, minimum }) =>
    'failed' in turbo ? [] : [{ ...turbo, workspaceCount, minimum }],
  );
  return [
    repository,
    String(commits.length),
    String(commits.filter(({ all }) => all !== null).length),
    percent(commits.map(({ affected, workspaceCount }) => affected / workspaceCount)),
    percent(commits.map(({ minimum, workspaceCount }) => minimum / workspaceCount)),
    missed(commits),
    percent(answered.map(({ selected, workspaceCount }) => selected / workspaceCount)),
    missed(answered),
    String(commits.length - answered.length),
  ];
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
