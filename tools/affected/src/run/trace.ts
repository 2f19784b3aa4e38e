import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { HEAD } from '@tributary/git/changeset';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath, RepoPath } from '@tributary/model/paths';
import { maskFor } from '@tributary/model/secrets';
import { outputPath, writeOutput } from '@tributary/process/output-file';
import type { Services } from '@tributary/terminal/main';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import { readEnvironment } from '../io/environment.js';
import { locate } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import { runTraced } from '../io/strace.js';
import { stateOfWorkTree } from '../io/work-tree.js';
import type { Observation } from '../observe/observation.js';
import { idOf } from './compare.js';
import { readHeadProject } from './head-project.js';

export interface TraceRequest {
  readonly cwd: AbsolutePath;
  readonly command: readonly string[];
  /** The workspace that the command tests; by default, the one that owns `cwd`. */
  readonly workspace: string | undefined;
  /** The output file; by default `.tributary/observations/<workspace>-<hash of the command>.json`. */
  readonly out: string | undefined;
  /** Where the stdout of the command goes. */
  readonly output: 'stdout' | 'stderr';
}

/** An observation, with the path of its file. */
export interface Trace {
  readonly observation: Observation;
  readonly file: string;
}

/**
 * Runs a command under strace, and writes what it read outside of its workspace and of its dependencies. Throws `TARGET_NOT_FOUND`,
 * `REVISION_MISSING`, `TARGET_NOT_A_MONOREPO`, `WORKSPACE_UNKNOWN`, `FILE_UNUSABLE`, and the errors of `runTraced`.
 */
export async function trace(request: TraceRequest, services: Services): Promise<Trace> {
  const { cwd, command, output } = request;
  const { signal } = services;
  const repository = await locate(cwd);
  if (repository.workTree === undefined)
    throw new ToolError({ code: 'TARGET_NOT_FOUND', message: 'This is a bare repository.', hint: 'Run the command in a checkout.' });
  const root = realpathSync.native(join(repository.workTree, repository.project));
  const folder = realpathSync.native(cwd);
  const commit = await idOf({ git: openGit(repository, { signal }), head: HEAD });
  const { project, graph } = await readHeadProject({ cwd, head: HEAD }, services);
  const from = workspaceOf(graph, request, below(root, folder) ?? '');
  const state = await stateOfWorkTree(repository, signal);
  const startedAt = Date.now();
  const { files: opened, exit, gaps } = await runTraced({ command, folder, output, signal });
  const tracked = new Set<string>(project.tracked().map(({ path }) => path));
  const programs = process.env['PATH']?.split(delimiter) ?? [];
  const read = sortRead(opened, { root, tracked, startedAt, programs, isForeign: foreignTo(graph, from) });
  const observation: Observation = {
    schemaVersion: 2,
    commit,
    workspace: graph.members[from]?.name ?? '',
    // The file is uploaded, and a shell puts the values of variables into the words.
    command: command.map(maskFor(readEnvironment())),
    exit,
    incomplete: [...gaps, ...(state === 'clean' ? [] : ['Files in the checkout differ from the commit.']), ...read.gaps],
    files: read.files,
  };
  const file = outputPath(cwd, request.out ?? join(root, '.tributary/observations', fileNameOf(observation, below(root, folder) ?? '')));
  writeOutput(file, `${JSON.stringify(observation, undefined, 1)}\n`);
  return { observation, file };
}

/** Returns a separate file name for each command of a workspace; `check` combines the files. */
function fileNameOf({ workspace, command }: Observation, folder: string): string {
  const key = createHash('sha256')
    .update(JSON.stringify([folder, command]))
    .digest('hex')
    .slice(0, 8);
  return `${workspace.replace(/^@/, '').replace(/[^\w.-]+/g, '-')}-${key}.json`;
}

function workspaceOf(graph: DependencyGraph, { workspace }: TraceRequest, folder: string): number {
  if (workspace === undefined) return owningMember(graph, folder as RepoPath) ?? 0;
  const found = graph.members.findIndex(({ name }) => name === workspace);
  if (found >= 0) return found;
  const hint = 'Run yarn workspaces list --json to see the names.';
  throw new ToolError({ code: 'WORKSPACE_UNKNOWN', message: `Unknown workspace "${workspace}".`, hint, data: { workspace } });
}

/** Returns a function that tells whether a path is neither in a workspace nor in one that it depends on, directly or not. */
function foreignTo(graph: DependencyGraph, from: number): (path: string) => boolean {
  const known = new Set([from]);
  // The loop also visits members that it adds to the set.
  for (const member of known) for (const edge of graph.edges) if (edge.from === member) known.add(edge.to);
  return (path) => {
    const owner = owningMember(graph, path as RepoPath) ?? 0;
    return owner === 0 ? from !== 0 : !known.has(owner);
  };
}

interface Checkout {
  readonly root: string;
  readonly tracked: ReadonlySet<string>;
  readonly startedAt: number;
  /** The folders of PATH: `yarn run` adds a temporary one, with programs of its own. */
  readonly programs: readonly string[];
  readonly isForeign: (path: string) => boolean;
}

/** Package managers read these files on the way to any command. How their changes count, their content says. */
const COMPARED = /(^|\/)package\.json$|^(yarn\.lock|\.yarnrc\.yml|tributary\.json)$|^\.yarn\//;
/** What an earlier run left, and what may have spared reads. */
const CACHE =
  /(^|\/)(\.cache\/(?!ms-playwright|puppeteer|Cypress|node\/)|node_modules\/\.(cache|vite|vitest|vite-temp)|\.turbo|\.nx\/cache|\.parcel-cache|\.swc|\.rollup\.cache|\.jest-cache)(\/|$)|(^|\/)\.(eslint|stylelint|prettier)cache$|\.tsbuildinfo$/;
/** What git, an installation and turborepo put into a project. */
const PREPARED = /(^|\/)(\.git|\.yarn|\.turbo|\.tributary|node_modules)(\/|$)|^\.pnp\.[\w.]+$/;

/** Sorts what was opened into files of the project that count, and sentences on what cannot be followed. */
export function sortRead(
  opened: Iterable<string>,
  { root, tracked, startedAt, programs, isForeign }: Checkout,
): { files: string[]; gaps: string[] } {
  const files: string[] = [];
  let gap: string | undefined;
  const temporary = realpathSync(tmpdir());
  const isTemporary = (path: string): boolean => below(temporary, path) !== undefined && !programs.includes(dirname(path));
  for (const path of opened) {
    const own = below(root, path);
    const isOld = (): boolean => (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Infinity) < startedAt;
    if (own !== undefined && tracked.has(own)) {
      if (isForeign(own) && !COMPARED.test(own)) files.push(own);
    } else if ((CACHE.test(path) || (own === undefined && isTemporary(path))) && isOld())
      gap = `It read a cache of an earlier run, and may have read fewer files: ${path}. Delete the cache first.`;
    else if (own !== undefined && !PREPARED.test(own) && isForeign(own) && isOld()) files.push(own);
  }
  return { files: files.sort(), gaps: gap === undefined ? [] : [gap] };
}

/** `packages/a` below the root; `undefined` elsewhere. */
function below(root: string, path: string): string | undefined {
  if (path === root) return '';
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
}
