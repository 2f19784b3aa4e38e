import type { AbsolutePath } from '@tributary/model/paths';
import { EXIT_CODES } from '@tributary/terminal/exit-codes';
import type { Services } from '@tributary/terminal/main';
import type { Ui } from '@tributary/terminal/ui';
import { compactRecord } from '../io/compact.js';
import { Database } from '../io/database.js';
import { type Ingestion, type IngestSource, ingest, openSource } from '../io/ingest.js';
import type { NamedOnly } from '../io/open-events.js';
import { readChange } from '../io/read-change.js';
import { readReport, readVerdicts } from '../io/read-report.js';
import { withRecord } from '../io/record.js';
import type { Micros } from '../model/event.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import { renderChange } from '../render/change.js';
import { changeDocument, compactionDocument, ingestionDocument, reportDocument } from '../render/document.js';
import { formatOpenMetrics } from '../render/open-metrics.js';
import { type DetailedReport, renderReport } from '../render/report.js';
import { describeUnjudged, describeVerdict } from '../render/verdict.js';
import type { ReportDetails } from '../report/details.js';
import type { ExplainedChange } from '../report/explanation.js';
import { type FailRule, type RuleVerdict, rulesWithoutRows } from '../report/fail-rule.js';
import type { ReportQuestion } from '../report/question.js';
import type { Report } from '../report/report.js';
import { type RowChoice, SCREEN, topRows } from '../report/top-rows.js';
import { VERSION } from '../version.js';
import { warnOfForeignFiles, withoutFuture } from './foreign.js';
import { type MonorepoLocation, migrationsAround } from './monorepo.js';
import { subjectsOf } from './subjects.js';
import { styleOf } from './text-style.js';
import { warnOfUnusedChannels } from './unused-channels.js';

interface IngestRequest {
  readonly source: IngestSource;
  readonly record: AbsolutePath;
  readonly doing: 'record' | 'look';
}

/** Ends with exit code 1 if a line is not an event. */
export async function runIngest({ source, record, doing }: IngestRequest, services: Services): Promise<void> {
  const { ui, signal, clock } = services;
  const progress = ui.progress();
  progress.phase(doing === 'look' ? 'Reading events' : 'Recording events');
  const onKept = (kept: number, share: number | undefined): void =>
    progress.step(share === undefined ? `${kept}` : `${kept}, ${Math.floor(share * 100)} % read`, 0);
  const now = (clock() * 1000) as Micros;
  const result = await ingest(openSource(source), { record, doing, now, signal, onKept });
  ui.stopProgress();
  for (const { line, flaw } of result.flaws) ui.warning(`line ${line} ${flaw}`);
  const more = result.rejected - result.flaws.length;
  if (more > 0) ui.warning(`and ${many(more, 'more line')}`);
  warnOfClashes(result, ui);
  if (result.rejected > 0) process.exitCode = 1;
  if (ui.flags.json) ui.document(ingestionDocument(result, doing));
  else ui.status(describeIngestion(result, { record, doing }));
  if (doing === 'look') ui.status('Nothing was recorded.');
}

/** Does not say which events are new, because that needs the whole record. */
function describeIngestion({ kept, repeated, rejected }: Ingestion, { record, doing }: Pick<IngestRequest, 'record' | 'doing'>): string {
  const what = [
    `${many(kept, 'event')} ${wouldBe(doing)}accepted for ${record}`,
    ...(repeated === 0 ? [] : [`${repeated} of them the same as a line before`]),
    ...(rejected === 0 ? [] : [`${many(rejected, 'line')} left out`]),
  ];
  return `${what.join(', ')}.${kept === 0 ? '' : ' Events that the record already has are counted once.'}`;
}

function wouldBe(doing: 'record' | 'look'): string {
  return doing === 'look' ? 'would be ' : '';
}

function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function warnOfClashes({ clashes, clashing }: Ingestion, ui: Ui): void {
  for (const { line, first, id, kind } of clashes) {
    const what = kind === 'other event' ? 'but is a different event: both count' : 'but different content: the last one counts';
    ui.warning(`line ${line} has the id of line ${first} (${id}) ${what}`);
  }
  if (clashing > clashes.length) ui.warning(`and ${many(clashing - clashes.length, 'more line')}`);
  if (clashing > 0) ui.hint('Give each event its own id.');
}

export type ReportFormat = 'text' | 'markdown' | 'html' | 'json' | 'openmetrics';

interface ReportWork {
  readonly question: ReportQuestion;
  readonly shown: RowChoice & { readonly only: NamedOnly };
  readonly format: ReportFormat;
  readonly record: AbsolutePath;
  readonly monorepo: MonorepoLocation;
  /** Package -> the commit that imported it, as configured. */
  readonly moved: Readonly<Record<string, string>>;
  readonly rules: readonly FailRule[];
}

export async function runReport(work: ReportWork, services: Services): Promise<void> {
  const { question, shown, format, record, monorepo, moved } = work;
  const { ui } = services;
  warnOfForeignFiles(record, ui);
  // Not at the same time: while this process waits for git, it does not see a signal at once if it computes.
  const migrations = await migrationsAround(monorepo, moved, services);
  const scope = { changes: question.lead.changes, only: shown.only, ...withoutFuture(services) };
  const asked = async (database: Database): Promise<AskedReport> => {
    await warnOfUnusedChannels(database, { ...question.lead, only: shown.only }, ui);
    return readAsked(database, work);
  };
  const { report: whole, verdicts, details } = await withRecord(record, asked, scope);
  const report = topRows(whole, format === 'text' ? { ...shown, top: shown.top ?? SCREEN } : shown);
  if (details !== undefined) await writeDetailed({ report, details, migrations }, work, services);
  else if (format === 'openmetrics') ui.data(formatOpenMetrics(report));
  else ui.page(renderReport({ report, migrations }, styleOf(ui)));
  failIf({ rules: work.rules, verdicts }, ui);
}

interface AskedReport {
  readonly report: Report;
  readonly verdicts: readonly RuleVerdict[];
  /** Only for the formats that show them. */
  readonly details: ReportDetails | undefined;
}

async function readAsked(database: Database, { question, format, rules }: ReportWork): Promise<AskedReport> {
  const isDetailed = format !== 'text' && format !== 'openmetrics';
  const report = await readReport(database, question, isDetailed ? 'stages' : undefined);
  const verdicts = await readVerdicts(database, report, rules);
  if (!isDetailed) return { report, verdicts, details: undefined };
  const { readDetails } = await import('../io/read-details.js');
  return { report, verdicts, details: await readDetails(database, question, 'there') };
}

function failIf({ rules, verdicts }: Pick<AskedReport, 'verdicts'> & Pick<ReportWork, 'rules'>, ui: Ui): void {
  for (const rule of rulesWithoutRows(rules, verdicts)) ui.warning(describeUnjudged(rule));
  for (const verdict of verdicts) if (verdict.verdict !== 'kept') ui.warning(describeVerdict(verdict));
  if (verdicts.some(({ verdict }) => verdict === 'broken')) process.exitCode = EXIT_CODES.gate;
}

/** What draws the charts is loaded here alone. */
async function writeDetailed(content: DetailedReport, { format, monorepo }: ReportWork, { ui, signal }: Services): Promise<void> {
  if (format === 'json') return ui.document(reportDocument(content));
  const subjects = await subjectsOf(content.details.slowest, monorepo, signal);
  if (format === 'markdown') {
    const { formatReport } = await import('../render/markdown/report.js');
    return ui.markdown(formatReport({ ...content, subjects }));
  }
  const { renderPage } = await import('../render/html/page.js');
  ui.data(renderPage({ ...content, subjects, generator: `commit-to-publish ${VERSION}` }));
}

interface ExplainRequest {
  readonly change: string;
  readonly repo: string | undefined;
  readonly packages: readonly string[];
  readonly top: number;
  readonly lead: LeadTimeQuestion;
}

export async function runExplain(request: ExplainRequest, record: AbsolutePath, services: Services): Promise<void> {
  const { ui } = services;
  warnOfForeignFiles(record, ui);
  const only = { packages: request.packages, repos: [] };
  const read = async (database: Database): Promise<ExplainedChange> => {
    await warnOfUnusedChannels(database, { ...request.lead, only }, ui);
    return readChange(database, request);
  };
  const change = await withRecord(record, read, { ...withoutFuture(services), only });
  if (ui.flags.json) ui.document(changeDocument(change));
  else ui.page(renderChange(change, styleOf(ui), request.top));
}

export async function runCompact(record: AbsolutePath, doing: 'record' | 'look', { ui, signal }: Services): Promise<void> {
  warnOfForeignFiles(record, ui);
  const database = await Database.open({ signal });
  try {
    const compaction = await compactRecord(database, record, doing);
    const { events } = compaction;
    if (ui.flags.json) ui.document(compactionDocument(compaction, doing));
    else ui.status(events === 0 ? 'Nothing to compact.' : `${many(events, 'event')} ${wouldBe(doing)}compacted.`);
    if (doing === 'look') ui.status('Nothing was changed.');
  } finally {
    await database.close();
  }
}
