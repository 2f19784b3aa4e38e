import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type AbsolutePath, parseAbsolutePath, parseRepoPath, type RepoFolder } from '@tributary/model/paths';
import { GitClock, runHermeticGit } from '@tributary/test-repo/hermetic-git';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { type DependencyGraph, ownerPlace } from '@tributary/workspaces/dependency-graph';
import { discoverWorkspaces, type Workspace } from '@tributary/workspaces/discover';
import { readManifestGraph } from '@tributary/workspaces/manifest-graph';
import { spreadFrom } from '@tributary/workspaces/spread';
import type { PeerRepository } from './peers.js';

/**
 * A temporary clone of a repository. Branch `one-file` has a commit that changes one file of the package with the median number of
 * dependents.
 */
export interface Given extends PeerRepository {
  readonly name: string;
  readonly workspaces: number;
  readonly file: string;
}

/** Clones into `work`; the given repository, bare or not, is only read. Throws an `Error` if it is not a workspaces monorepo. */
export function cloneGiven(path: string, work: AbsolutePath): Given {
  const source = resolve(path);
  const name = basename(source) === 'repo' ? basename(dirname(source)) : basename(source, '.git');
  const folder = parseAbsolutePath(join(work, 'given', name));
  // Its objects stay where they are: nothing is copied, and nothing is written there.
  const options = ['-q', '--shared', '--single-branch', '--no-tags', '--no-checkout'];
  runHermeticGit(['clone', ...options, source, folder], { folder: work, clock: new GitClock() });
  const repo = TempRepo.create({ folder });
  repo.git('checkout', '-q', '-b', 'one-file');
  dropMissing(repo);
  const graph = readGraph(repo);
  configurePeers(repo, graph);
  repo.branch('base');
  const file = fileToChange(repo, graph);
  repo.write({ [file]: `${readFileSync(join(folder, file), 'utf8')}\n` });
  repo.git('commit', '-q', '-m', 'Change one file', '--', file);
  return { name, cwd: folder, base: 'base', workspaces: graph.members.length, file };
}

/** Some mirrors lack their largest files. A working tree would show these as deleted, so the base omits them too. */
function dropMissing(repo: TempRepo): void {
  const missing = repo.git('ls-files', '--deleted');
  if (missing === '') return;
  repo.gitWithInput(missing, 'update-index', '--force-remove', '--stdin');
  repo.git('commit', '-q', '-m', 'Leave out what the source lacks');
}

/** Adds the files without which turbo and pnpm reject a repository; existing files stay. */
function configurePeers(repo: TempRepo, graph: DependencyGraph<Workspace>): void {
  const patterns = graph.members[graph.byPath.get('') ?? -1]?.manifest.workspaces ?? [];
  const wanted = {
    'turbo.json': '{ "tasks": { "build": {} } }\n',
    'pnpm-workspace.yaml': `packages: ${JSON.stringify(patterns)}\nlinkWorkspacePackages: true\n`,
  };
  const files = Object.entries(wanted).filter(([file]) => !existsSync(join(repo.path, file)));
  if (files.length === 0) return;
  repo.write(Object.fromEntries(files));
  repo.git('add', '--force', '--', ...files.map(([file]) => file));
  repo.git('commit', '-q', '-m', 'Let the peers in');
}

function readGraph(repo: TempRepo): DependencyGraph<Workspace> {
  const manifests = repo.git('ls-files', 'package.json', '*/package.json').split('\n');
  const folders = manifests.map((file): RepoFolder => (file === 'package.json' ? '' : parseRepoPath(dirname(file))));
  return readManifestGraph(
    discoverWorkspaces({ folders, readManifest: (folder) => readFileSync(join(repo.path, folder, 'package.json'), 'utf8') }),
  );
}

/** Returns a source file of the package with the median number of dependents, among packages with a source file. */
function fileToChange(repo: TempRepo, graph: DependencyGraph<Workspace>): string {
  const first = new Map<string, string>();
  for (const file of repo.git('ls-files', '*/src/*.ts', '*/src/*.tsx', '*/src/*.js').split('\n')) {
    const owner = graph.members[ownerPlace(graph, file) ?? -1]?.path;
    if (owner !== undefined && owner !== '' && !first.has(owner)) first.set(owner, file);
  }
  const sizes = graph.members.flatMap(({ path }, place) => {
    const file = first.get(path);
    return file === undefined ? [] : [{ file, size: spreadFrom(graph, [{ place, reach: 'dependents' }], { dev: 'transitive' }).length }];
  });
  const sorted = sizes.sort((a, b) => a.size - b.size);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error(`${repo.path} has no workspace with a source file`);
  return middle.file;
}
