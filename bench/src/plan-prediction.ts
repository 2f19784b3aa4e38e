import { join } from 'node:path';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { Bar } from './affected-table.js';
import { type Round, type RoundFigures, type ShardFigures, SuiteScene } from './plan-rounds.js';

/** The number of shards for the suites, by the number of concurrent tasks. */
const SHARDS: Readonly<Record<number, number>> = { 1: 2, 2: 3, 4: 2, 10: 1 };
/** Processors. If other programs use more, the machine differs from the previous round, and nothing is judged. */
const OTHERS_AT_MOST = 0.3;
/** In percent of a shard's real time. */
const AT_MOST_OFF = 20;

/**
 * Runs thirty suites of jest, vitest, mocha and node:test at several concurrencies. Prints what the plan of each later round predicted from
 * the rounds before it, and returns the promises about that. Other programs on the machine make the figures worthless; their load is
 * printed.
 */
export async function showPrediction(concurrencies: readonly number[], rounds: number): Promise<readonly Bar[]> {
  const work = new TempFolder();
  try {
    console.log(`30 suites really run: seconds that the plan predicted / that the shard took; ${rounds} rounds, the first one is a guess`);
    const scene = await SuiteScene.install(work.path);
    const bars: Bar[] = [];
    for (const concurrency of concurrencies) {
      const round = { concurrency, shards: SHARDS[concurrency] ?? 1, timings: join(work.path, `timings-${concurrency}.json`) };
      bars.push(await showConcurrency(scene, round, rounds));
    }
    console.log();
    return bars;
  } finally {
    work.dispose();
  }
}

async function showConcurrency(scene: SuiteScene, round: Round, rounds: number): Promise<Bar> {
  const later: ShardFigures[] = [];
  for (let at = 1; at <= rounds; at++) {
    const figures = await scene.runRound(round);
    showRound(`${round.concurrency} at once, round ${at}`, figures);
    if (at > 1 && figures.others <= OTHERS_AT_MOST) later.push(...figures.shards);
  }
  const off = later.map(percentOff).sort((a, b) => a - b);
  return {
    subject: `${round.concurrency} at once: median of how far a shard is off, %`,
    value: off[Math.floor(off.length / 2)],
    atMost: AT_MOST_OFF,
  };
}

function percentOff({ predicted, real }: ShardFigures): number {
  return Math.abs(predicted / real - 1) * 100;
}

function showRound(title: string, { shards, others }: RoundFigures): void {
  const figures = shards.map((one) => `${one.predicted.toFixed(1)} / ${one.real.toFixed(1)} (${percentOff(one).toFixed(0)} %)`);
  console.log(`  ${title.padEnd(22)}${figures.join(', ').padEnd(64)}other programs used ${others.toFixed(1)} processors`);
}
