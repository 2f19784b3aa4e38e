import { ToolError } from '@tributary/model/errors';
import { dropCommands } from '@tributary/terminal/drop-commands';
import { isFilter } from './plan/runnable.js';
import type { AffectedResult } from './result.js';

/** The output formats for programs. */
export type ListFormat = 'json' | 'names' | 'paths' | 'turbo-filter';

/** What ends an entry of a list: `nul` carries every name. */
export type ListEnd = 'line' | 'nul';

/**
 * Renders an answer, each entry with its end. Throws `NAME_UNPRINTABLE` for an entry that its reader would take for something else: a name
 * comes from a pull request, and `$(…)` splits at white space.
 */
export function renderList(result: AffectedResult, format: ListFormat, end: ListEnd = 'line'): string {
  if (format === 'json') return `${JSON.stringify(result, null, 2)}\n`;
  const entries = LISTS[format](result);
  if (end === 'nul') return entries.map((entry) => `${entry}\0`).join('');
  return entries.map((entry) => `${checkEntry(entry, format)}\n`).join('');
}

const LISTS: Readonly<Record<Exclude<ListFormat, 'json'>, (result: AffectedResult) => readonly string[]>> = {
  names: ({ workspaces }) => workspaces.map(({ name }) => name),
  /** `.` for the root. */
  paths: ({ workspaces }) => workspaces.map(({ path }) => path),
  'turbo-filter': turboFilters,
};

/**
 * Returns a `--filter=` for each workspace. An empty selection becomes a filter that matches nothing, because without a filter turborepo
 * runs everything. The root is left out: its scripts call turborepo themselves.
 */
function turboFilters({ workspaces }: AffectedResult): readonly string[] {
  const paths = workspaces.map(({ path }) => path).filter((path) => path !== '.');
  const other = paths.find(isFilter);
  if (other !== undefined) throw unprintable(other, 'turborepo reads it as another filter');
  return paths.length === 0 ? [NOBODY] : paths.map((path) => `--filter=./${path}`);
}

const NOBODY = '--filter=!*';

function checkEntry(entry: string, format: ListFormat): string {
  if (/[\s\p{Cc}\p{Cf}]/u.test(entry)) throw unprintable(entry, 'it has white space or a character that is not shown');
  if (entry.startsWith('-') && format !== 'turbo-filter') throw unprintable(entry, 'a program would read it as an option');
  if (dropCommands(entry) !== entry) throw unprintable(entry, 'a CI engine would read it as a command');
  return entry;
}

function unprintable(name: string, why: string): ToolError {
  return new ToolError({
    code: 'NAME_UNPRINTABLE',
    message: `${JSON.stringify(name)} cannot be an entry of this list: ${why}.`,
    hint: 'Rename the workspace or its folder, or use --json, or -z with --format names or paths.',
    data: { name },
  });
}
