import { ToolError } from '@tributary/model/errors';
import { addExamples, refuseJson } from '@tributary/terminal/global-options';
import type { Services } from '@tributary/terminal/main';
import { type Command, Option } from 'commander';
import { DIALECTS, type DialectName } from '../engine/dialect.js';
import type { GroupBy } from '../report/question.js';
import { readWeeks } from './options.js';
import { addReportOptions, type ReportOptions, readReportRequest } from './report-options.js';
import { RECORD, type RecordOptions, readSettings } from './settings.js';

interface SqlOptions extends ReportOptions, RecordOptions {
  readonly by: GroupBy;
  readonly dialect: DialectName;
  readonly load?: boolean;
}

export function addSql(program: Command, services: Services): void {
  const command = program
    .command('sql')
    .summary('print the queries of a report for another database')
    .description(
      'Prints the SQL of a report over the Parquet files of a record, for DuckDB, Spark or PostgreSQL. The figures equal those of the report: changes, releases, P50 and P90 of each row, and how many changes have arrived.',
    )
    .addOption(new Option('--dialect <database>', 'database that runs the queries').choices(DIALECTS).default('duckdb'))
    .option('--load', 'print the table and the events instead, for psql (PostgreSQL only)')
    .option(...RECORD)
    .addOption(new Option('--by <group>', 'what each row stands for').choices(['package', 'team', 'repo', 'stage']).default('package'))
    .option('--window <weeks>', 'weeks in each figure (default: 6w; with --since, all weeks since then)', readWeeks);
  addReportOptions(command);
  addExamples(command, [
    { line: 'commit-to-publish sql --channels latest > report.sql', purpose: 'for DuckDB' },
    { line: 'commit-to-publish sql --dialect postgres --load | psql', purpose: 'load the record into PostgreSQL' },
    { line: 'commit-to-publish sql --dialect postgres --channels latest | psql', purpose: 'query the loaded record' },
  ]);
  command.action(async (options: SqlOptions) => {
    refuseJson(command, 'a database');
    const { runLoad, runSql } = await import('./sql.js');
    const { config, record } = await readSettings(command, options);
    const { by, dialect } = options;
    if (options.load === true) return dialect === 'postgres' ? runLoad(record, services) : refuseLoad(dialect);
    const question = { ...readReportRequest(options, { now: services.clock(), config }), by };
    runSql({ question, dialect, record }, services);
  });
}

function refuseLoad(dialect: DialectName): never {
  throw new ToolError({
    code: 'USAGE',
    message: `--load works only with PostgreSQL: ${dialect} reads the files directly.`,
    hint: 'Leave out --load, or add --dialect postgres.',
  });
}
