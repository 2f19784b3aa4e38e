// Checks whether affected misses a workspace on real commits, beside the minimum of any correct answer and beside the answers of
// turborepo and Nx.
//   npm run bench:oracle -- [--last 150] [--json] [--workflow <file>] [--nx <folder>] <bare repository> ...
// --workflow asks affected as a run of that workflow on GitHub would; without, every workflow that can run tests counts.
// --nx asks the Nx that is installed in a folder outside of the project (npm install nx@24.0.6 typescript@5), 2 to 6 s for each commit.
// Simple and slow code that shares nothing with affected finds the minimum (tools/affected/src/oracle): trees by `git ls-tree`, manifests
// by JSON.parse, lockfiles by Yarn's parser. It claims only what is certain, so each printed miss is real. Repositories are only read. Exit
// code 1 if affected missed something.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { benchEnvironment } from './affected-process.js';
import { nameOfRepository } from './given-repositories.js';
import { examineCommits } from './oracle-commits.js';
import { nxPeer } from './oracle-peers.js';
import { variablesOf } from './oracle-repository.js';
import { formatMisses, formatOracle, type RepositoryFigures } from './oracle-table.js';

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const known = { last: { type: 'string' }, json: { type: 'boolean' }, nx: { type: 'string' }, workflow: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options: known, allowPositionals: true });
  const nx = values.nx === undefined ? undefined : nxPeer(resolve(values.nx));
  const work = new TempFolder();
  const cli = join(findProjectRoot(), 'tools/affected/out/cli.cjs');
  try {
    const figures: RepositoryFigures[] = [];
    for (const path of positionals) {
      console.error(path);
      const plain = benchEnvironment(work.path);
      const env = { ...plain, ...(values.workflow !== undefined && (await variablesOf(values.workflow, path, plain))) };
      const options = { cli, work: work.path, env, nx };
      const commits = await examineCommits(path, Number(values.last ?? 150), options);
      figures.push({ repository: nameOfRepository(path), commits });
    }
    console.log(values.json === true ? JSON.stringify(figures, null, 2) : `${formatOracle(figures)}\n${formatMisses(figures)}`);
    if (figures.some(({ commits }) => commits.some(({ misses }) => misses.length > 0))) process.exitCode = 1;
  } finally {
    work.dispose();
  }
}
