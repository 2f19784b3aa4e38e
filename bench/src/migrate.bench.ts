// Runs the whole command on every bare repository of a folder, into one empty workspace, beside the lower bound: a bare clone of each.
//   npm run bench:migrate [-- <folder with bare repositories> [rounds]]
// Without a folder it generates one repository of 10,000 commits. The package.json in HEAD gives the name of a package.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '@tributary/process/spawn';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { readSources, repositoriesIn } from './given-repositories.js';
import { makeLargeRepo } from './large-repo.js';
import { type Contestant, formatMeasured, measureInTurn } from './measure.js';

const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: tmpdir(),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Bench',
  GIT_AUTHOR_EMAIL: 'bench@example.test',
  GIT_COMMITTER_NAME: 'Bench',
  GIT_COMMITTER_EMAIL: 'bench@example.test',
};

void main(process.argv[2], Number(process.argv[3] ?? 3));

async function main(given: string | undefined, rounds: number): Promise<void> {
  const generated = given === undefined ? makeLargeRepo(10_000) : undefined;
  const work = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  try {
    const sources = await readSources(given === undefined ? [generated?.path ?? ''] : repositoriesIn(given), env);
    const measured = await measureInTurn([cloneAll(sources, work), migrateAll(sources, work)], rounds);
    console.log(await showLast(join(work, 'monorepo')));
    console.log(`\n${sources.size} repositories, medians of ${rounds} rounds, in turn\n${formatMeasured(measured)}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
    generated?.dispose();
  }
}

function cloneAll(sources: ReadonlyMap<string, string>, work: string): Contestant {
  const place = join(work, 'clones');
  return {
    name: 'git clone --bare of each, one after the other',
    prepare: () => rmSync(place, { recursive: true, force: true }),
    run: async () => {
      for (const [name, path] of sources) {
        await git(work, ['clone', '--quiet', '--bare', '--no-local', '--single-branch', `file://${path}`, join(place, `${name}.git`)]);
      }
    },
  };
}

function migrateAll(sources: ReadonlyMap<string, string>, work: string): Contestant {
  const monorepo = join(work, 'monorepo');
  const cli = join(findProjectRoot(), 'tools/migrate-repo/out/cli.cjs');
  return {
    name: 'migrate-repo, with tags, proof and merge',
    prepare: async () => {
      rmSync(monorepo, { recursive: true, force: true });
      mkdirSync(monorepo);
      const packages = Object.fromEntries([...sources].map(([name, source]) => [name, { source }]));
      writeFileSync(join(monorepo, 'package.json'), '{ "name": "monorepo", "private": true, "workspaces": ["packages/*"] }\n');
      writeFileSync(join(monorepo, 'tributary.json'), JSON.stringify({ migrate: { packages } }));
      for (const args of [
        ['init', '--quiet'],
        ['add', '--all'],
        ['commit', '--quiet', '--message', 'Start'],
      ])
        await git(monorepo, args);
    },
    run: async () => {
      await runProgram({ program: process.execPath, args: [cli, ...sources.keys(), '--branch', 'moved', '--quiet'], cwd: monorepo, env });
    },
  };
}

async function showLast(monorepo: string): Promise<string> {
  const count = async (...args: string[]): Promise<string> => (await git(monorepo, args)).trim();
  const [commits, tags] = [
    await count('rev-list', '--count', 'moved', '--tags'),
    (await count('tag')).split('\n').filter((tag) => tag !== '').length,
  ];
  return `${commits} commits and ${tags} tags in the monorepo`;
}

async function git(cwd: string, args: readonly string[]): Promise<string> {
  return (await runProgram({ program: 'git', args, cwd, env })).toString('utf8');
}
