import { EVENT_COLUMNS } from './event-columns.js';
import { quote } from './sql.js';

export const DIALECTS = ['duckdb', 'spark', 'postgres'] as const;
export type DialectName = (typeof DIALECTS)[number];

/** The SQL that differs between the databases in which the queries of a report run. All other SQL is common to them. */
export interface Dialect {
  readonly name: DialectName;
  /**
   * Returns an aggregate: the `value` of the first or last row by the columns of `order`, among the rows that meet the condition. No column
   * may be null.
   */
  readonly pick: (which: 'first' | 'last', what: Picked) => string;
  /** Returns the statement that makes the events in the Parquet file of a record the table `stored_event`. */
  readonly open: (record: string) => string;
  /** Returns statements that keep the result of a query under a name, so that later queries do not compute it again. */
  readonly keep: (name: string, query: string) => readonly string[];
}

interface Picked {
  readonly value: string;
  readonly order: readonly string[];
  /** Missing: all rows. */
  readonly where?: string;
}

/** `fields` returns an expression that combines several values into one that the database compares field by field. */
function pickStruct(fields: (values: readonly string[]) => string): Dialect['pick'] {
  return (which, { value, order, where }) =>
    `(${which === 'first' ? 'min' : 'max'}(${fields([...order, value])})${filter(where)}).f${order.length}`;
}

function filter(where: string | undefined): string {
  return where === undefined ? '' : ` filter (where ${where})`;
}

export const DUCKDB: Dialect = {
  name: 'duckdb',
  pick: pickStruct((values) => `{${values.map((value, at) => `f${at}: ${value}`).join(', ')}}`),
  open: (record) => `create or replace temporary view stored_event as select * from read_parquet(${quote(`${record}/events.parquet`)});`,
  keep: (name, query) => [`create or replace temporary table ${name} as ${query};`],
};

/** With the columns given, Spark need not inspect the file for them. */
const SPARK_COLUMNS = Object.entries(EVENT_COLUMNS).map(([name, type]) => `${name} ${type === 'VARCHAR' ? 'string' : type.toLowerCase()}`);

const SPARK: Dialect = {
  name: 'spark',
  pick: pickStruct((values) => `named_struct(${values.map((value, at) => `'f${at}', ${value}`).join(', ')})`),
  open: (record) =>
    `create or replace temporary view stored_event (${SPARK_COLUMNS.join(', ')}) using parquet options (path ${quote(`${record}/events.parquet`)});`,
  keep: (name, query) => [`drop view if exists ${name};`, `cache table ${name} as ${query};`],
};

const POSTGRES: Dialect = {
  name: 'postgres',
  pick: (which, { value, order, where }) =>
    `(array_agg(${value} order by ${[...order, value].map((column) => `${column}${which === 'last' ? ' desc' : ''}`).join(', ')})${filter(where)})[1]`,
  // Without this, PostgreSQL prints a notice for each table that does not exist yet.
  open: () => 'set client_min_messages = warning;\n-- The table stored_event: see "commit-to-publish sql --dialect postgres --load".',
  keep: (name, query) => [`drop table if exists ${name};`, `create temporary table ${name} as ${query};`],
};

export function dialectOf(name: DialectName): Dialect {
  return { duckdb: DUCKDB, spark: SPARK, postgres: POSTGRES }[name];
}
