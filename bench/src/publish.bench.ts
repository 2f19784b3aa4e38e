// Measures commit-to-publish for many events, as whole processes: reports before and after a compaction.
//   npm run bench:publish [-- [--rounds 3] [--events 75000,300000,900000,5000000]]
// Creates everything in a temporary folder, about 1000 bytes for each event, and removes it at the end. Needs GNU time.
//   npm run bench:publish -- --coverage [--draws 2000]
// Simulates how often the intervals of a report are right, and what a comparison claims; writes bench/coverage.md.
import { mkdirSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { benchEnvironment } from './affected-process.js';
import { brokenPromises, simulateCoverage, writeCoveragePage } from './publish-coverage.js';
import { compareWithCommandLine } from './publish-coverage-cli.js';
import { measureSpeed } from './publish-speed.js';

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: text, events: text, draws: text, coverage: { type: 'boolean' } },
  });
  const work = new TempFolder();
  try {
    if (values.coverage === true) await coverage(Number(values.draws ?? 2000), work);
    else await speed(values.events ?? '75000,300000,900000,5000000', Number(values.rounds ?? 3), work);
  } finally {
    work.dispose();
  }
}

async function speed(sizes: string, rounds: number, work: TempFolder): Promise<void> {
  for (const events of sizes.split(',').map(Number)) console.log(`${await measureSpeed(work, { events, rounds })}\n`);
  const [load = 0] = loadavg();
  if (load > 1 + availableParallelism()) console.log(`the machine is busy (load ${load.toFixed(1)}): do not trust these times`);
}

/** The page is always written: it shows the facts, and the exit code whether they are good enough. */
async function coverage(draws: number, work: TempFolder): Promise<void> {
  const home = work.join('home');
  mkdirSync(home);
  const differences = await compareWithCommandLine(work.join('record'), benchEnvironment(home));
  console.log(differences.length === 0 ? 'The command line gives the same figures.' : differences.join('\n'));
  const cells = simulateCoverage({ draws }, console.log);
  console.log(`\n${writeCoveragePage(cells)}`);
  const broken = brokenPromises(cells);
  console.log(broken.length === 0 ? 'Every promise is kept.' : broken.join('\n'));
  if (differences.length + broken.length > 0) process.exitCode = 1;
}
