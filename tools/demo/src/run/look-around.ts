import { ToolError } from '@tributary/model/errors';
import type { RepoSnapshot } from '@tributary/test-repo/repo-snapshot';
import type { Narrator } from '../io/narrator.js';
import type { DemoFolders } from '../io/stage.js';
import type { TypedCommands } from '../io/typed-commands.js';
import { MONOREPO } from '../organisation/organisation.js';
import { PAGE } from './lead-time.js';
import { BRANCH } from './move-all.js';
import type { Organisation } from './set-up.js';

const FILE = 'packages/geo/src/distance.js';

/** Inspects the result with only git. */
export async function lookAround(narrator: Narrator, commands: TypedCommands): Promise<void> {
  narrator.step('git sees files that have always been there, without --follow');
  await commands.git('log', '--oneline', '-3', BRANCH, '--', FILE);
  await commands.git('blame', '--date=short', '-L7,9', BRANCH, '--', FILE);
}

/** Compares the user's own checkout with its initial state. Throws `PROOF_FAILED`. */
export async function proveUntouched(
  narrator: Narrator,
  commands: TypedCommands,
  { repo, before }: Organisation['monorepo'],
): Promise<void> {
  narrator.step('Your own checkout was not touched');
  await commands.git('status', '--short', '--branch');
  refuseChanges(before, repo.snapshot());
  narrator.say('HEAD, index, files, configuration and hooks are the same, byte for byte.');
}

/** Shows where everything is, and what to do next. */
export function sayGoodbye(narrator: Narrator, stage: DemoFolders, time: string): void {
  narrator.title(`\nDone in ${time}. Everything is kept in ${stage.folder}`);
  narrator.say(
    `The six are in sources/ as they were, the monorepo is ${MONOREPO.folder}/, where ${BRANCH} is not merged; clone/ is the second clone, and ${PAGE} the page about before and after. Look around, and go on:`,
  );
  narrator.command(['cd', stage.monorepo]);
  narrator.command(['git', 'log', '--oneline', '--graph', BRANCH]);
  narrator.command(['git', 'switch', BRANCH]);
  narrator.say(`In your own monorepo, push ${BRANCH} and open a pull request. The tools are here:`);
  for (const tool of [stage.migrateRepo, stage.affected, stage.commitToPublish]) narrator.say(tool);
  narrator.say(`For "affected run-shard" in clone/, put turbo and yarn in PATH: ${stage.programs}`);
}

function refuseChanges(before: RepoSnapshot, after: RepoSnapshot): void {
  const parts = ['head', 'index', 'status', 'worktree', 'config', 'hooks'] as const;
  const changed = parts.filter((part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]));
  if (changed.length === 0) return;
  throw new ToolError({
    code: 'PROOF_FAILED',
    message: `The migration has changed more than refs in the monorepo: ${changed.join(', ')}.`,
    hint: 'This is a bug in migrate-repo; please report it.',
  });
}
