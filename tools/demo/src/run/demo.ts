import { setImmediate } from 'node:timers/promises';
import { ToolError } from '@tributary/model/errors';
import { between, formatDuration } from '@tributary/model/time';
import type { Services } from '@tributary/terminal/main';
import { formatTable } from '@tributary/terminal/table';
import { startRegistry } from '@tributary/test-repo/local-registry';
import type { RepoSnapshot } from '@tributary/test-repo/repo-snapshot';
import { Narrator } from '../io/narrator.js';
import { type DemoFolders, openStage } from '../io/stage.js';
import type { TypedPlace } from '../io/typed-commands.js';
import { MONOREPO, thirdPartyPackages } from '../organisation.js';
import { distribute } from './distribute.js';
import { measureLeadTime } from './lead-time.js';
import { BRANCH, lookAround, moveAll } from './move-all.js';
import { type Source, setUp } from './set-up.js';
import { askWhichTests } from './which-tests.js';

/** Runs the whole demo. */
export async function demo(services: Services): Promise<void> {
  const { ui, clock, signal } = services;
  const begin = clock();
  const narrator = new Narrator(ui);
  narrator.title('Harbor Bikes moves three repositories into one monorepo');
  const stage = openStage();
  const place = { stage, narrator, signal };
  const registry = await startRegistry({ packages: thirdPartyPackages() });
  try {
    const { sources, monorepo } = await setUp(stage, { root: stage.root, registry, signal }, services);
    ui.stopProgress();
    const before = monorepo.snapshot();
    introduce(narrator, sources);
    await moveAll(place, registry, services);
    await lookAround(place);
    await askWhichTests(place, services);
    await distribute(place);
    await measureLeadTime(place, services);
    await proveUntouched(place, before, () => monorepo.snapshot());
    sayGoodbye(narrator, stage, formatDuration(between(begin, clock())));
  } catch (error) {
    ui.stopProgress();
    ui.status(`What was made until then is in ${stage.folder}`);
    // Ctrl-C also ends a git that runs synchronously, and Node handles it only afterwards.
    await setImmediate();
    signal.throwIfAborted();
    throw error;
  } finally {
    await registry.close();
  }
}

/** Shows the repositories before the migration. */
function introduce(narrator: Narrator, sources: readonly Source[]): void {
  narrator.step('Before: three repositories, and a monorepo that has only the app');
  const numbers = ['commits', 'merges', 'tags'].map((title) => ({ title, align: 'right' as const }));
  const rows = sources.map(({ name, manager, repo }) => {
    const merges = repo.git('rev-list', '--count', '--merges', 'HEAD');
    return [name, manager, repo.git('rev-list', '--count', 'HEAD'), merges, String(repo.git('tag').split('\n').length)];
  });
  narrator.output(formatTable({ columns: [{ title: 'package' }, { title: 'made with' }, ...numbers], rows }, narrator.outputWidth));
  narrator.say(
    'Their histories hold an octopus merge, a signature, CRLF line ends and a name that is not ASCII. The app needs all three, and docks needs geo.',
  );
}

/** Compares the user's own checkout with its initial state. Throws `PROOF_FAILED`. */
async function proveUntouched(place: TypedPlace, before: RepoSnapshot, takeSnapshot: () => RepoSnapshot): Promise<void> {
  place.narrator.step('Your own checkout was not touched');
  const after = takeSnapshot();
  const parts = ['head', 'index', 'status', 'worktree', 'config', 'hooks'] as const;
  const changed = parts.filter((part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]));
  if (changed.length > 0)
    throw new ToolError({
      code: 'PROOF_FAILED',
      message: `The migration has changed more than refs in the monorepo: ${changed.join(', ')}.`,
      hint: 'This is a bug in migrate-repo; please report it.',
    });
  place.narrator.say('HEAD, index, files, settings and hooks are the same, byte for byte.');
}

/** Shows where everything is, and what to do next. */
function sayGoodbye(narrator: Narrator, stage: DemoFolders, time: string): void {
  narrator.title(`\nDone in ${time}. Everything is kept in ${stage.folder}`);
  narrator.say(
    `The three are in sources/ as they were, the monorepo is ${MONOREPO}/, where ${BRANCH} is not merged; clone/ is the second clone. The tools:`,
  );
  for (const tool of [stage.migrateRepo, stage.affected, stage.commitToPublish]) narrator.say(tool);
}
