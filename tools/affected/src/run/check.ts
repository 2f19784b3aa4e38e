import { parseRevision } from '@tributary/git/changeset';
import type { Git } from '@tributary/git/git';
import { readObjects } from '@tributary/git/objects';
import { parseBerry } from '@tributary/lockfile/berry';
import type { AffectedConfig, EdgesConfig } from '@tributary/model/config';
import type { CommitId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import { isCodeFile, isSettingsFile } from '@tributary/references/file-kinds';
import { detach, readReferences } from '@tributary/references/read-references';
import type { Services } from '@tributary/terminal/main';
import { builtInRules, type FileRules, readGlobalDependencies } from '@tributary/workspaces/file-rules';
import { readLockMembers } from '@tributary/workspaces/lock/members';
import { withResolutions } from '@tributary/workspaces/lock/resolved-members';
import { withReadingEdges } from '@tributary/workspaces/reading-edges';
import { ROOT_ONLY_DEPENDENCIES } from '@tributary/workspaces/root-dependencies';
import { findCaseTwins } from '../check/case.js';
import { buildCoverage } from '../check/coverage.js';
import { findCycles } from '../check/cycles.js';
import {
  edgesToList,
  type FoundEdge,
  findStaleEdges,
  indirectFindings,
  isListed,
  isReference,
  type JudgedReference,
  judgeReferences,
  type ListedEdges,
  markListed,
  scriptFindings,
} from '../check/edges.js';
import { type Finding, type StaleEdge, type StaleLock, sortFindings } from '../check/finding.js';
import { findNarrowInputs } from '../check/narrow-inputs.js';
import { judgeObservations, type ObservedReferences, observedEdges, observedFindings } from '../check/observed.js';
import { type CheckedProject, indexProject, withGraph } from '../check/project.js';
import { ReferenceCollector } from '../check/references.js';
import { findRuleFlaws } from '../check/rule-flaws.js';
import { compareGraphs, compareRanges } from '../check/stale-lock.js';
import { findEscapingSymlinks, type LinkTexts, linkTexts, type SymbolicLink } from '../check/symlinks.js';
import { findUndeclared } from '../check/undeclared.js';
import { locate, type RepoLocation } from '../io/locate.js';
import { readObservations } from '../io/observations.js';
import { openGit } from '../io/open-git.js';
import { type RootTexts, readRootTexts } from '../io/reading.js';
import { streamTexts, type TrackedFile } from '../io/tracked-files.js';
import type { CheckResult, RulesInForce } from '../result.js';
import type { Snapshot } from '../snapshot.js';
import { idOf } from './compare.js';
import { loadRules, readConfig } from './config.js';
import type { SearchScene } from './find-users.js';
import { readHeadProject } from './head-project.js';
import { findBrokenPromises } from './prove-promises.js';
import type { CheckRequest } from './request.js';
import { scriptsOf } from './task-side.js';
import { readTestTasks } from './test-tasks.js';

/** The input that rules and the scan of sources share. */
interface Scene {
  readonly git: Git;
  readonly head: CommitId;
  readonly texts: RootTexts;
  readonly config: AffectedConfig;
  readonly rules: FileRules;
}

/**
 * Checks a commit for what `affected` cannot see: references across workspaces without a declared edge, a stale lockfile, rules without
 * effect. It reads only git objects, never the working tree. Throws `TARGET_NOT_FOUND`, `REVISION_MISSING`, `CONFIG_INVALID`,
 * `MANIFEST_INVALID`, `WORKSPACE_DUPLICATE_NAME`, `TARGET_NOT_A_MONOREPO`.
 */
export async function check(request: CheckRequest, services: Services): Promise<CheckResult> {
  const checked = await inspect(request, services);
  return resultOf(checked, checked.scene.config.edges);
}

/**
 * Does the same, and writes the found edges into the working tree's tributary.json. Throws the errors of `check`, `USAGE` for another
 * commit than HEAD, `TARGET_NOT_FOUND` for a bare repository, and `FILE_UNUSABLE`.
 */
export async function checkAndFix(request: CheckRequest, services: Services): Promise<CheckResult> {
  const repository = await locate(request.cwd);
  const { refuseFix, writeEdges } = await import('./fix-edges.js');
  await refuseFix(repository, request, services);
  const checked = await inspect(request, services);
  const { scene, project } = checked;
  const tracked = new Set<string>(project.tracked);
  const found = { found: edgesFound(checked), stale: checked.stale, tracked };
  const fixed = await writeEdges(repository, { config: scene.config, texts: scene.texts, found }, services);
  const { warnings, ...result } = resultOf({ ...checked, stale: fixed.stale }, fixed.edges);
  return {
    ...result,
    fixed: { added: fixed.added, renewed: fixed.renewed, removed: fixed.removed },
    warnings: [...warnings, ...fixed.warnings],
  };
}

/** The findings, before they are compared with the edges of tributary.json. */
interface Inspected {
  readonly scene: Scene;
  readonly project: CheckedProject;
  readonly links: LinkTexts;
  /** In sources and links, without references through root files. */
  readonly direct: readonly Finding[];
  readonly references: readonly JudgedReference[];
  readonly observed: ObservedReferences;
  readonly stale: readonly StaleEdge[];
  /** Findings that are not about references. */
  readonly others: readonly Finding[];
  readonly skippedFiles: number;
  readonly warnings: readonly string[];
}

async function inspect(request: CheckRequest, services: Services): Promise<Inspected> {
  const progress = services.ui.progress();
  progress.phase('Reading the project');
  const scene = await openScene(request, services);
  const { git, head, rules, config } = scene;
  const repository = await locate(request.cwd);
  const headProject = await readHeadProject({ cwd: request.cwd, head }, services);
  const { side, project: read, graph } = headProject;
  const files = read.tracked();
  const project = indexProject({
    workspaces: read.workspaces,
    graph,
    tracked: files.map(({ path }) => path),
    isCovered: buildCoverage({ graph, rules }),
  });
  progress.phase('Reading sources');
  const inputs = { tasks: await readTestTasks(git, headProject, config), turboInputs: config.turboInputs };
  const sources = await readFindings({ git, files, project, inputs }, (path) => progress.step(path));
  const lock = checkLock(side);
  const isUnclaimed = (file: RepoPath): boolean => rules(file, 'outside') === undefined;
  const observed = judgeObservations(project, request.observed === undefined ? [] : readObservations(request.observed), {
    head,
    isUnclaimed,
  });
  const broken = await findBrokenPromises(useScene(scene, side, repository), config.rules);
  progress.done();
  return {
    ...sources,
    scene,
    project,
    references: judgeReferences(project, sources.references.all(), isUnclaimed),
    observed,
    stale: findStaleEdges(project, config.edges, sources.references),
    others: [
      ...lock.findings,
      ...findCaseTwins(project.tracked, graph),
      ...findCycles(graph),
      ...findRuleFlaws({
        config,
        tracked: project.tracked,
        scripts: new Map(read.workspaces.map((one) => [one.name, scriptsOf(one.manifest)])),
      }),
      ...broken,
    ],
    warnings: [...lock.warnings, ...observed.warnings],
  };
}

/** What tributary.json should list. */
function edgesFound({ project, references, observed }: Inspected): readonly FoundEdge[] {
  const edges = edgesToList(project, references);
  return [...edges, ...observedEdges(project, observed, edges)];
}

function useScene({ git, head, rules }: Scene, { graph, rootManifest }: Snapshot, repository: RepoLocation): SearchScene {
  return { git, repository, headTree: head, graph, rootManifest, rules, kind: 'test' };
}

function resultOf(inspected: Inspected, edges: EdgesConfig): CheckResult {
  const { scene, project, links, direct, references, observed, stale, others, skippedFiles, warnings } = inspected;
  const listed: ListedEdges = { edges, links, whole: withGraph(project, withReadingEdges(project.graph, { head: edges })) };
  const found = [
    ...direct,
    ...indirectFindings(project, references),
    ...scriptFindings(project, references),
    ...observedFindings(project, observed),
  ];
  return {
    schemaVersion: 1,
    head: scene.head,
    findings: sortFindings([
      ...found.map((finding) => (isReference(finding) ? markListed(listed, finding) : finding)),
      ...stale,
      ...others,
    ]),
    edges: edgesFound(inspected).map((edge) => ({ ...edge, listed: isListed(edges, edge) })),
    ...rulesOf(scene),
    skippedFiles,
    warnings,
  };
}

/** Returns only the rules, without scanning the sources. Throws `TARGET_NOT_FOUND`, `REVISION_MISSING`, `CONFIG_INVALID`. */
export async function readRules(request: CheckRequest, services: Pick<Services, 'signal'>): Promise<RulesInForce> {
  return rulesOf(await openScene(request, services));
}

async function openScene(request: CheckRequest, { signal }: Pick<Services, 'signal'>): Promise<Scene> {
  const repository = await locate(request.cwd);
  const git = openGit(repository, { signal });
  const head = await idOf({ git, head: parseRevision(request.head) });
  const texts = await readRootTexts(git, head, repository.project);
  const config = await readConfig(texts);
  return { git, head, texts, config, rules: await loadRules({ config, texts }, []) };
}

interface Sources {
  readonly git: Git;
  readonly files: readonly TrackedFile[];
  readonly project: CheckedProject;
  readonly inputs: Parameters<typeof findNarrowInputs>[2];
}

async function readFindings(
  { git, files, project, inputs }: Sources,
  onFile: (path: RepoPath) => void,
): Promise<Pick<Inspected, 'direct' | 'links' | 'skippedFiles'> & { readonly references: ReferenceCollector }> {
  const symlinks = await readLinks(git, files);
  const links = linkTexts(symlinks);
  const references = new ReferenceCollector(project, links);
  const findings: Finding[] = [];
  let skippedFiles = 0;
  const read = files.filter(({ kind, path }) => kind === 'file' && (isCodeFile(path) || isSettingsFile(path)));
  for await (const { file, text } of streamTexts(git, read)) {
    if (text === undefined) {
      skippedFiles++;
      continue;
    }
    onFile(file.path);
    const scanned = readReferences(file.path, text);
    references.look(scanned);
    findings.push(...findNarrowInputs(project, scanned, inputs));
    for (const finding of findUndeclared(project, scanned)) findings.push({ ...finding, specifier: detach(finding.specifier) });
  }
  return { direct: [...findings, ...findEscapingSymlinks(project, symlinks)], links, references, skippedFiles };
}

async function readLinks(git: Git, files: readonly TrackedFile[]): Promise<readonly SymbolicLink[]> {
  const links = files.filter(({ kind }) => kind === 'link');
  const objects = await readObjects(
    git,
    links.map(({ id }) => id),
  );
  return links.map(({ path }, at) => ({ path, text: objects[at]?.content.toString('utf8') ?? '' }));
}

/** Compares the lockfile with the manifests, if it names the workspaces. */
function checkLock(side: Snapshot): { readonly findings: readonly StaleLock[]; readonly warnings: readonly string[] } {
  const text = side.texts['yarn.lock'];
  if (text === undefined) return { findings: [], warnings: ['There is no yarn.lock, so it was not compared with the manifests.'] };
  const lock = readLockMembers(text);
  const entries = parseBerry(text);
  if (lock.kind === 'classic' || entries.kind === 'classic')
    return { findings: [], warnings: ['yarn.lock is from Yarn 1, which lists no workspaces; it was not compared with the manifests.'] };
  if (lock.kind === 'unreadable') return { findings: [], warnings: [notCompared(lock.reason)] };
  if (entries.kind === 'unreadable') return { findings: [], warnings: [notCompared(entries.reason)] };
  return {
    findings: [
      ...compareGraphs(withResolutions(lock, side.rootManifest.resolutions), side.graph),
      ...compareRanges(side.project?.workspaces ?? [], entries.entries),
    ],
    warnings: [],
  };
}

function notCompared(reason: string): string {
  return `yarn.lock was not compared with the manifests: ${reason}.`;
}

function rulesOf({ texts, config }: Scene): RulesInForce {
  const globs = readGlobalDependencies(texts['turbo.json'] ?? '{}');
  const turbo = 'problem' in globs || globs.length === 0 ? [] : [{ files: globs, affects: 'all' as const }];
  return {
    rules: [
      ...config.rules.map((rule) => ({ ...rule, source: 'tributary.json' as const })),
      ...turbo.map((rule) => ({ ...rule, source: 'turbo.json' as const })),
      ...builtInRules('test').map((rule) => ({ ...rule, source: 'built-in' as const })),
    ],
    rootOnlyDependencies: [...ROOT_ONLY_DEPENDENCIES, ...config.rootOnlyDependencies],
    always: config.always,
  };
}
