import type { BoundFigures } from './share-bounds.js';
import { type ObservedFigures, USES, type Use } from './share-observed.js';

const BOUNDS = ['tuned', 'narrow', 'noInstall', 'unread', 'minimum'] as const;

const BOUND_HEAD = [
  'repository',
  'commits',
  'tuned',
  'narrow, nobody read anything',
  'and nothing ran during the installation',
  'and no unclaimed file acts unread',
  'graph and lockfile alone',
];

/** Returns a Markdown table of mean shares, each with the number of commits that select everything. */
export function formatBounds(figures: readonly { readonly repository: string; readonly commits: readonly BoundFigures[] }[]): string {
  return table([
    BOUND_HEAD,
    ...figures.map(({ repository, commits }) => [
      repository,
      String(commits.length),
      ...BOUNDS.map((bound) => {
        const everything = commits.filter((one) => one[bound] === one.workspaceCount).length;
        return `${meanOf(commits.map((one) => one[bound] / one.workspaceCount))}, ${everything} all`;
      }),
    ]),
  ]);
}

/** Returns why everything was selected, and why `narrow` would spare nobody then, the most frequent first. */
export function formatReasons(commits: readonly BoundFigures[]): string {
  return [
    ...countsOf(commits.flatMap(({ all }) => all ?? [])).map((line) => `  everything: ${line}`),
    ...countsOf(commits.flatMap(({ kept }) => (kept === undefined ? [] : [withoutNames(kept)]))).map((line) => `  not narrowed: ${line}`),
  ].join('\n');
}

/** Returns a Markdown table of mean shares of the observed workspaces, and of their test files, by use. */
export function formatObserved(repository: string, commits: readonly ObservedFigures[]): string {
  const rowOf = (title: string, key: 'workspaces' | 'testFiles', of: 'of' | 'ofFiles'): string[] => {
    const known = commits.filter((one) => one[of] > 0);
    return [title, ...USES.map((use: Use) => meanOf(known.map((one) => one[key][use] / one[of])))];
  };
  const kept = countsOf(commits.flatMap((one) => (one.kept === undefined ? [] : [withoutNames(one.kept)])));
  return [
    table([[repository, ...USES], rowOf('observed workspaces', 'workspaces', 'of'), rowOf('their test files', 'testFiles', 'ofFiles')]),
    ...kept.map((line) => `  not narrowed: ${line}`),
  ].join('\n');
}

function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...others] = rows;
  return [head, head.map(() => '---'), ...others].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function meanOf(shares: readonly number[]): string {
  return `${((100 * shares.reduce((sum, share) => sum + share, 0)) / Math.max(shares.length, 1)).toFixed(1)} %`;
}

function countsOf(texts: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([text, count]) => `${String(count).padStart(3)} ${text}`);
}

/** Joins warnings that differ only by files and commits. */
function withoutNames(warning: string): string {
  return warning
    .replace(/^.*for example because /, '')
    .replace(/^\S+ changed/, 'a file changed')
    .replace(/which \S+ may run/, 'which another file may run')
    .replace(/, since its observed run at \w+/, '');
}
