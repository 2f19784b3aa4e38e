// Measures how well and how fast tests are distributed over machines, and how exactly a plan predicts their times.
//   npm run bench:plan [-- [--loads 100] [--rounds 3] [--at-once 10,4,2,1] [--suite-rounds 2]]
// All random numbers come from seeds. Finally, thirty suites really run at each of the given concurrencies, which takes ten minutes and
// packages from the registry; --at-once '' skips that.
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { benchEnvironment } from './affected-process.js';
import { formatBars } from './affected-table.js';
import { showPrediction } from './plan-prediction.js';
import { showQuality } from './plan-quality.js';
import { showSpeed, timeOneCall } from './plan-speed.js';

const text = { type: 'string' } as const;
const OPTIONS = { loads: text, rounds: text, 'one-call': text, 'at-once': text, 'suite-rounds': text };

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  if (values['one-call'] !== undefined) return timeOneCall(values['one-call']);
  // First, while no other of our processes runs.
  const speed = await showSpeed(Number(values.rounds ?? 3), benchEnvironment(tmpdir()));
  const [load = 0] = loadavg();
  if (load > 1 + availableParallelism()) console.log(`the machine is busy (load ${load.toFixed(1)}): do not trust these times\n`);
  const quality = showQuality(Number(values.loads ?? 100));
  // The quickest first: its first round fills the caches of the runners, unlike all later ones.
  const atOnce = (values['at-once'] ?? '10,4,2,1').split(',').filter((one) => one !== '');
  const prediction = atOnce.length === 0 ? [] : await showPrediction(atOnce.map(Number), Number(values['suite-rounds'] ?? 2));
  console.log(formatBars([...quality, ...speed, ...prediction]));
}
