import { EVENT_COLUMNS, REQUIRED_COLUMNS } from './event-columns.js';
import { parquetQuery } from './event-queries.js';

const COLUMNS = Object.entries(EVENT_COLUMNS);

/** Returns the statement that creates the table for the queries in PostgreSQL. */
export function postgresSchema(): string {
  const isRequired = (name: string): boolean => (REQUIRED_COLUMNS as readonly string[]).includes(name);
  const columns = COLUMNS.map(
    ([name, type]) => `  ${name} ${type === 'VARCHAR' ? 'text' : type.toLowerCase()}${isRequired(name) ? ' not null' : ''}`,
  );
  return `create table if not exists stored_event (\n${columns.join(',\n')}\n);`;
}

/** Returns the statement before the lines of `loadLinesQuery`; after them comes `\.`. */
export function postgresCopy(): string {
  return `copy stored_event (${COLUMNS.map(([name]) => name).join(', ')}) from stdin with (format csv);`;
}

/**
 * Returns the query for the events of Parquet files, each as `line` in the CSV that PostgreSQL's `copy` reads. Null is an empty field
 * without quotes.
 */
export function loadLinesQuery(files: readonly string[]): string {
  const fields = COLUMNS.map(([name, type]) =>
    type === 'VARCHAR' ? `coalesce('"' || replace(${name}, '"', '""') || '"', '')` : `coalesce(${name}::varchar, '')`,
  );
  return `select ${fields.join(` || ',' || `)} as line from (${parquetQuery(files)})`;
}
