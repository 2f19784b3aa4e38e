import type { AffectedResult } from './result.js';

/** The output formats for programs. */
export type ListFormat = 'json' | 'names' | 'paths' | 'turbo-filter';

/** Renders an answer with a line break at the end, unless it is empty. */
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

/** Renders one name per line; empty if there is none. */
export function renderNames({ workspaces }: AffectedResult): string {
  return lines(workspaces.map(({ name }) => name));
}

/** Renders one folder per line, `.` for the root; empty if there is none. */
export function renderPaths({ workspaces }: AffectedResult): string {
  return lines(workspaces.map(({ path }) => path));
}

/**
 * Renders one `--filter=` per line for turborepo. An empty selection becomes a filter that matches nothing, because without a filter
 * turborepo runs everything. It omits the root, whose scripts call turborepo themselves.
 */
export function renderTurboFilter({ workspaces }: AffectedResult): string {
  const filters = workspaces.filter(({ path }) => path !== '.').map(({ path }) => `--filter=./${path}`);
  return lines(filters.length === 0 ? [NOBODY] : filters);
}

const NOBODY = '--filter=!*';

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
