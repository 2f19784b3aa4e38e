import type { Environment } from '@tributary/process/environment';
import { type Command, cpuOf, peakOf } from './affected-process.js';
import type { Ours, Row } from './affected-rows.js';
import type { Bar } from './affected-table.js';
import { type LargeMonorepo, makeLargeMonorepo } from './large-monorepo.js';

const SMALL = 1000;
const LARGE = 20_000;

/**
 * Measures how the processor time of our commands grows from 1,000 to 20,000 workspaces, and the time of a plan of nearly everything there.
 */
export async function measureGrowth(ours: Ours, env: Environment): Promise<Bar[]> {
  const small = await inMonorepo(SMALL, (made) => timesOf(ours.growing(placeOf(made)), env));
  return inMonorepo(LARGE, async (made) => {
    const large = await timesOf(ours.growing(placeOf(made)), env);
    const exponents = [...large].map(([name, time]): Bar => {
      const value = Math.log(time / (small.get(name) ?? Number.NaN)) / Math.log(LARGE / SMALL);
      console.log(`  ${name}: ${(small.get(name) ?? Number.NaN).toFixed(0)} ms, then ${time.toFixed(0)} ms of processor time`);
      return { subject: `growth of ${name}, exponent`, value, atMost: 1.15 };
    });
    const everything = ours.planOfAll(placeOf(made)).command;
    const seconds = (await cpuOf(everything, env)) / 1000;
    return [
      ...exponents,
      { subject: `${LARGE}: plan of all, 256 shards, seconds of CPU`, value: seconds, atMost: 12 },
      { subject: `${LARGE}: plan of all, 256 shards, MB`, value: await peakOf(everything, env), atMost: 500 },
    ];
  });
}

async function inMonorepo<T>(workspaces: number, use: (made: LargeMonorepo) => Promise<T>): Promise<T> {
  const made = makeLargeMonorepo({ workspaces, externals: 300, seed: 1 });
  try {
    return await use(made);
  } finally {
    made.repo.dispose();
  }
}

function placeOf({ repo }: LargeMonorepo): { readonly cwd: string; readonly base: string } {
  return { cwd: repo.path, base: 'main' };
}

async function timesOf(rows: readonly Row[], env: Environment): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  for (const { name, command } of rows) times.set(name, await medianCpu(command, env));
  return times;
}

async function medianCpu(command: Command, env: Environment): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) times.push(await cpuOf(command, env));
  return times.sort((a, b) => a - b)[2] ?? Number.NaN;
}
