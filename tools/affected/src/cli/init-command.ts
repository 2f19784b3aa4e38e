import type { Services } from '@tributary/terminal/main';
import type { Ui } from '@tributary/terminal/ui';
import { countOf } from '../describe.js';
import type { Form } from '../init/forms.js';
import type { AffectedInitResult, FoundEngine, ProposedFile } from '../init/init-result.js';
import { locate } from '../io/locate.js';
import type { Page } from '../render.js';
import { renderNext, renderProposal } from '../render-init.js';
import { check } from '../run/check.js';
import { type AffectedInitRequest, proposeSetup, refuseSeveralEngines, writeSetup } from '../run/init.js';

type Consent = 'given' | 'refused' | 'ask';

/** Proposes a setup, asks on a terminal, and writes what the user agreed to. */
export async function runInit(given: Omit<AffectedInitRequest, 'findings'>, consent: Consent, services: Services): Promise<void> {
  const { ui } = services;
  // Whatever is no monorepo is told before its sources are read.
  const { result: plain } = await proposeSetup({ ...given, findings: null }, services);
  if (consent === 'given') refuseSeveralEngines(plain, given);
  const findings = plain.project.turboJson === 'invalid' ? null : (await check({ cwd: given.cwd, head: 'HEAD' }, services)).findings;
  const request = { ...given, findings };
  const first = await proposeSetup(request, services);
  const asks = consent === 'ask' && !ui.flags.json;
  const engine =
    asks && request.engine === undefined && first.result.engines.length > 1 ? await askForEngine(first.result.engines, ui) : undefined;
  const second = engine === undefined ? first : await proposeSetup({ ...request, engine }, services);
  const form = asks && request.form === undefined && second.result.form !== null ? await askForForm(ui) : undefined;
  const proposal =
    form === undefined ? second : await proposeSetup({ ...request, engine: second.result.engine ?? undefined, form }, services);
  const page: Page = { width: ui.dataWidth(), bold: (text) => ui.styleData('bold', text) };
  if (!ui.flags.json) ui.page(renderProposal(proposal.result, page));
  const agreed = consent === 'given' ? new Set(PURPOSES) : asks ? await askForFiles(proposal.result.files, ui) : new Set<string>();
  const { workTree } = await locate(request.cwd);
  const result = workTree === undefined ? proposal.result : writeSetup(proposal, workTree, ({ purpose }) => agreed.has(purpose));
  if (ui.flags.json) return ui.document(result);
  ui.page(renderNext(result, page));
  sayWhatWasWritten(result, consent, ui);
}

const PURPOSES: readonly string[] = ['settings', 'workflow'] satisfies ProposedFile['purpose'][];

async function askForEngine(engines: readonly FoundEngine[], ui: Ui): Promise<string | undefined> {
  for (const { name, title, files } of engines) {
    const answer = await ui.confirm(`Do tests run on ${title} (${files[0]})?`);
    if (answer === 'cannot-ask') return undefined;
    if (answer === 'yes') return name;
  }
  return 'none';
}

/** Returns `undefined` without a terminal. */
async function askForForm(ui: Ui): Promise<Form | undefined> {
  const questions: readonly (readonly [form: Form, question: string])[] = [
    ['report-only', 'Begin with a workflow that runs everything, and reports what a selection would leave out?'],
    ['one-job', 'Run the tests in one job, without shards?'],
  ];
  for (const [form, question] of questions) {
    const answer = await ui.confirm(question);
    if (answer === 'cannot-ask') return undefined;
    if (answer === 'yes') return form;
  }
  return 'sharded';
}

/** Returns the purposes that the user agreed to; none without a terminal. */
async function askForFiles(files: readonly ProposedFile[], ui: Ui): Promise<ReadonlySet<string>> {
  const agreed = new Set<string>();
  for (const purpose of PURPOSES) {
    const wanted = files.filter((file) => file.purpose === purpose && file.state === 'new').map(({ path }) => path);
    if (wanted.length === 0) continue;
    const answer = await ui.confirm(`Write ${wanted.length === 1 ? wanted[0] : `${countOf(wanted.length, 'file')} of the workflow`}?`);
    if (answer === 'cannot-ask') break;
    if (answer === 'yes') agreed.add(purpose);
  }
  return agreed;
}

function sayWhatWasWritten({ files, state }: AffectedInitResult, consent: Consent, ui: Ui): void {
  const written = files.filter((file) => file.written);
  if (state === 'unchanged') ui.status('Nothing to write.');
  else if (written.length > 0) ui.status(`Wrote ${countOf(written.length, 'file')}.`);
  else {
    ui.status('Nothing was written.');
    if (consent !== 'given') ui.hint('To write the new files, run the command again with --yes.');
  }
}
