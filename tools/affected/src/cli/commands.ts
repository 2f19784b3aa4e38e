import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { showSetup } from '@tributary/terminal/setup-check';
import type { Ui } from '@tributary/terminal/ui';
import { countOf } from '../describe.js';
import type { Page } from '../render.js';
import { renderCheck } from '../render-check.js';
import { renderReplay } from '../render-replay.js';
import { renderRules } from '../render-rules.js';
import { describeProposal, renderTune } from '../render-tune.js';
import { renderWhy } from '../render-why.js';
import type { TuneProposal } from '../result.js';
import { check, checkAndFix, readRules } from '../run/check.js';
import { checkSetup } from '../run/check-setup.js';
import { type ReplayRequest, replay } from '../run/replay.js';
import type { AffectedRequest, CheckRequest } from '../run/request.js';
import type { TraceRequest } from '../run/trace.js';
import { refuseWriting, tune, writeProposals } from '../run/tune.js';
import { explainWhy } from '../run/why.js';

// Bundled here, because otherwise the readers that it shares with the other commands would be bundled twice.
export { runInit } from './init-command.js';

export async function runWhy(name: string, request: AffectedRequest, services: Services): Promise<void> {
  const { ui } = services;
  const result = await explainWhy(name, request, services);
  for (const warning of result.warnings) ui.warning(warning);
  if (ui.flags.json) ui.document(result);
  else ui.page(renderWhy(result, pageOf(ui)));
}

export async function runReplay(request: ReplayRequest, services: Services): Promise<void> {
  const { ui } = services;
  const result = await replay(request, services);
  if (ui.flags.json) ui.document(result);
  else ui.page(renderReplay(result, pageOf(ui)));
}

/** `write` adds all proposals to tributary.json; without it, each is offered if there is a terminal. */
export async function runTune(request: ReplayRequest, write: 'all' | 'ask', services: Services): Promise<void> {
  const { ui } = services;
  if (write === 'all') await refuseWriting(request, services);
  const result = await tune(request, services);
  if (!ui.flags.json) ui.page(renderTune(result, pageOf(ui)));
  const accepted = write === 'all' ? result.proposals : await acceptedOf(result.proposals, ui);
  if (accepted.length > 0) await writeProposals(request, accepted, services);
  if (ui.flags.json) ui.document({ ...result, written: accepted });
  else if (accepted.length > 0) ui.status(`tributary.json has ${countOf(accepted.length, 'new rule')}. Commit it.`);
}

async function acceptedOf(proposals: readonly TuneProposal[], ui: Ui): Promise<readonly TuneProposal[]> {
  const accepted: TuneProposal[] = [];
  for (const proposal of ui.flags.json ? [] : proposals) {
    const answer = await ui.confirm(describeProposal(proposal));
    if (answer === 'cannot-ask') return [];
    if (answer === 'yes') accepted.push(proposal);
  }
  return accepted;
}

/**
 * Ends with exit code 1 if there is a hole. `fix` first writes the found edges into tributary.json. `rules` shows only the rules and checks
 * nothing; with JSON they come with all other results.
 */
export async function runCheck(request: CheckRequest, show: 'all' | 'rules' | 'fix', services: Services): Promise<void> {
  const { ui } = services;
  if (show === 'rules' && !ui.flags.json) return ui.page(renderRules(await readRules(request, services), pageOf(ui), 'all'));
  const result = show === 'fix' ? await checkAndFix(request, services) : await check(request, services);
  if (result.findings.some(({ severity }) => severity === 'hole')) process.exitCode = 1;
  for (const warning of result.warnings) ui.warning(warning);
  if (ui.flags.json) ui.document(result);
  else ui.page(renderCheck(result, pageOf(ui), ui.flags.verbose ? 'all' : 'own'));
}

/** Ends with exit code 1 if a requirement of affected is missing. */
export async function runSetupCheck(cwd: AbsolutePath, services: Services): Promise<void> {
  showSetup(await checkSetup(cwd, services), services.ui);
}

/** Ends with the exit code of the command; with 1 if a signal ended it. */
export async function runTrace(request: Omit<TraceRequest, 'output'>, services: Services): Promise<void> {
  const { ui } = services;
  const { trace } = await import('../run/trace.js');
  // The command must not write into the document.
  const { observation, file } = await trace({ ...request, output: ui.flags.json ? 'stderr' : 'stdout' }, services);
  const { files, incomplete, workspace, exit } = observation;
  for (const why of incomplete) ui.warning(`More may have been read: ${why}`);
  if (ui.flags.json) ui.document(observation);
  for (const path of files) ui.status(`  ${path}`);
  ui.status(`Seen: ${workspace} read ${countOf(files.length, 'file')} outside of itself and its dependencies. Written to ${file}`);
  process.exitCode = exit ?? 1;
}

function pageOf(ui: Ui): Page {
  return { width: ui.dataWidth(), bold: (text) => ui.styleData('bold', text) };
}
