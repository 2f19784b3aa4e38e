import { DEFAULT_CONFIG } from '@tributary/model/config';
import { isToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { openRepository, readTarget } from '../io/target.js';
import { writeReport } from '../io/write-report.js';
import { nextSteps, renderDiscard } from '../render.js';
import { renderProof, renderProofs } from '../render-proof.js';
import { hintForStatus, renderStatus } from '../render-status.js';
import { type DiscardRequest, discard } from '../run/discard.js';
import { readSettings, type Settings } from '../run/gather.js';
import type { MigrateRequest } from '../run/migrate-request.js';
import { status } from '../run/status.js';
import { type VerifyRequest, verify } from '../run/verify.js';
import { type VerifyAllRequest, verifyAll } from '../run/verify-all.js';
import { isUnfinished } from '../unfinished.js';
import { unknownCommand } from '../unknown-command.js';
import { migrateAndTest, pageOfMigration } from './migrate-and-test.js';
import { show } from './show.js';

/**
 * Runs `migrate` and prints the result. Sets exit code 1 in three cases: no earlier run had migrated a left-out
 * package, the tests of one are newly failing, or the pull request failed.
 */
export async function runMigrate(request: MigrateRequest, services: Services): Promise<void> {
  if (request.proposal !== undefined) return (await import('./proposal-commands.js')).runMigrateAndPropose(request, services);
  const result = await migrateAndTest(request, services);
  show(services.ui, result, pageOfMigration);
  if (request.report !== undefined) writeReport(request.report, result);
  if (result.state === 'migrated') services.ui.hint(nextSteps(result));
  if (isUnfinished(result)) process.exitCode = 1;
}

export async function runVerify(request: VerifyRequest, services: Services): Promise<void> {
  const result = await verify(request, services);
  show(services.ui, result, renderProof);
}

/** Runs `verify --all` and prints the result. Sets exit code 1 if an import is not proven, or is lost. */
export async function runVerifyAll(request: VerifyAllRequest, services: Services): Promise<void> {
  const result = await verifyAll(request, services);
  show(services.ui, result, renderProofs);
  if (result.failed.length > 0) process.exitCode = 1;
}

/** Runs `status` and prints the result. Sets exit code 1 if an import record cannot be read. */
export async function runStatus(request: Parameters<typeof status>[0], services: Services): Promise<void> {
  const result = await status(request, services);
  for (const { merge, problem } of result.unreadable) services.ui.warning(`The import record in ${merge} is not readable: ${problem}.`);
  show(services.ui, result, renderStatus);
  const hint = hintForStatus(result);
  if (hint !== undefined) services.ui.hint(hint);
  if (result.extent === 'shallow') services.ui.warning('This clone is shallow: older imports are not listed.');
  if (result.unreadable.length > 0) process.exitCode = 1;
}

export async function runDiscard(request: DiscardRequest, services: Services): Promise<void> {
  const result = await discard(request, services);
  if (result.keptTags.length > 0)
    services.ui.warning(
      `${result.keptTags.length} tags are kept, because they differ from the imported ones: ${result.keptTags.slice(0, 5).join(', ')}.`,
    );
  show(services.ui, result, () => renderDiscard(result, request.extent === 'all' ? 'did' : 'would'));
}

/** Words that resemble a command, with that command, and the monorepo or a folder in it. */
interface MistypedWords {
  readonly mistyped: ReadonlyMap<string, string>;
  readonly into: AbsolutePath;
}

/**
 * Refuses words that resemble a command, unless tributary.json lists them as packages. A package that somebody published
 * under such a name is not meant, so nobody is asked about it. Throws `USAGE`, `CONFIG_INVALID`, and errors about git.
 */
export async function refuseMistyped({ mistyped, into }: MistypedWords, { signal }: Pick<Services, 'signal'>): Promise<void> {
  const { packages } = (await configOf(into, signal)).migrate;
  for (const [word, command] of mistyped) if (!Object.hasOwn(packages, word)) throw unknownCommand(word, command);
}

/** Without a monorepo, nothing is listed. */
async function configOf(into: AbsolutePath, signal: AbortSignal): Promise<Settings['config']> {
  try {
    const target = await readTarget(await openRepository(into, signal));
    return (await readSettings({ tags: 'configured' }, target)).config;
  } catch (error) {
    if (isToolError(error) && error.code.startsWith('TARGET_')) return DEFAULT_CONFIG;
    throw error;
  }
}
