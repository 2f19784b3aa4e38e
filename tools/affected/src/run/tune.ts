import { parseRevision } from '@tributary/git/changeset';
import { withObjectReader } from '@tributary/git/objects';
import type { AffectedConfig, FileRule } from '@tributary/model/config';
import type { RepoPath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { parseConfigFile } from '@tributary/workspaces/config-file';
import { addRules } from '@tributary/workspaces/rules-edit';
import { openWorkingConfig } from '../io/config-file.js';
import { locate } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import type { TuneProposal, TuneResult } from '../result.js';
import { mayBeNarrowed } from '../root-uses/pipeline-files.js';
import { globOf, type Unit, unitsOf } from '../root-uses/units.js';
import type { Snapshot } from '../snapshot.js';
import { type Tried, tuneResult } from '../tune-result.js';
import { idOf } from './compare.js';
import { loadRules, readConfig } from './config.js';
import { type AffectedDecision, decide } from './decide.js';
import type { SearchScene } from './find-users.js';
import { refuseFix } from './fix-edges.js';
import { gatherCommits } from './gather.js';
import { readHeadProject } from './head-project.js';
import type { AffectedInputs } from './inputs.js';
import { proveUnits, type UnitVerdict } from './prove-units.js';
import { type ReplayRequest, replayCommits, workflowOf } from './replay.js';

/**
 * Replays the last commits, finds why everything ran, and proposes entries that would save that: rules for root files that only
 * the root or a few workspaces name. Reads only. Throws the errors of `replay`.
 */
export async function tune(request: ReplayRequest, services: Services): Promise<TuneResult> {
  const repository = await locate(request.cwd);
  return withObjectReader(openGit(repository, { signal: services.signal }), async (git) => {
    const head = await idOf({ git, head: parseRevision(request.head) });
    const { side, project } = await readHeadProject({ cwd: request.cwd, head }, services);
    const tracked = new Set<string>(project.tracked().map(({ path }) => path));
    // The present tributary.json applies to all commits.
    const config = await readConfig(side.texts);
    const before: Tried[] = [];
    for await (const { inputs, decision } of replayCommits({ git, repository }, request, services, config))
      before.push(triedOf(inputs, decision));
    const progress = services.ui.progress();
    progress.phase('Finding the users of each file');
    const rules = await loadRules({ config, texts: side.texts }, side.linked);
    const scene = { git, repository, headTree: head, graph: side.graph, rootManifest: side.rootManifest, rules, kind: 'test' as const };
    const { proposals, after } = await propose({ scene, side, tracked, workflow: await workflowOf(git, request) }, config, before);
    progress.done();
    return tuneResult(head, { before, after, proposals });
  });
}

/** The commit in which users are searched. */
interface Where {
  readonly scene: SearchScene;
  readonly side: Snapshot;
  readonly tracked: ReadonlySet<string>;
  /** As in the request of `replay`. */
  readonly workflow: string | undefined;
}

interface Proposed {
  readonly proposals: readonly TuneProposal[];
  /** The commits under the configuration with all proposals, in the same order. */
  readonly after: readonly Tried[];
}

/** Repeats until nothing new is found, because one cause may hide another. */
async function propose(where: Where, config: AffectedConfig, before: readonly Tried[]): Promise<Proposed> {
  const asked = new Set<string>();
  let proposals: readonly TuneProposal[] = [];
  let after = before;
  for (;;) {
    const causes = causesOf(after).filter((file) => !asked.has(file));
    if (causes.length === 0) return { proposals, after };
    for (const file of causes) asked.add(file);
    // A rule for a deleted file would match nothing.
    const further = await proposeRules(
      where.scene,
      causes.filter((file) => where.tracked.has(file)),
    );
    if (further.length === 0) return { proposals, after };
    proposals = [...proposals, ...further];
    after = await decideAnew(where, after, withProposals(config, proposals));
  }
}

/** The most root files of a commit that a rule could cover. */
const MOST_FILES = 30;

/** Returns the files that a rule could cover, over all commits that ran everything. */
function causesOf(tried: readonly Tried[]): readonly RepoPath[] {
  const files = tried.flatMap(({ all, unclaimedFiles }) => {
    if (all === null || unclaimedFiles.length > MOST_FILES) return [];
    const { code, subject } = all;
    return [...unclaimedFiles, ...(code === 'RULE' && subject !== undefined && mayBeNarrowed(subject) ? [subject] : [])];
  });
  return [...new Set(files)].filter((file) => !file.startsWith('../')).map((file) => file as RepoPath);
}

/** Proposes rules for the widest folders possible. */
async function proposeRules(scene: SearchScene, files: readonly RepoPath[]): Promise<readonly TuneProposal[]> {
  const proposals: TuneProposal[] = [];
  const verdicts = new Map<string, UnitVerdict>();
  let open = files.map((file) => ({ file, units: unitsOf(file, scene.graph) }));
  for (let depth = 0; open.length > 0; depth++) {
    const units = new Map<string, Unit>(open.flatMap(({ units: all }) => all[depth] ?? []).map((unit) => [globOf(unit), unit]));
    const unknown = [...units].filter(([glob]) => !verdicts.has(glob));
    const proven = await proveUnits(
      scene,
      unknown.map(([, unit]) => unit),
    );
    for (const [at, [glob, unit]] of unknown.entries()) {
      const verdict = proven[at];
      if (verdict === undefined) continue;
      verdicts.set(glob, verdict);
      const rule = ruleFor(scene, unit, verdict);
      if (rule !== undefined) proposals.push({ kind: 'rule', rule, commits: 0, saves: 0 });
    }
    const settled = new Set(proposals.flatMap((proposal) => (proposal.kind === 'rule' ? proposal.rule.files : [])));
    open = open.filter(({ units: all }) => all.length > depth + 1 && !all.slice(0, depth + 1).some((unit) => settled.has(globOf(unit))));
  }
  return proposals;
}

/** More workspaces than this are as good as all. */
const MOST_NAMES = 10;

function ruleFor({ graph }: SearchScene, unit: Unit, verdict: UnitVerdict): FileRule | undefined {
  if (verdict.who === 'everybody' || verdict.workspaces.length > MOST_NAMES) return undefined;
  // A workspace that names a folder may read only one file of it.
  if (unit.kind === 'folder' && verdict.workspaces.length > 0) return undefined;
  const root = graph.members[graph.byPath.get('') ?? -1]?.name;
  const affects = verdict.workspaces.length === 0 ? 'owner' : [...(root === undefined ? [] : [root]), ...verdict.workspaces];
  return { files: [globOf(unit)], affects, because: verdict.evidence };
}

/** Decides again for commits that ran everything. It also reads them again, because all their lockfiles would not fit into memory. */
async function decideAnew(
  { scene: { git, repository }, workflow }: Where,
  tried: readonly Tried[],
  config: AffectedConfig,
): Promise<readonly Tried[]> {
  const anew: Tried[] = [];
  for (const one of tried) {
    const commits = { base: parseRevision(one.parent), head: parseRevision(one.commit) };
    const inputs = one.all === null ? undefined : await gatherCommits(git, repository, commits);
    anew.push(inputs === undefined ? one : triedOf(inputs, await decide({ ...inputs, config, workflow })));
  }
  return anew;
}

function triedOf({ head, base, files }: AffectedInputs, { answer }: AffectedDecision): Tried {
  const { all, unclaimedFiles, members, memberCount } = answer;
  return {
    commit: head,
    parent: base ?? '',
    files: files.map(({ path }) => path),
    all,
    unclaimedFiles,
    affected: members.length,
    workspaceCount: memberCount,
  };
}

/** Returns the configuration with proposals added. */
function withProposals(config: AffectedConfig, proposals: readonly TuneProposal[]): AffectedConfig {
  return {
    ...config,
    rules: [...config.rules, ...proposals.map(({ rule }) => rule)],
  };
}

/** Throws `USAGE` if the working tree is not at the head, `TARGET_NOT_FOUND` for a bare repository, `CONFIG_INVALID`. */
export async function refuseWriting({ cwd, head }: ReplayRequest, services: Pick<Services, 'signal'>): Promise<void> {
  await refuseFix(await locate(cwd), { head }, services, '--write');
}

/** Appends proposals to the working tree's tributary.json. Throws the errors of `refuseWriting`, and `FILE_UNUSABLE`, `DISK_FULL`. */
export async function writeProposals(
  request: ReplayRequest,
  proposals: readonly TuneProposal[],
  services: Pick<Services, 'signal'>,
): Promise<void> {
  await refuseWriting(request, services);
  const file = openWorkingConfig(await locate(request.cwd), '--write');
  const text = addRules(
    file.text,
    proposals.map(({ rule }) => rule),
  );
  const { affected } = parseConfigFile(text, 'tributary.json');
  // All proposals must be in the edited text; otherwise nothing is written.
  const globs = new Set(affected.rules.flatMap(({ files }) => files));
  const lost = proposals.find(({ rule }) => !rule.files.every((glob) => globs.has(glob)));
  if (lost !== undefined) throw new Error('a proposal could not be written');
  file.write(text);
}
