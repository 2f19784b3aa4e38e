import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type DuckDBResultReader, type DuckDBValue } from '@duckdb/node-api';
import { ToolError } from '@tributary/model/errors';
import { holdSignals } from '@tributary/process/hold-signals';
import { diskFullAt } from '@tributary/process/unusable-file';
import type { Micros } from '../model/event.js';

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
  private readonly signal: AbortSignal | undefined;
  private readonly releases: (() => Promise<void>)[] = [];

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, { scratch, signal }: Surroundings) {
    this.instance = instance;
    this.connection = connection;
    this.scratch = scratch;
    this.signal = signal;
    signal?.addEventListener('abort', () => connection.interrupt(), { once: true });
  }

  /** `memory`: the limit above which it uses the disk, such as `1GB`. `signal`: of a command that handles signals itself. */
  static async open({ memory = '1GB', signal }: { readonly memory?: string; readonly signal?: AbortSignal } = {}): Promise<Database> {
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
    return new Database(instance, await instance.connect(), { scratch, signal });
  }

  async run(sql: string): Promise<void> {
    await this.read(sql);
  }

  async rows(sql: string): Promise<readonly DatabaseRow[]> {
    return (await this.read(sql)).getRowObjects();
  }

  /** Returns the rows of a query in batches, so that the result need not fit into memory. */
  async *batches(sql: string): AsyncGenerator<readonly DatabaseRow[]> {
    const result = await this.ask(() => this.connection.stream(sql));
    const names = result.deduplicatedColumnNames();
    for (;;) {
      const chunk = await this.ask(() => result.fetchChunk());
      if (chunk === null || chunk.rowCount === 0) return;
      yield chunk.getRowObjects(names);
    }
  }

  private read(sql: string): Promise<DuckDBResultReader> {
    return this.ask(() => this.connection.runAndReadAll(sql));
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
    const result = await this.ask(() => this.connection.run(sql));
    const chunks = await this.ask(() => result.fetchAllChunks());
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

  /** Waits for the library, which computes in threads of its own. A signal interrupts it. */
  private async ask<Value>(question: () => Promise<Value>): Promise<Value> {
    this.signal?.throwIfAborted();
    const release = holdSignals(() => this.connection.interrupt());
    try {
      return await question();
    } catch (error) {
      throw nameDatabaseFailure(error);
    } finally {
      // What it has written to the disk must be removed first.
      if (existsSync(this.scratch)) this.releases.push(release);
      else await release();
    }
  }

  /** Lets a signal be seen between two computations. Throws `INTERRUPTED` after one, if the command handles signals. */
  async pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.signal?.throwIfAborted();
  }

  async close(): Promise<void> {
    this.connection.closeSync();
    this.instance.closeSync();
    rmSync(this.scratch, { recursive: true, force: true, maxRetries: 5 });
    for (const release of this.releases.splice(0)) await release();
  }
}

interface Surroundings {
  /** The folder for what does not fit into memory. */
  readonly scratch: string;
  readonly signal: AbortSignal | undefined;
}

/** Converts a failure of the disk or the memory in DuckDB to a `ToolError`; returns any other error unchanged. */
function nameDatabaseFailure(error: unknown): unknown {
  const message = String((error as { readonly message?: unknown } | undefined)?.message);
  const file = /"(\/[^"]*)"/.exec(message)?.[1];
  if (/No space left on device|Disk quota exceeded/i.test(message)) return diskFullAt(file ?? 'the database', error);
  if (message.startsWith('INTERRUPT Error'))
    return new ToolError({ code: 'INTERRUPTED', message: 'The command was interrupted.', cause: error });
  const full = TOO_LARGE.find(({ text }) => text.test(message));
  if (full !== undefined) return new ToolError({ ...full.failure, cause: error });
  const reason = Object.entries(REFUSED).find(([text]) => message.includes(text))?.[1];
  if (reason === undefined || file === undefined) return error;
  return new ToolError({
    code: 'FILE_UNUSABLE',
    message: `${file} cannot be used, because ${reason}.`,
    hint: 'Let this user read and write all files of the record.',
    data: { file },
    cause: error,
  });
}

const REFUSED: Readonly<Record<string, string>> = {
  'Permission denied': 'that is not allowed',
  'Operation not permitted': 'that is not allowed',
  'Read-only file system': 'its disk is read-only',
};

/** Failures for data that does not fit into memory. */
const TOO_LARGE = [
  {
    text: /max_temp_directory_size/,
    failure: {
      code: 'DISK_FULL',
      message: 'The temporary folder is full, and the data does not fit into memory.',
      hint: 'Free some space, or name another folder in TMPDIR, and run the same command again.',
    },
  },
  {
    text: /^Out of Memory Error/,
    failure: {
      code: 'MEMORY_FULL',
      message: 'The events of this question need more memory than the database may use.',
      hint: 'Run "commit-to-publish compact" first, or ask for fewer weeks.',
    },
  },
] as const;
