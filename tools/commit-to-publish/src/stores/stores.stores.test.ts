// Runs the queries of `sql` in independent databases, and compares the results with the report. POSTGRES names the folder with initdb,
// PYSPARK a Python interpreter with pyspark.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { compactRecord } from '../io/compact.js';
import { Database } from '../io/database.js';
import { writeEvents } from '../io/journal.js';
import { countOnly } from '../io/open-events.js';
import { readCoverage, readLast, readReport } from '../io/read-report.js';
import { withEvents } from '../io/record.js';
import type { Micros } from '../model/event.js';
import type { RowValues } from '../report/fail-rule.js';
import { type GroupBy, type ReportQuestion, WEEK } from '../report/question.js';
import { percentile } from '../statistics/percentile.js';
import { PostgresServer } from './postgres.fixture.js';
import { askSpark } from './spark.fixture.js';
import { MONDAY, storesEvents } from './story.fixture.js';

const folder = new TempFolder();
const record = folder.join('record') as AbsolutePath;
const cli = join(findProjectRoot(), 'tools/commit-to-publish/out/cli.cjs');
let database: Database;

interface Asked {
  readonly by: GroupBy;
  readonly to: 'published' | 'upgraded' | 'released';
  readonly ready: 'merged' | 'approved';
  readonly actor: 'all' | 'person';
}

const BY: readonly GroupBy[] = ['package', 'team', 'repo', 'stage'];
const ASKED: readonly Asked[] = [
  ...BY.map((by) => ({ by, to: 'published', ready: 'merged', actor: 'all' }) as const),
  ...BY.map((by) => ({ by, to: 'released', ready: 'approved', actor: 'all' }) as const),
  { by: 'repo', to: 'upgraded', ready: 'merged', actor: 'person' },
];

const UNTIL = '2026-02-23';

beforeAll(async () => {
  writeEvents(record, storesEvents());
  database = await Database.open();
  await compactRecord(database, record);
});
afterAll(async () => {
  await database.close();
  folder.dispose();
});

function sql(...args: readonly string[]): string {
  return execFileSync(process.execPath, [cli, 'sql', '--record', record, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
}

function scriptFor({ by, to, ready, actor }: Asked, dialect: string): string {
  const asked = ['--by', by, '--to', to, '--ready', ready, '--actor', actor, '--until', UNTIL, '--channels', 'latest'];
  return sql('--dialect', dialect, ...asked);
}

/** Returns rows as texts. Numbers are rounded to a microsecond, because some databases print 1.0E10. */
function plain(rows: readonly (readonly unknown[])[]): readonly string[] {
  return rows.map(([label, ...numbers]) => [label, ...numbers.map((value) => Math.round(Number(value)))].join(' | ')).sort();
}

async function expected({ by, to, ready, actor }: Asked): Promise<readonly string[]> {
  const until = (MONDAY + 7 * WEEK) as Micros;
  const lead = { ready, until: to, channels: new Set(['latest']), changes: 'published' } as const;
  const question: ReportQuestion = {
    lead,
    by,
    weeks: 6,
    since: (until - 26 * WEEK) as Micros,
    until,
    before: until,
    actor,
  };
  return withEvents(database, record, async () => {
    await countOnly(database, 'published');
    await readReport(database, question);
    const values = [...(await readLast(database, question))];
    const coverage = [...(await readCoverage(database, question))].map(([label, { ready: all, arrived }]) => [label, all, arrived]);
    return plain([...values.map(([label, own]) => figures(label, own)), ...coverage]);
  });
}

function figures(label: string, { values, atLeast }: RowValues): readonly unknown[] {
  const sorted = values.map(({ value }) => value).sort((a, b) => a - b);
  const releases = new Set(values.map(({ cluster }) => cluster)).size;
  return [label, values.length, releases, percentile(sorted, 0.5), percentile(sorted, 0.9), atLeast];
}

function statementsOf(script: string): readonly string[] {
  const lines = script.split('\n').filter((line) => !line.startsWith('--'));
  return lines
    .join('\n')
    .split(/;\n|;$/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

test('DuckDB gives the figures of the report', async () => {
  for (const asked of ASKED) {
    const own = await Database.open();
    try {
      const rows: unknown[][] = [];
      for (const statement of statementsOf(scriptFor(asked, 'duckdb')))
        rows.push(...(await own.rows(statement)).map((row) => Object.values(row)).filter((row) => row.length >= 3));
      expect(plain(rows)).toEqual(await expected(asked));
    } finally {
      await own.close();
    }
  }
});

const postgres = process.env['POSTGRES'] ?? '';
(postgres === '' ? describe.skip : describe)('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(() => {
    server = new PostgresServer(postgres, folder.join('postgres'));
    server.ask(sql('--dialect', 'postgres', '--load'));
  });
  afterAll(() => server.stop());

  test('gives the figures of the report', async () => {
    for (const asked of ASKED) expect(plain(server.ask(scriptFor(asked, 'postgres')))).toEqual(await expected(asked));
  });

  test('loading again changes nothing', () => {
    const count = 'select count(*), count(distinct id), count(team) from stored_event;';
    const before = server.ask(count);
    server.ask(sql('--dialect', 'postgres', '--load'));
    expect(server.ask(count)).toEqual(before);
    expect(Number(before[0]?.[0])).toBe(storesEvents().length);
  });
});

const python = process.env['PYSPARK'] ?? '';
(python === '' ? test.skip : test)('Spark gives the figures of the report', async () => {
  const answers = askSpark(
    python,
    ASKED.map((asked) => statementsOf(scriptFor(asked, 'spark'))),
  );
  for (const [at, asked] of ASKED.entries()) expect(plain(answers[at] ?? [])).toEqual(await expected(asked));
});
