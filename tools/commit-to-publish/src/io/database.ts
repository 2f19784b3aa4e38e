import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type DuckDBResultReader, type DuckDBValue } from '@duckdb/node-api';
import type { Micros } from '../model/event.js';
import { nameDatabaseFailure } from './database-failure.js';

/** A row, by column name. BIGINT is returned as `bigint`. */
export type DatabaseRow = Readonly<Record<string, DuckDBValue>>;

/** Returns the text of a column; `undefined` for null. */
export function textIn(row: DatabaseRow, column: string): string | undefined {
  const value = row[column];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the moment or length of a BIGINT column; `undefined` for null. */
export function microsIn(row: DatabaseRow, column: string): Micros | undefined {
  const value = row[column];
  return typeof value === 'bigint' ? (Number(value) as Micros) : undefined;
}

/**
 * DuckDB in memory, open while a command runs; it reads and writes files of the record. Only this class knows the library. All its queries
 * throw `DISK_FULL`, `FILE_UNUSABLE`.
 */
export class Database {
  private readonly connection: DuckDBConnection;
  private readonly instance: DuckDBInstance;

  private readonly scratch: string;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, scratch: string) {
    this.instance = instance;
    this.connection = connection;
    this.scratch = scratch;
  }

  /** `memory`: the limit above which it uses the disk, such as `1GB`. */
  static async open({ memory = '1GB' }: { readonly memory?: string } = {}): Promise<Database> {
    // DuckDB creates it when needed. Its default is the working directory, which is a user's repository.
    const scratch = join(tmpdir(), `commit-to-publish-${randomBytes(8).toString('hex')}`);
    const instance = await DuckDBInstance.create(':memory:', {
      // DuckDB never downloads extensions: the built-in ones suffice.
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      memory_limit: memory,
      preserve_insertion_order: 'false',
      temp_directory: scratch,
      threads: String(availableParallelism()),
    });
    return new Database(instance, await instance.connect(), scratch);
  }

  async run(sql: string): Promise<void> {
    await this.read(sql);
  }

  async rows(sql: string): Promise<readonly DatabaseRow[]> {
    return (await this.read(sql)).getRowObjects();
  }

  /** Returns the rows of a query in batches, so that the result need not fit into memory. */
  async *batches(sql: string): AsyncGenerator<readonly DatabaseRow[]> {
    const result = await orNamed(this.connection.stream(sql));
    const names = result.deduplicatedColumnNames();
    for (;;) {
      const chunk = await orNamed(result.fetchChunk());
      if (chunk === null || chunk.rowCount === 0) return;
      yield chunk.getRowObjects(names);
    }
  }

  private read(sql: string): Promise<DuckDBResultReader> {
    return ask(this.connection, sql);
  }

  /** Returns the number of rows of a table. */
  async count(table: string): Promise<number> {
    const [row] = await this.rows(`select count(*) as rows from ${table}`);
    return Number(row?.['rows'] ?? 0);
  }

  /**
   * Returns numeric columns in the order of the query: only DOUBLE and INTEGER, without null. For results with too many rows for objects.
   */
  async columns(sql: string): Promise<readonly Float64Array[]> {
    const result = await orNamed(this.connection.run(sql));
    const chunks = await orNamed(result.fetchAllChunks());
    const count = chunks.reduce((sum, { rowCount }) => sum + rowCount, 0);
    return Array.from({ length: result.columnCount }, (_, column) => {
      const values = new Float64Array(count);
      let at = 0;
      for (const chunk of chunks) {
        const vector = chunk.getColumnVector(column);
        for (let row = 0; row < chunk.rowCount; row++) values[at++] = Number(vector.getItem(row));
      }
      return values;
    });
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
    rmSync(this.scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

function ask(connection: DuckDBConnection, sql: string): Promise<DuckDBResultReader> {
  return orNamed(connection.runAndReadAll(sql));
}

async function orNamed<Value>(answer: Promise<Value>): Promise<Value> {
  try {
    return await answer;
  } catch (error) {
    throw nameDatabaseFailure(error);
  }
}
