import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import type { Ui } from '@tributary/terminal/ui';
import { type DialectName, dialectOf } from '../engine/dialect.js';
import { loadLinesQuery, postgresCopy, postgresSchema } from '../engine/postgres-load.js';
import { formatScript, reportScript } from '../engine/report-script.js';
import { leftoversOf } from '../io/compact.js';
import { Database } from '../io/database.js';
import { readContents } from '../io/record-files.js';
import type { ReportQuestion } from '../report/question.js';

interface SqlRequest {
  readonly question: ReportQuestion;
  readonly dialect: DialectName;
  readonly record: AbsolutePath;
}

/** Prints the queries of a report over the Parquet files of a record. */
export function runSql({ question, dialect: name, record }: SqlRequest, { ui }: Services): void {
  warnOfJournal(record, ui);
  const dialect = dialectOf(name);
  if (name !== 'postgres') refuseLeftovers(record);
  ui.data(`${dialect.open(record)}\n\n${formatScript(reportScript(question, { dialect, stored: 'stored_event' }), dialect)}`);
}

/** Prints statements that load the events of a record into PostgreSQL, in one transaction. */
export async function runLoad(record: AbsolutePath, { ui }: Services): Promise<void> {
  const files = warnOfJournal(record, ui);
  ui.data(`begin;\n${postgresSchema()}\ndelete from stored_event;\n${postgresCopy()}`);
  const database = await Database.open();
  try {
    // File by file, because a week of events fits into memory, but a record may not.
    for (const file of files) ui.data((await database.rows(loadLinesQuery(join(record, file)))).map(({ line }) => String(line)).join('\n'));
  } finally {
    database.close();
  }
  ui.data('\\.\ncommit;');
}

/** Throws `RECORD_INVALID` if files of an interrupted compaction remain, because the queries read all files of the folder. */
function refuseLeftovers(record: AbsolutePath): void {
  const [file] = leftoversOf(record, readContents(record).manifest).filter((path) => path.startsWith('events/'));
  if (file === undefined) return;
  throw new ToolError({
    code: 'RECORD_INVALID',
    message: `${join(record, file)} is left over from an unfinished compaction: these queries would count its events twice.`,
    hint: 'Run "commit-to-publish compact", which removes it.',
    data: { file: join(record, file) },
  });
}

function warnOfJournal(record: AbsolutePath, ui: Ui): readonly string[] {
  const { segments, manifest } = readContents(record);
  if (segments.length > 0) {
    ui.warning('the record has events that are not compacted, so these queries miss them');
    ui.hint('Run "commit-to-publish compact" first.');
  }
  return manifest.files;
}
