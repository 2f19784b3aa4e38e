import { availableParallelism } from 'node:os';
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';

/** A row, by the names of its columns. BIGINT comes as `bigint`. */
export type Row = Readonly<Record<string, DuckDBValue>>;

/** DuckDB in memory, for as long as a command runs; what it reads and writes are files of the record. The only place that knows the library. */
export class Database {
  private readonly connection: DuckDBConnection;
  private readonly instance: DuckDBInstance;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.instance = instance;
    this.connection = connection;
  }

  /** `memory`: what it may hold before it goes to the disk, such as `1GB`. */
  static async open({ memory = '1GB' }: { readonly memory?: string } = {}): Promise<Database> {
    const instance = await DuckDBInstance.create(':memory:', {
      // Nothing is ever fetched: what it needs is built in.
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      memory_limit: memory,
      preserve_insertion_order: 'false',
      threads: String(availableParallelism()),
    });
    return new Database(instance, await instance.connect());
  }

  async run(sql: string): Promise<void> {
    await this.connection.run(sql);
  }

  async rows(sql: string): Promise<readonly Row[]> {
    const reader = await this.connection.runAndReadAll(sql);
    return reader.getRowObjects();
  }

  /** How many rows a table has. */
  async count(table: string): Promise<number> {
    const [row] = await this.rows(`select count(*) as rows from ${table}`);
    return Number(row?.['rows'] ?? 0);
  }

  /** Columns of numbers in the order of the query; DOUBLE and INTEGER only. For what is too many to be rows. */
  async columns(sql: string): Promise<readonly (readonly number[])[]> {
    const reader = await this.connection.runAndReadAll(sql);
    return reader.getColumns() as unknown as readonly (readonly number[])[];
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
  }
}
