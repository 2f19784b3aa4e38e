import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HEAD } from '@tributary/git/changeset';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { writeOutput } from '@tributary/process/output-file';
import type { Services } from '@tributary/terminal/main';
import { type DependencyGraph, ownerPlace } from '@tributary/workspaces/dependency-graph';
import { findTracer } from '../io/find-tracer.js';
import { locate, type RepoLocation } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import { currentPlatform } from '../io/platform.js';
import { runUntraced } from '../io/strace.js';
import { describeChanges, readSurroundings } from '../io/surroundings.js';
import type { TracedCall, Tracer } from '../io/tracer.js';
import { formatObservation, type Observation } from '../observe/observation.js';
import type { Surroundings } from '../observe/sort-uses.js';
import { VERSION } from '../version.js';
import { idOf } from './compare.js';
import { type Described, describeTrace, fromRoot } from './describe-trace.js';
import { readHeadProject } from './head-project.js';

export interface TraceRequest {
  readonly cwd: AbsolutePath;
  readonly command: readonly string[];
  /** The workspace of the readings; by default, the one that owns `cwd`. */
  readonly workspace: string | undefined;
  /** The output file; by default `.tributary/observations/<workspace>-<hash of the command>.json`. */
  readonly out: string | undefined;
  /** Where the stdout of the command goes. */
  readonly output: TracedCall['output'];
}

/**
 * Runs a command with a trace, and writes what it read. If tracing is impossible, it runs anyway, and the observation says so. Throws
 * `TARGET_NOT_FOUND`, `REVISION_MISSING`, `TARGET_NOT_A_MONOREPO`, `WORKSPACE_UNKNOWN`, `PROGRAM_MISSING`, `INTERRUPTED`, `FILE_UNUSABLE`,
 * `DISK_FULL`.
 */
export async function trace(
  request: TraceRequest,
  services: Services,
): Promise<{ readonly observation: Observation; readonly file: string }> {
  const place = locate(request.cwd);
  const root = realpathSync.native(join(workTreeOf(place), place.project));
  const folder = realpathSync.native(request.cwd);
  const git = openGit(place, { signal: services.signal });
  const commit = await idOf({ git, head: HEAD });
  const { graph } = await readHeadProject({ cwd: request.cwd, head: HEAD }, services);
  const workspace = workspaceOf(graph, request, fromRoot(root, folder));
  // Read before the command runs, because it may change both.
  const surroundings = await readSurroundings(git, place, { commit, root });
  const changes = await describeChanges(place, services.signal);
  const tracer = await findTracer(services.signal);
  const { exit, ...seen } = await watch(
    { command: request.command, folder, output: request.output, signal: services.signal },
    { tracer, graph, surroundings },
  );
  const gaps = [...(changes === undefined ? [] : [{ gap: 'uncommitted' as const, detail: changes }]), ...seen.gaps];
  const observation: Observation = {
    schemaVersion: 1,
    version: VERSION,
    tracer: 'name' in tracer ? tracer.name : null,
    commit,
    platform: currentPlatform(),
    command: request.command,
    folder: fromRoot(root, folder) || '.',
    workspace,
    exit,
    complete: gaps.length === 0,
    ...seen,
    gaps,
  };
  const file = resolve(request.cwd, request.out ?? join(root, '.tributary/observations', fileNameOf(observation)));
  writeOutput(file, formatObservation(observation));
  return { observation, file };
}

/** Returns a separate file name for each command of a workspace; `check` combines the files. */
function fileNameOf({ workspace, folder, command }: Pick<Observation, 'workspace' | 'folder' | 'command'>): string {
  const key = createHash('sha256')
    .update(JSON.stringify([workspace, folder, command]))
    .digest('hex');
  return `${workspace.replace(/^@/, '').replace(/[^\w.-]+/g, '-')}-${key.slice(0, 8)}.json`;
}

type Seen = Described & Pick<Observation, 'exit'>;

interface Watch {
  readonly tracer: Tracer;
  readonly graph: DependencyGraph;
  readonly surroundings: Surroundings;
}

async function watch(call: TracedCall, { tracer, graph, surroundings }: Watch): Promise<Seen> {
  if ('gap' in tracer) {
    const exit = await runUntraced(call);
    return { exit, ...describeTrace({ uses: new Map(), programs: [], nested: [], connections: [], gaps: [tracer] }, graph, surroundings) };
  }
  const { exit, summary } = await tracer.run(call);
  if (summary.programs.length === 0) throw notStarted(call);
  return { exit, ...describeTrace(summary, graph, surroundings) };
}

export function workTreeOf({ workTree, gitDir }: RepoLocation): AbsolutePath {
  if (workTree !== undefined) return workTree;
  throw new ToolError({
    code: 'TARGET_NOT_FOUND',
    message: `${gitDir} is a bare repository: it has no working tree.`,
    hint: 'Run the command in a checkout.',
  });
}

function workspaceOf(graph: DependencyGraph, { workspace }: TraceRequest, folder: string): string {
  if (workspace === undefined) return graph.members[ownerPlace(graph, folder) ?? 0]?.name ?? '';
  if (graph.members.some(({ name }) => name === workspace)) return workspace;
  throw new ToolError({
    code: 'WORKSPACE_UNKNOWN',
    message: `Unknown workspace "${workspace}".`,
    hint: 'Run affected graph to see the names.',
    data: { workspace },
  });
}

function notStarted({ command: [program = ''] }: TracedCall): ToolError {
  return new ToolError({
    code: 'PROGRAM_MISSING',
    message: `${program} could not be started.`,
    hint: 'See the output of strace above. A script of a package.json needs a package manager before it: yarn run test.',
    data: { program },
  });
}
