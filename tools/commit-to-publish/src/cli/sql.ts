import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import type { Ui } from '@tributary/terminal/ui';
import { type DialectName, dialectOf } from '../engine/dialect.js';
import { loadLinesQuery, postgresCopy, postgresSchema } from '../engine/postgres-load.js';
import { formatScript, reportScript } from '../engine/report-script.js';
import { Database } from '../io/database.js';
import { checkParquet, listFiles, parquetOf, type RecordFiles } from '../io/record-files.js';
import type { ReportQuestion } from '../report/question.js';

interface SqlRequest {
  readonly question: ReportQuestion;
  readonly dialect: DialectName;
  readonly record: AbsolutePath;
}

/** Prints the queries of a report over the Parquet file of a record. */
export function runSql({ question, dialect: name, record }: SqlRequest, { ui }: Services): void {
  const { parquet } = warnOfJournal(record, ui);
  const dialect = dialectOf(name);
  if (name !== 'postgres' && parquet.some(({ file }) => file !== parquetOf(record))) throw isOlder(record);
  ui.data(`${dialect.open(record)}\n\n${formatScript(reportScript(question, { dialect, stored: 'stored_event' }), dialect)}`);
}

/** Prints statements that load the events of a record into PostgreSQL, in one transaction. */
export async function runLoad(record: AbsolutePath, { ui }: Services): Promise<void> {
  const { parquet } = warnOfJournal(record, ui);
  checkParquet(parquet);
  ui.data(`begin;\n${postgresSchema()}\ndelete from stored_event;\n${postgresCopy()}`);
  const database = await Database.open();
  try {
    // A record may not fit into memory.
    for await (const rows of database.batches(loadLinesQuery(parquet.map(({ file }) => file))))
      ui.data(rows.map(({ line }) => String(line)).join('\n'));
  } finally {
    await database.close();
  }
  ui.data('\\.\ncommit;');
}

function warnOfJournal(record: AbsolutePath, ui: Ui): RecordFiles {
  const files = listFiles(record);
  if (files.segments.length > 0) {
    ui.warning('the record has events that are not compacted, so these queries miss them');
    ui.hint('Run "commit-to-publish compact" first.');
  }
  return files;
}

function isOlder(record: AbsolutePath): ToolError {
  return new ToolError({
    code: 'RECORD_INVALID',
    message: `${record} has a Parquet file for each week, and these queries read one file.`,
    hint: 'Run "commit-to-publish compact", which makes one file of them.',
    data: { record },
  });
}
