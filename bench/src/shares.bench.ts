// Measures how much of real monorepos a commit selects: tuned, and how little "observed": "narrow" could select at best.
//   npm run bench:shares -- [--last 150] [--json] <bare repository> ...
//   npm run bench:shares -- [--last 150] [--json] --observations <file> <bare repository>: the share of the observed workspaces
// Each commit of the main line is compared with its parent, with all that `affected tune` proposes. share-bounds.ts and share-observed.ts say
// what is simulated. Repositories are only read.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readKeptObservations } from '@tributary/affected/io/observations';
import { parseAbsolutePath } from '@tributary/model/paths';
import { systemClock } from '@tributary/terminal/clock';
import type { Services } from '@tributary/terminal/main';
import { Ui } from '@tributary/terminal/ui';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { benchEnvironment } from './affected-process.js';
import { nameOfRepository } from './given-repositories.js';
import { OracleRepository } from './oracle-repository.js';
import { boundsOf } from './share-bounds.js';
import { observedFigures } from './share-observed.js';
import { formatBounds, formatObserved, formatReasons } from './share-table.js';
import { replayTuned } from './share-tuned.js';

const { stdin, stdout, stderr } = process;
const flags = { quiet: false, verbose: false, color: 'never', input: 'never', json: false } as const;
const services: Services = { ui: new Ui({ stdin, stdout, stderr }, {}, flags), clock: systemClock, signal: new AbortController().signal };

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const options = { last: { type: 'string' }, json: { type: 'boolean' }, observations: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const repositories = positionals.map((path) => ({ cwd: parseAbsolutePath(resolve(path)), last: Number(values.last ?? 150) }));
  for (const one of repositories) {
    const { figures, text } = values.observations === undefined ? await bounds(one) : await observed(one, values.observations);
    console.log(values.json === true ? JSON.stringify(figures, undefined, 1) : text);
  }
}

type Asked = Parameters<typeof replayTuned>[0];
interface Shown {
  readonly figures: unknown;
  readonly text: string;
}

async function bounds(asked: Asked): Promise<Shown> {
  const home = new TempFolder();
  try {
    const repository = new OracleRepository(asked.cwd, benchEnvironment(home.path));
    const commits = await replayTuned(asked, services, (commit) => boundsOf(commit, repository));
    const figures = { repository: nameOfRepository(asked.cwd), commits };
    return { figures, text: `${formatBounds([figures])}\n${formatReasons(commits)}` };
  } finally {
    home.dispose();
  }
}

async function observed(asked: Asked, file: string): Promise<Shown> {
  const observations = readKeptObservations(resolve(file));
  const { cwd } = asked;
  const commits = await replayTuned(asked, services, (commit) => observedFigures(commit, { cwd, observations, services }));
  const repository = nameOfRepository(cwd);
  return { figures: { repository, commits }, text: formatObserved(repository, commits) };
}
