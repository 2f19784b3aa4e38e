import { parseRevision } from '@tributary/git/changeset';
import type { Git } from '@tributary/git/git';
import type { AffectedConfig, EdgesConfig } from '@tributary/model/config';
import type { CommitId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import { detachNames } from '@tributary/references/read-references';
import type { FileReferences } from '@tributary/references/reference';
import { usersOf } from '@tributary/references/users';
import type { Services } from '@tributary/terminal/main';
import { builtInRules, type FileRules, readGlobalDependencies } from '@tributary/workspaces/file-rules';
import { withReadingEdges } from '@tributary/workspaces/reading-edges';
import { ROOT_ONLY_DEPENDENCIES } from '@tributary/workspaces/root-dependencies';
import { type FoundEdge, findStaleEdges } from '../check/edges.js';
import { type Finding, type StaleEdge, sortFindings } from '../check/finding.js';
import { findNarrowInputs, hasNarrowInputs } from '../check/narrow-inputs.js';
import { judgeObservations, observedEdges, observedFindings } from '../check/observed.js';
import { opaquePlaces, undeclaredReferences } from '../check/references.js';
import { findRuleFlaws } from '../check/rule-flaws.js';
import { locate } from '../io/locate.js';
import { readObservations } from '../io/observations.js';
import { openGit } from '../io/open-git.js';
import { type RootTexts, readRootTexts } from '../io/reading.js';
import { buildBearing } from '../reasons/bearing.js';
import { undeclaredEdges, unfollowedReadings } from '../reasons/undeclared.js';
import type { Searched } from '../reasons/verdict.js';
import type { CheckResult, RulesInForce } from '../result.js';
import { idOf } from './compare.js';
import { loadRules, readConfig } from './config.js';
import { readHeadProject } from './head-project.js';
import { missingWarnings } from './missing-sources.js';
import { findBrokenPromises } from './prove-promises.js';
import { readReferenceMap } from './reference-map.js';
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
 * Checks a commit for what `affected` cannot see: references across workspaces without a declared edge, and rules without effect.
 * It reads only git objects, never the working tree. Throws `TARGET_NOT_FOUND`, `REVISION_MISSING`, `CONFIG_INVALID`,
 * `MANIFEST_INVALID`, `WORKSPACE_DUPLICATE_NAME`, `TARGET_NOT_A_MONOREPO`.
 */
export async function check(request: CheckRequest, services: Services): Promise<CheckResult> {
  return resultOf(await inspect(request, services));
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
  const { scene, edges, stale } = checked;
  const { added, removed, warnings } = await writeEdges(repository, { ...scene, edges, stale }, services);
  const left = stale.filter(({ from, to }) => !removed.some((one) => one.from === from && one.to === to));
  const result = resultOf({ ...checked, stale: left });
  return { ...result, fixed: { added, removed }, warnings: [...result.warnings, ...warnings] };
}

/** What was found in a commit. */
interface Inspected {
  readonly scene: Scene;
  readonly findings: readonly Finding[];
  /** Only what was observed: the rest needs no entry. */
  readonly edges: readonly FoundEdge[];
  readonly stale: readonly StaleEdge[];
  readonly warnings: readonly string[];
}

async function inspect(request: CheckRequest, services: Services): Promise<Inspected> {
  const progress = services.ui.progress();
  progress.phase('Reading the project');
  const scene = await openScene(request, services);
  const { git, head, config } = scene;
  const repository = await locate(request.cwd);
  const headProject = await readHeadProject({ cwd: request.cwd, head }, services);
  const { side, project, graph } = headProject;
  progress.phase('Reading sources');
  const inputs = { tasks: await readTestTasks(git, headProject, config), turboInputs: config.turboInputs };
  const tests: FileReferences[] = [];
  const look = (file: FileReferences): void => {
    progress.step(file.path);
    if (hasNarrowInputs(graph, file)) tests.push(detachNames(file));
  };
  const { map, missing } = await readReferenceMap({ git, repository, commit: head, graph }, { look });
  const searched = { map, bearingOf: buildBearing({ rules: scene.rules, kind: 'test', rootManifest: side.rootManifest }) };
  const observed = inspectObservations(request, scene, searched);
  progress.done();
  return {
    scene,
    findings: [
      ...undeclaredReferences(map, scene.rules),
      ...opaquePlaces(map),
      ...observed.findings,
      ...tests.flatMap((file) => findNarrowInputs(map.tree, file, inputs)),
      ...findRuleFlaws({
        config,
        tracked: map.tree.sorted,
        scripts: new Map(project.workspaces.map((one) => [one.name, scriptsOf(one.manifest)])),
      }),
      ...findBrokenPromises(searched, config.rules),
    ],
    edges: observed.edges,
    stale: findStaleEdges(
      { graph, tracked: map.tree.sorted, followed: undeclaredEdges(map, unfollowedReadings(map, scene.rules)) },
      config.edges,
    ),
    warnings: [...missingWarnings({ missing }), ...observed.warnings],
  };
}

type Observed = Pick<Inspected, 'findings' | 'edges' | 'warnings'>;

/** Compares what commands were observed to read with what answers follow. */
function inspectObservations(request: CheckRequest, { config, head, rules }: Scene, { map, bearingOf }: Searched): Observed {
  if (request.observed === undefined) return { findings: [], edges: [], warnings: [] };
  const { tree } = map;
  const edges = mergeEdges(config.edges, undeclaredEdges(map, unfollowedReadings(map, rules)));
  const isCovered = (file: RepoPath, workspace: number): boolean => {
    const affects = rules(file, 'outside')?.affects;
    if (affects !== undefined) return affects === 'all' || affects.includes(tree.graph.members[workspace]?.name ?? '');
    const users = usersOf(map, file, bearingOf);
    return users.who === 'everybody' || users.workspaces.has(workspace);
  };
  const followed = { tree, graph: withReadingEdges(tree.graph, edges), edges, isCovered };
  const found = judgeObservations(followed, readObservations(request.observed), head);
  return { findings: observedFindings(tree, found), edges: observedEdges(tree, found), warnings: found.warnings };
}

function mergeEdges(one: EdgesConfig, other: EdgesConfig): EdgesConfig {
  const readers = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...readers].map((reader) => [
      reader,
      {
        workspaces: { ...other[reader]?.workspaces, ...one[reader]?.workspaces },
        files: { ...other[reader]?.files, ...one[reader]?.files },
      },
    ]),
  );
}

function resultOf({ scene, findings, edges, stale, warnings }: Inspected): CheckResult {
  return { schemaVersion: 1, head: scene.head, findings: sortFindings([...findings, ...stale]), edges, ...rulesOf(scene), warnings };
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
