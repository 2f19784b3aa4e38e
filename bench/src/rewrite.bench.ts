// Measures the step that moves a history under a path, with our code and with other tools, on one bare repository: a generated or a given
// one.
//   npm run bench:rewrite [-- <bare repository> [rounds]]
// git-filter-repo takes part if GIT_FILTER_REPO names it or it is on PATH (`pip install git-filter-repo`).
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Git, plumbing } from '@tributary/git/git';
import { invertHistory } from '@tributary/migrate-repo/history/invert';
import { rewriteHistory } from '@tributary/migrate-repo/history/rewrite';
import { listHistory } from '@tributary/migrate-repo/history/source-history';
import { type ObjectId, parseObjectId } from '@tributary/model/ids';
import type { MessageMapping } from '@tributary/model/message-mapping';
import { type AbsolutePath, parseAbsolutePath, parseRepoPath } from '@tributary/model/paths';
import { callProgram, runProgram } from '@tributary/process/spawn';
import { makeLargeRepo } from './large-repo.js';
import { type Contestant, formatMeasured, measureInTurn } from './measure.js';

const PATH = 'packages/moved';
const QUALIFIED: MessageMapping = { repository: { name: 'acme/moved', forge: 'other' } };
const env = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };

void main(process.argv[2], Number(process.argv[3] ?? 5));

async function main(given: string | undefined, rounds: number): Promise<void> {
  const generated = given === undefined ? makeLargeRepo(10_000) : undefined;
  const work = parseAbsolutePath(mkdtempSync(join(tmpdir(), 'tributary-bench-')));
  try {
    const source = parseAbsolutePath(generated?.path ?? given ?? '');
    await prepareSource(source, work);
    const ids = await listAll(plumbing(parseAbsolutePath(join(work, 'source.git'))));
    console.log(`${given ?? 'a generated repository'}: ${ids.length} commits, moved under ${PATH}; medians of ${rounds} rounds, in turn`);
    console.log(formatMeasured(await measureInTurn(await contestants(work, ids), rounds)));
  } finally {
    rmSync(work, { recursive: true, force: true });
    generated?.dispose();
  }
}

/** Clones only HEAD's branch, which all contestants move. */
async function prepareSource(source: AbsolutePath, work: AbsolutePath): Promise<void> {
  const clone = ['clone', '--quiet', '--bare', '--no-local', '--single-branch', '--no-tags', `file://${source}`, join(work, 'source.git')];
  await runProgram({ program: 'git', args: clone, env });
}

async function contestants(work: AbsolutePath, ids: readonly ObjectId[]): Promise<Contestant[]> {
  const filterRepo = await findFilterRepo();
  const copy = (): AbsolutePath => freshCopy(work);
  let place = work;
  const onCopy = (name: string, run: (git: Git, gitDir: AbsolutePath) => Promise<void>): Contestant => ({
    name,
    prepare: () => {
      place = copy();
    },
    run: () => run(plumbing(place), place),
  });
  const ours = [
    onCopy('own pack into index-pack', async (git) => {
      await moveWithOwnPack(git, 'exact');
    }),
    onCopy('own pack, and undone as proof', async (git) => undo(git, 'exact', await moveWithOwnPack(git, 'exact'))),
    onCopy('own pack, messages qualified, and undone', async (git) => undo(git, QUALIFIED, await moveWithOwnPack(git, QUALIFIED))),
    onCopy('reading all commits only', async (git) => {
      await git.bytes(['cat-file', '--batch', '--buffer'], { input: `${ids.join('\n')}\n` });
    }),
  ];
  if (filterRepo === undefined) console.log('git-filter-repo is not here and takes no part');
  const options = ['--force', '--quiet', '--to-subdirectory-filter', PATH, '--preserve-commit-hashes'];
  const theirs = (name: string, more: readonly string[]): Contestant =>
    onCopy(name, async (_, gitDir) => {
      await runProgram({ program: filterRepo ?? '', args: [...options, ...more], cwd: gitDir, env });
    });
  return filterRepo === undefined ? ours : [...ours, theirs('git-filter-repo --partial', ['--partial']), theirs('git-filter-repo', [])];
}

async function moveWithOwnPack(git: Git, messages: MessageMapping): Promise<ObjectId> {
  const tip = parseObjectId(await git.text(['rev-parse', 'HEAD']));
  const commits = await listHistory(git, [tip]);
  const move = { format: 'sha1', path: parseRepoPath(PATH), subdirectory: undefined, messages } as const;
  const moved = await rewriteHistory(git, move, { commits, tags: [] });
  const newTip = moved.map.get(tip);
  if (newTip === undefined) throw new Error('the last commit was not moved');
  return newTip;
}

async function undo(git: Git, messages: MessageMapping, tip: ObjectId): Promise<void> {
  const ids = await listHistory(git, [tip]);
  const inverse = await invertHistory(git, { format: 'sha1', path: parseRepoPath(PATH), messages }, { ids });
  if ('flaw' in inverse) throw new Error(inverse.flaw);
}

async function listAll(git: Git): Promise<ObjectId[]> {
  return (await git.text(['rev-list', '--topo-order', '--reverse', 'HEAD'])).split('\n').map(parseObjectId);
}

function freshCopy(work: AbsolutePath): AbsolutePath {
  const copy = join(work, 'copy.git');
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(work, 'source.git'), copy, { recursive: true });
  return parseAbsolutePath(copy);
}

async function findFilterRepo(): Promise<string | undefined> {
  const program = process.env['GIT_FILTER_REPO'] ?? 'git-filter-repo';
  const answer = await callProgram({ program, args: ['--version'], env }).catch(() => undefined);
  return answer?.exit === 0 ? program : undefined;
}
