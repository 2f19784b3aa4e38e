// Measures the processor time of a mirror. First: rewriting the history of one folder of a large repository, beside git-filter-repo.
// Second: one more commit for the mirror of a package that was imported whole, a generated one with as many commits as babel has.
//   npm run bench:mirror [-- <bare repository> <folder> [rounds]]
// Without a repository, the first measurement uses the generated one too. git-filter-repo takes part if GIT_FILTER_REPO names it or it is
// on PATH (`pip install git-filter-repo`). Needs GNU time.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plumbing } from '@tributary/git/git';
import { ObjectWriter } from '@tributary/git/object-writer';
import { listCommits, MirroredHistory } from '@tributary/migrate-repo/history/mirror';
import { parseAbsolutePath, parseRepoPath } from '@tributary/model/paths';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { benchEnvironment, type Command, cpuOf, runCommand } from './affected-process.js';
import { makeLargeRepo } from './large-repo.js';
import { ratioTo } from './measure.js';

const [given, folder = 'src/part3', rounds = '3'] = process.argv.slice(2);
const identity = { GIT_AUTHOR_NAME: 'Bench', GIT_AUTHOR_EMAIL: 'bench@example.test' };
const env = {
  ...benchEnvironment(tmpdir()),
  ...identity,
  GIT_COMMITTER_NAME: identity.GIT_AUTHOR_NAME,
  GIT_COMMITTER_EMAIL: identity.GIT_AUTHOR_EMAIL,
};

void (given === '--split' ? split(process.argv[3] ?? '', process.argv[4] ?? '') : main(Number(rounds)));

/**
 * Rewrites the history in a separate process, so that all of it is measured. Writes the new commits, and sets a branch `mirror` to the last
 * one.
 */
async function split(repository: string, path: string): Promise<void> {
  const git = plumbing(parseAbsolutePath(repository));
  const listed = await listCommits(git, ['HEAD']);
  const history = new MirroredHistory({ format: 'sha1', path: parseRepoPath(path), repository: undefined });
  const sink = new ObjectWriter(git, 'sha1');
  await history.extend(git, listed, sink);
  await sink.finish();
  const last = listed.at(-1)?.id;
  await git.text(['update-ref', 'refs/heads/mirror', (last === undefined ? undefined : history.images.get(last)) ?? '']);
}

async function main(count: number): Promise<void> {
  const generated = makeLargeRepo(18_609);
  const work = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  try {
    const source = join(work, 'source.git');
    await git(work, 'clone', '--quiet', '--bare', '--single-branch', '--no-tags', given ?? generated.path, source);
    const commits = await git(source, 'rev-list', '--count', 'HEAD');
    console.log(`${given ?? 'a generated repository'}: ${commits} commits; medians of ${count} rounds in turn, processor time`);
    await compareSplits(work, count);
    await oneMore(work, generated.path, count);
  } finally {
    rmSync(work, { recursive: true, force: true });
    generated.dispose();
  }
}

/** Both results end with the files of the folder. Their commits differ, because they omit different ones. */
async function compareSplits(work: string, count: number): Promise<void> {
  const filterRepo = process.env['GIT_FILTER_REPO'] ?? 'git-filter-repo';
  const options = ['--force', '--quiet', '--partial', '--refs', 'HEAD', '--subdirectory-filter', folder];
  const copy = join(work, 'copy.git');
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < count; round++) {
    ours.push(await onCopy(work, { program: process.execPath, args: [process.argv[1] ?? '', '--split', copy, folder], cwd: work }));
    const expected = await git(copy, 'rev-parse', `HEAD:${folder}`);
    const tells = await git(copy, 'rev-list', '--count', 'mirror');
    if ((await git(copy, 'rev-parse', 'mirror^{tree}')) !== expected) throw new Error('the mirror does not hold the folder');
    theirs.push(await onCopy(work, { program: filterRepo, args: options, cwd: copy }));
    if ((await git(copy, 'rev-parse', 'HEAD^{tree}')) !== expected) throw new Error('git-filter-repo does not hold the folder');
    if (round === 0)
      console.log(`${folder}: ${tells} commits of ours, ${await git(copy, 'rev-list', '--count', 'HEAD')} of git-filter-repo`);
  }
  const show = (values: readonly number[]): string => values.map((value) => (value / 1000).toFixed(2)).join(' ');
  console.log(`  history of the folder, ours           ${show(ours)} s\n  git-filter-repo --subdirectory-filter ${show(theirs)} s`);
  console.log(`  ours / git-filter-repo: ${ratioTo(theirs, ours).toFixed(3)} (bar: 0.333)`);
}

async function onCopy(work: string, command: Command): Promise<number> {
  const copy = join(work, 'copy.git');
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(work, 'source.git'), copy, { recursive: true });
  return cpuOf(command, env);
}

/** Measures the whole command, on a monorepo that has all commits of the repository as a package. */
async function oneMore(work: string, source: string, count: number): Promise<void> {
  const monorepo = join(work, 'monorepo');
  const mirror = join(work, 'mirror.git');
  const manifest = JSON.parse(await git(source, 'show', 'HEAD:package.json')) as { readonly name: string };
  const cli = join(findProjectRoot(), 'tools/migrate-repo/out/cli.cjs');
  const migrateRepo = (...args: string[]): Command => ({ program: process.execPath, args: [cli, ...args], cwd: monorepo });
  await git(work, 'init', '--quiet', '--initial-branch=main', monorepo);
  await git(work, 'init', '--quiet', '--bare', mirror);
  await commit(monorepo, 'package.json', '{ "name": "monorepo", "private": true, "workspaces": ["packages/*"] }\n');
  await runCommand(migrateRepo(manifest.name, '--from', source, '--no-align', '--to', 'packages/moved'), env);
  await git(monorepo, 'merge', '--quiet', '--no-ff', '--no-edit', `migrate/${manifest.name}`);
  const command = migrateRepo('mirror', manifest.name, '--to', mirror, '--json');
  const first = await timed(command);
  const more: Awaited<ReturnType<typeof timed>>[] = [];
  for (let round = 0; round < count; round++) {
    await commit(monorepo, 'packages/moved/more.txt', `${round}\n`);
    more.push(await timed(command));
  }
  const show = ({ commits, cpu, wall }: (typeof more)[number]): string =>
    `${commits} commits: ${(cpu / 1000).toFixed(2)} s of processor time, ${(wall / 1000).toFixed(2)} s in all`;
  console.log(`  the whole command, first: ${show(first)}`);
  for (const one of more) console.log(`  one more: ${show(one)} (bar: 1 s)`);
}

async function timed(command: Command): Promise<{ readonly commits: number; readonly cpu: number; readonly wall: number }> {
  const [mirror = ''] = command.args.slice(command.args.indexOf('--to') + 1);
  const before = await size(mirror);
  const from = performance.now();
  const cpu = await cpuOf(command, env);
  return { commits: (await size(mirror)) - before, cpu, wall: performance.now() - from };
}

async function size(repository: string): Promise<number> {
  return Number(await git(repository, 'rev-list', '--count', '--all'));
}

async function commit(monorepo: string, file: string, text: string): Promise<void> {
  mkdirSync(join(monorepo, file, '..'), { recursive: true });
  writeFileSync(join(monorepo, file), text);
  await git(monorepo, 'add', file);
  await git(monorepo, 'commit', '--quiet', '-m', `Change ${file}`);
}

async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  return (await runCommand({ program: 'git', args, cwd }, env)).trim();
}
