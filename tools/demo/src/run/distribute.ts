import { type TypedPlace, typedCommands } from '../io/typed-commands.js';
import { BRANCH } from './move-all.js';

const PLAN = 'plan.json';

/** The default path of a shard's receipt in `affected run-shard`. */
const receiptOf = (shard: string): string => `.tributary/receipts/${shard}.json`;

/** Runs the tests of the change as two machines would, and shows that the gate requires a receipt of each. Uses the second clone. */
export async function distribute(place: TypedPlace): Promise<void> {
  const { stage, narrator } = place;
  narrator.step('The same tests on two machines, and a gate that wants proof');
  const commands = typedCommands(stage.clone, place);
  await commands.affected('plan', '--base', BRANCH, '--shards', '2', '--out', PLAN);
  narrator.say(
    'In CI each machine runs one shard; here they take turns. turborepo runs the tests for real; what it writes itself is left out:',
  );
  const shards = typedCommands(stage.clone, place, { programs: stage.programs, shown: 'stderr' });
  for (const shard of ['01', '02']) await shards.affected('run-shard', shard, '--plan', PLAN);
  await commands.affected('gate', '--plan', PLAN);
  narrator.say('And if a machine is lost on the way? Then its receipt is missing:');
  await commands.rm(receiptOf('02'));
  await typedCommands(stage.clone, place, { exit: 1 }).affected('gate', '--plan', PLAN);
  narrator.say('Its exit code is 1. In CI this is the one check to require.');
}
