import { join } from 'node:path';
import type { GitSettings } from '@tributary/git/git';
import { plumbing } from '@tributary/git/git';
import { isToolError, ToolError } from '@tributary/model/errors';
import { shortRef, tagRef, type WorkspaceName } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import { type AbsolutePath, parseAbsolutePath, type RepoPath } from '@tributary/model/paths';
import { between } from '@tributary/model/time';
import type { Services } from '@tributary/terminal/main';
import type { Progress } from '@tributary/terminal/progress';
import pMap from 'p-map';
import { type BuiltBranch, buildBranch } from '../history/branch.js';
import { type MovedHistory, moveHistory } from '../history/move.js';
import { type DonePackage, proveMove } from '../history/prove.js';
import { digestTags } from '../history/tag-digest.js';
import { handOver } from '../io/hand-over.js';
import { locateSource, notConfirmed, readConfig } from '../io/locate.js';
import { type FetchedSource, fetchSource } from '../io/source.js';
import { openRepository, readIdentity, readTarget, type Target } from '../io/target.js';
import { type Workshop, withWorkshop } from '../io/workshop.js';
import type { LeftOut, SourceRequest } from '../plan/facts.js';
import { type Plan, type PlannedPackage, planMigration } from '../plan/plan.js';
import type { MigrateResult } from '../result.js';
import { describeMigration } from './describe.js';

/** What the command line asks for. */
export interface MigrateRequest {
  readonly packages: readonly WorkspaceName[];
  readonly cwd: AbsolutePath;
  /** The monorepo, or a folder in it. */
  readonly into: AbsolutePath;
  readonly from: string | undefined;
  readonly to: RepoPath | undefined;
  readonly branch: string | undefined;
  readonly sourceBranch: string | undefined;
  readonly subdirectory: RepoPath | undefined;
  readonly strategy: 'rewrite' | 'merge';
  /** A pattern; `configured`: that of tributary.json; `none`: the tags stay behind. */
  readonly tags: { readonly pattern: string } | 'configured' | 'none';
  readonly lfsPointers: 'refuse' | 'accept';
  readonly confirmation: 'ask' | 'given';
  readonly extent: 'all' | 'plan only';
}

// Two cores fetch no faster with more, and a server may count connections.
const FETCHES_AT_ONCE = 4;

/** Migrates packages: gather, decide, apply, prove, hand over. Throws a `ToolError`; the repository is then as it was. */
export async function migrate(request: MigrateRequest, services: Services): Promise<MigrateResult> {
  const started = services.clock();
  const progress = services.ui.progress();
  progress.phase('Reading the monorepo');
  const target = await readTarget(await openRepository(request.into, services.signal));
  const settings = settingsFor(request, target);
  const sources = await locateAll(request, services, settings);
  const { plan, built, done } = await withWorkshop(target, async (workshop) => {
    const gathered = await fetchAll(workshop, target, { request, services, sources, progress, tags: settings.tagPattern });
    const planned = planMigration(target.facts, gathered, { ...settings, branch: request.branch, strategy: request.strategy });
    if (planned.packages.length === 0) throw nothingLeft(planned.leftOut);
    if (request.extent === 'plan only') return { plan: planned, built: undefined, done: [] };
    const applied = await apply(workshop, target, { plan: planned, fetched: gathered.fetched, services, progress });
    return { plan: planned, ...applied };
  });
  progress.done();
  return describeMigration({
    target,
    plan,
    built,
    done,
    elapsed: between(started, services.clock()),
    warnings: await warningsFor(target, plan),
  });
}

interface Settings {
  readonly folder: AbsolutePath;
  readonly config: ReturnType<typeof readConfig>;
  readonly pathPattern: string;
  readonly tagPattern: string | undefined;
}

function settingsFor(request: MigrateRequest, target: Target): Settings {
  const folder = parseAbsolutePath(join(target.workTree ?? target.gitDir, target.workTree === undefined ? '' : target.facts.root));
  const config = readConfig(folder);
  const configured = config.migrate.tags === false ? undefined : config.migrate.tags;
  const tagPattern = request.tags === 'none' ? undefined : request.tags === 'configured' ? configured : request.tags.pattern;
  return { folder, config, pathPattern: config.migrate.path, tagPattern };
}

async function locateAll(request: MigrateRequest, services: Services, settings: Settings): Promise<SourceRequest[]> {
  const confirm = async (question: string): Promise<void> => {
    services.ui.status(question);
    if (request.confirmation === 'given') return;
    if ((await services.ui.confirm('Go on?')) !== 'yes') throw notConfirmed(question);
  };
  const located: SourceRequest[] = [];
  // One after the other: each may ask the person something.
  for (const name of request.packages) located.push(await locateSource(name, { ...request, confirm }, settings));
  return located;
}

interface Gathering {
  readonly request: MigrateRequest;
  readonly services: Services;
  readonly sources: readonly SourceRequest[];
  readonly progress: Progress;
  readonly tags: string | undefined;
}

interface Gathered {
  readonly fetched: ReadonlyMap<string, FetchedSource>;
  readonly sources: readonly FetchedSource['facts'][];
  readonly leftOut: readonly LeftOut[];
}

/** A source that cannot be fetched is left out; only an interruption or a full disk ends the run. */
async function fetchAll(workshop: Workshop, target: Target, work: Gathering): Promise<Gathered> {
  work.progress.phase('Fetching', work.sources.length);
  const outcomes = await pMap(
    work.sources,
    async (request, at): Promise<FetchedSource | LeftOut> => {
      try {
        const choices = {
          tags: work.tags === undefined ? ('leave' as const) : ('bring' as const),
          lfsPointers: work.request.lfsPointers,
          signal: work.services.signal,
        };
        const source = await fetchSource(target, { request, scratch: workshop.newScratch(String(at)) }, choices);
        work.progress.step(request.name);
        return source;
      } catch (error) {
        if (!isToolError(error) || ['INTERRUPTED', 'DISK_FULL', 'GIT_MISSING'].includes(error.code)) throw error;
        return { name: request.name, error };
      }
    },
    { concurrency: FETCHES_AT_ONCE },
  );
  const fetched = outcomes.filter((outcome): outcome is FetchedSource => 'facts' in outcome);
  const leftOut = outcomes.filter((outcome): outcome is LeftOut => 'error' in outcome);
  return {
    fetched: new Map(fetched.map((source) => [source.facts.request.name, source])),
    sources: fetched.map(({ facts }) => facts),
    leftOut,
  };
}

interface Applying {
  readonly plan: Plan;
  readonly fetched: ReadonlyMap<string, FetchedSource>;
  readonly services: Services;
  readonly progress: Progress;
}

async function apply(workshop: Workshop, target: Target, work: Applying): Promise<{ built: BuiltBranch; done: DonePackage[] }> {
  const identity = await readIdentity(target.userGit);
  const done: DonePackage[] = [];
  for (const planned of work.plan.packages) {
    work.services.signal.throwIfAborted();
    done.push(await moveAndProve(target, planned, { ...work, identity }));
  }
  const scratches = work.plan.packages.map((planned) => sourceOf(work, planned).scratch);
  const out = workshop.newScratch('branch');
  const git = openView(target, [...scratches, out], { signal: work.services.signal });
  work.progress.phase('Building the branch');
  const arrivals = done.map(({ moved }) => ({ moved, record: recordOf(moved, work.plan) }));
  const built = await buildBranch({ view: git, out: plumbing(out, { signal: work.services.signal }) }, target.facts, {
    arrivals,
    identity,
  });
  await proveConnected(git, { tip: built.tip, base: target.facts.head, done });
  const { checkWorkspaces } = await import('../io/check-workspaces.js');
  await checkWorkspaces(git, built.tip, { root: target.facts.root, packages: work.plan.packages });
  work.services.signal.throwIfAborted();
  const tags = done.flatMap(({ moved }) => moved.tags.map((tag) => ({ ref: tagRef(tag.name), value: tag.id })));
  const message = `migrate-repo: ${done.map(({ moved }) => moved.planned.source.request.name).join(', ')}`;
  await handOver(target, workshop, {
    scratches: [...scratches, out],
    refs: [...tags, { ref: work.plan.branch, value: built.tip }],
    message,
  });
  return { built, done };
}

async function moveAndProve(
  target: Target,
  planned: PlannedPackage,
  work: Applying & { readonly identity: Awaited<ReturnType<typeof readIdentity>> },
): Promise<DonePackage> {
  const { git } = sourceOf(work, planned);
  const { name } = planned.source.request;
  const { format } = target.facts;
  const counting = (phase: string): ((count: number) => void) => {
    work.progress.phase(`${phase} ${name}`);
    let before = 0;
    return (count) => {
      work.services.signal.throwIfAborted();
      work.progress.step('commits', count - before);
      before = count;
    };
  };
  const moved = await moveHistory(git, {
    planned,
    format,
    strategy: work.plan.strategy,
    identity: work.identity,
    onCommits: counting('Rewriting'),
  });
  return { moved, proof: await proveMove(git, moved, { format, onCommits: counting('Proving') }) };
}

function sourceOf(work: Applying, planned: PlannedPackage): FetchedSource {
  const source = work.fetched.get(planned.source.request.name);
  if (source === undefined) throw new Error(`${planned.source.request.name} was planned and not fetched`);
  return source;
}

/** The monorepo's objects together with all that arrives. */
function openView(target: Target, scratches: readonly AbsolutePath[], settings: GitSettings): ReturnType<typeof plumbing> {
  return plumbing(target.gitDir, { ...settings, alternates: scratches.map((scratch) => parseAbsolutePath(join(scratch, 'objects'))) });
}

/**
 * Everything that the new commits reach exists. What the imported histories reach was checked by git when they were fetched, and the proof has
 * tied each new commit to a fetched one.
 */
async function proveConnected(
  git: ReturnType<typeof plumbing>,
  branch: { readonly tip: string; readonly base: string; readonly done: readonly DonePackage[] },
): Promise<void> {
  const known = [branch.base, ...branch.done.map(({ moved }) => moved.tip)].map((id) => `^${id}\n`);
  await git.bytes(['rev-list', '--objects', '--quiet', '--stdin'], { input: `${branch.tip}\n${known.join('')}` });
}

function recordOf(moved: MovedHistory, plan: Plan): ImportRecord {
  const { planned } = moved;
  const { request, ref, tip } = planned.source;
  // A clone cannot tell tags of trees and blobs that came from those that were made later.
  const onCommits = moved.tags.filter(({ target }) => target === 'commit');
  return {
    package: request.name,
    path: planned.path,
    source: request.url.toString(),
    sourceRef: ref,
    sourceCommit: tip,
    subdirectory: request.subdirectory,
    strategy: plan.strategy,
    messages: 'exact',
    signatures: 'keep',
    tags:
      planned.tagPattern === undefined
        ? undefined
        : { count: onCommits.length, digest: digestTags(onCommits), pattern: planned.tagPattern },
    importedTip: moved.tip,
  };
}

async function warningsFor(target: Target, plan: Plan): Promise<string[]> {
  if (target.workTree === undefined) return [];
  const { readWorkTreeState } = await import('@tributary/git/client');
  const { uncommitted } = await readWorkTreeState(target.workTree);
  const inTheWay = plan.packages.filter(({ path }) =>
    uncommitted.some((file) => `${file}/`.startsWith(`${path}/`) || file === `${path.split('/')[0]}/`),
  );
  return [
    ...(uncommitted.length === 0
      ? []
      : [
          `${uncommitted.length} uncommitted changes of your work tree are not on ${shortRef(plan.branch)}; it is built on the last commit.`,
        ]),
    ...(inTheWay.length === 0
      ? []
      : [`Untracked files may keep you from checking the branch out: ${inTheWay.map(({ path }) => path).join(', ')}.`]),
  ];
}

function nothingLeft(leftOut: readonly LeftOut[]): ToolError {
  const [first] = leftOut;
  if (first !== undefined && leftOut.length === 1) return first.error;
  return new ToolError({
    code: 'PACKAGES_LEFT_OUT',
    message: `None of the ${leftOut.length} packages can be migrated: ${leftOut.map(({ name, error }) => `${name} (${error.code}: ${error.message})`).join(' ')}`,
    hint: 'Each of them stands in docs/errors.md; try one alone to see its hint.',
    data: { leftOut: leftOut.map(({ name, error }) => ({ name, error })) },
  });
}
