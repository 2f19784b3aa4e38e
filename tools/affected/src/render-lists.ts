import type { AffectedResult } from './result.js';

/** The forms of an answer for programs. */
export type ListFormat = 'json' | 'names' | 'paths' | 'turbo-filter';

/** With a line break at the end, unless it is empty. */
export function renderList(result: AffectedResult, format: ListFormat): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(result, null, 2)}\n`;
    case 'names':
      return renderNames(result);
    case 'paths':
      return renderPaths(result);
    case 'turbo-filter':
      return renderTurboFilter(result);
  }
}

/** One name a line; empty for nobody. */
export function renderNames({ workspaces }: AffectedResult): string {
  return lines(workspaces.map(({ name }) => name));
}

/** One folder a line, `.` for the root; empty for nobody. */
export function renderPaths({ workspaces }: AffectedResult): string {
  return lines(workspaces.map(({ path }) => path));
}

/**
 * One `--filter=` a line for turborepo. Nobody is a filter that nothing matches: without any, turborepo would run everything. The root
 * is left out, whose scripts call turborepo itself.
 */
export function renderTurboFilter({ workspaces }: AffectedResult): string {
  const filters = workspaces.filter(({ path }) => path !== '.').map(({ path }) => `--filter=./${path}`);
  return lines(filters.length === 0 ? [NOBODY] : filters);
}

const NOBODY = '--filter=!*';

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
