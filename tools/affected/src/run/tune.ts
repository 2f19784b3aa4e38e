import { parseRevision } from '@tributary/git/changeset';
import type { Git } from '@tributary/git/git';
import { withObjectReader } from '@tributary/git/objects';
import type { FileRule } from '@tributary/model/config';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { filesAt, type Tree } from '@tributary/references/tree';
import type { Services } from '@tributary/terminal/main';
import { decideAffected, type FileRow } from '@tributary/workspaces/affected';
import { parseConfigFile } from '@tributary/workspaces/config-file';
import { parentFolder } from '@tributary/workspaces/folders';
import { addRules } from '@tributary/workspaces/rules-edit';
import { openWorkingConfig } from '../io/config-file.js';
import { locate, type RepoLocation } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import { buildBearing } from '../reasons/bearing.js';
import { type Searched, verdictOf } from '../reasons/verdict.js';
import { countsOf, shareOf } from '../replay-figures.js';
import type { TuneProposal, TuneResult } from '../result.js';
import { causesOf, partsOf } from '../tune-causes.js';
import { type Tried, tuneResult } from '../tune-result.js';
import { assumeWorkflow } from './assumed-workflow.js';
import { idOf } from './compare.js';
import { loadRules, readConfig } from './config.js';
import { type AffectedDecision, decide } from './decide.js';
import { refuseFix } from './fix-edges.js';
import { gatherCommits } from './gather.js';
import { readHeadProject } from './head-project.js';
import type { AffectedInputs } from './inputs.js';
import { missingWarnings } from './missing-sources.js';
import { readReferenceMap } from './reference-map.js';
import { type JudgedBy, type ReplayRequest, replayCommits } from './replay.js';

/**
 * Replays the last commits, finds why everything ran, and proposes entries that would save that: rules for root files that only
 * the root or a few workspaces name. Reads only. Throws the errors of `replay`.
 */
export async function tune(request: ReplayRequest, services: Services): Promise<TuneResult> {
  const repository = await locate(request.cwd);
  return withObjectReader(openGit(repository, { signal: services.signal }), async (git) => {
    const head = await idOf({ git, head: parseRevision(request.head) });
    const { side } = await readHeadProject({ cwd: request.cwd, head }, services);
    // The present tributary.json applies to all commits.
    const config = await readConfig(side.texts);
    const workflow = await assumeWorkflow({ git, repository }, request);
    const judgedBy = { config, workflow: workflow.path };
    const before: Tried[] = [];
    for await (const { inputs, decision } of replayCommits({ git, repository }, request, services, judgedBy))
      before.push(triedOf(inputs, decision));
    const progress = services.ui.progress();
    progress.phase('Reading who refers to what');
    const rules = await loadRules({ config, texts: side.texts }, side.linked);
    const { map, missing } = await readReferenceMap({ git, repository, commit: head, graph: side.graph });
    const searched = { map, bearingOf: buildBearing({ rules, kind: 'test', rootManifest: side.rootManifest }) };
    const { proposals, after } = await propose({ git, repository, searched }, judgedBy, before);
    progress.done();
    const causes = causesOf(
      after.map((one) => one.causes),
      (file) => describeUnclaimed(searched, file),
    );
    return { ...tuneResult(head, { before, after, proposals, causes }), workflow, warnings: missingWarnings({ missing }) };
  });
}

/** Where proposals are searched and tried. */
interface Where {
  readonly git: Git;
  readonly repository: RepoLocation;
  readonly searched: Searched;
}

interface Proposed {
  readonly proposals: readonly TuneProposal[];
  /** The commits under the configuration with all proposals, in the same order. */
  readonly after: readonly Tried[];
}

/** Repeats until nothing new is found, because one cause may hide another. */
async function propose(where: Where, judgedBy: JudgedBy, before: readonly Tried[]): Promise<Proposed> {
  const asked = new Set<string>();
  let proposals: readonly TuneProposal[] = [];
  let after = before;
  for (;;) {
    const files = unclaimedIn(after).filter((file) => !asked.has(file));
    if (files.length === 0) return { proposals, after };
    for (const file of files) asked.add(file);
    // A rule for a deleted file would match nothing.
    const further = proposeRules(where.searched, files);
    if (further.length === 0) return { proposals, after };
    proposals = [...proposals, ...further];
    const rules = [...judgedBy.config.rules, ...proposals.map(({ rule }) => rule)];
    after = await decideAnew(where, after, { ...judgedBy, config: { ...judgedBy.config, rules } });
  }
}

/** The most root files of a commit that a rule could cover. */
const MOST_FILES = 30;

/** Returns the files that a rule could cover, over all commits that ran everything. */
function unclaimedIn(tried: readonly Tried[]): readonly RepoPath[] {
  const files = tried.flatMap(({ all, unclaimedFiles }) => {
    if (all === null || unclaimedFiles.length > MOST_FILES) return [];
    return all.code === 'FILE_UNCLAIMED' ? unclaimedFiles : [];
  });
  return [...new Set(files)].filter((file) => !file.startsWith('../')).map((file) => file as RepoPath);
}

/** Proposes a rule for each file whose readers are known, or for the widest folder around it of which all are. */
function proposeRules(searched: Searched, files: readonly RepoPath[]): readonly TuneProposal[] {
  const { tree } = searched.map;
  const rules = new Map<string, FileRule>();
  for (const file of files.filter((path) => tree.sorted.includes(path))) {
    for (const { glob, all } of unitsOf(tree, file)) {
      const rule = rules.get(glob) ?? ruleFor(searched, glob, all);
      if (rule === undefined) continue;
      rules.set(glob, rule);
      break;
    }
  }
  return [...rules.values()].map((rule) => ({ kind: 'rule', rule, commits: 0, saves: 0 }));
}

/** Returns the folders around a root file that hold no workspace, the widest first, and the file itself. */
function unitsOf(tree: Tree, file: RepoPath): readonly { readonly glob: string; readonly all: readonly RepoPath[] }[] {
  const folders: RepoFolder[] = [];
  for (let folder = parentFolder(file); folder !== ''; folder = parentFolder(folder)) if (!tree.above.has(folder)) folders.unshift(folder);
  const units = [...folders.map((folder) => ({ glob: `${folder}/**`, all: filesAt(tree, folder) })), { glob: file, all: [file] }];
  return units.filter(({ glob }) => !/[*?[\]{}()!+@\\]/.test(glob.replace(/\/\*\*$/, '')));
}

/** More workspaces than this are as good as all. */
const MOST_NAMES = 10;

function ruleFor(searched: Searched, glob: string, files: readonly RepoPath[]): FileRule | undefined {
  const verdict = verdictOf(searched, files);
  if (verdict.who === 'everybody' || verdict.workspaces.length > MOST_NAMES) return undefined;
  const { graph, root } = searched.map.tree;
  const own = graph.members[root]?.name;
  const affects = verdict.workspaces.length === 0 ? 'owner' : [...(own === undefined ? [] : [own]), ...verdict.workspaces];
  return { files: [glob], affects, because: verdict.evidence };
}

/** Tells why no rule is proposed for a file outside of all workspaces. */
function describeUnclaimed(searched: Searched, file: string): string {
  if (file.startsWith('../')) return 'A rule: nobody in this project is known to read what lies beside it.';
  if (!searched.map.tree.sorted.includes(file as RepoPath)) return 'It is gone, so no rule would help.';
  const { who, evidence } = verdictOf(searched, [file as RepoPath]);
  return who === 'everybody' ? `A rule, at your own risk: ${evidence}.` : `A rule: ${evidence}.`;
}

/** Decides again for commits that ran everything. It also reads them again, because all their lockfiles would not fit into memory. */
async function decideAnew({ git, repository }: Where, tried: readonly Tried[], { config, workflow }: JudgedBy): Promise<readonly Tried[]> {
  const anew: Tried[] = [];
  for (const one of tried) {
    const commits = { base: parseRevision(one.parent), head: parseRevision(one.commit) };
    const inputs = one.all === null ? undefined : await gatherCommits(git, repository, commits);
    anew.push(inputs === undefined ? one : triedOf(inputs, await decide({ ...inputs, config, workflow: workflow ?? undefined })));
  }
  return anew;
}

function triedOf({ head, base, files }: AffectedInputs, decision: AffectedDecision): Tried {
  const { all, unclaimedFiles } = decision.answer;
  const counts = countsOf(decision);
  return {
    commit: head,
    parent: base ?? '',
    files: files.map(({ path }) => path),
    all,
    unclaimedFiles,
    causes: partsOf(decision.answer, counts),
    saved: savedBy(decision),
    ...counts,
  };
}

/** Decides again without each kind of `affected.reach`. */
function savedBy({ question, answer }: AffectedDecision): Tried['saved'] {
  const { roles = new Map<string, FileRow>() } = question;
  const share = shareOf(countsOf({ question, answer }));
  const savings = [...new Set(roles.values())].map((kind) => {
    const without = { ...question, roles: new Map([...roles].filter(([, one]) => one !== kind)) };
    return [kind, shareOf(countsOf({ question, answer: decideAffected(without) })) - share] as const;
  });
  return new Map(savings.filter(([, saved]) => saved > 0));
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
