import { parseRevision } from '@tributary/git/changeset';
import type { Git } from '@tributary/git/git';
import { withObjectReader } from '@tributary/git/objects';
import type { AffectedConfig } from '@tributary/model/config';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { locate } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import { readRootTexts } from '../io/reading.js';
import { countsOf, figuresOf } from '../replay-figures.js';
import type { AssumedWorkflow, ReplayedCommit, ReplayResult } from '../result.js';
import { assumeWorkflow } from './assumed-workflow.js';
import { idOf } from './compare.js';
import { readConfig } from './config.js';
import { type AffectedDecision, decide } from './decide.js';
import { gatherCommits } from './gather.js';
import type { AffectedInputs } from './inputs.js';

export interface ReplayRequest {
  readonly cwd: AbsolutePath;
  readonly head: string;
  readonly last: number;
  /** The CI file to assume as running, relative to the repository. */
  readonly workflow?: string | undefined;
}

/**
 * Computes what each of the last commits of the main line would have run as a pull request, all by the tributary.json of the head. Reads
 * only. Throws `REVISION_MISSING`, `FILE_UNUSABLE` for an unknown workflow, and the errors of `selectAffected` for a commit.
 */
export async function replay(request: ReplayRequest, services: Services): Promise<ReplayResult> {
  const repository = await locate(request.cwd);
  return withObjectReader(openGit(repository, { signal: services.signal }), async (git) => {
    const head = await idOf({ git, head: parseRevision(request.head) });
    const config = await readConfig(await readRootTexts(git, head, repository.project));
    const workflow = await assumeWorkflow({ git, repository }, request);
    const commits: ReplayedCommit[] = [];
    const judgedBy = { config, workflow: workflow.path };
    for await (const { commit, decision, milliseconds } of replayCommits({ git, repository }, request, services, judgedBy))
      commits.push({ commit, ...countsOf(decision), all: decision.answer.all, milliseconds });
    return { schemaVersion: 1, head, workflow, commits, policies: figuresOf(commits), warnings: [] };
  });
}

/** A commit of the main line, compared with its parent. */
export interface Replayed {
  readonly commit: string;
  readonly inputs: AffectedInputs;
  readonly decision: AffectedDecision;
  /** For the decision only. */
  readonly milliseconds: number;
}

/** What each commit is judged by. */
export interface JudgedBy {
  readonly config: AffectedConfig;
  readonly workflow: AssumedWorkflow['path'];
}

/** Decides for each of the last commits, newest first. Throws the errors of `replay`. */
export async function* replayCommits(
  { git, repository }: Pick<AffectedInputs, 'git' | 'repository'>,
  request: ReplayRequest,
  { ui, clock }: Services,
  { config, workflow }: JudgedBy,
): AsyncGenerator<Replayed> {
  const pairs = await commitPairs(git, request);
  const progress = ui.progress();
  progress.phase('Replaying commits', pairs.length);
  for (const { commit, parent } of pairs) {
    progress.step(commit.slice(0, 10));
    const start = clock();
    const inputs = await gatherCommits(git, repository, { base: parseRevision(parent), head: parseRevision(commit) });
    if (inputs === undefined)
      throw new ToolError({
        code: 'REVISION_MISSING',
        message: `The parent of ${commit.slice(0, 10)} is not in this clone.`,
        hint: 'Replay fewer commits, or fetch more history.',
      });
    const decision = await decide({ ...inputs, workflow: workflow ?? undefined, config });
    yield { commit, inputs, decision, milliseconds: clock() - start };
  }
  progress.done();
}

async function commitPairs(git: Git, { head, last }: ReplayRequest): Promise<readonly { commit: string; parent: string }[]> {
  const text = await git.text(['rev-list', '--first-parent', '--parents', `--max-count=${last}`, parseRevision(head), '--']);
  return text.split('\n').flatMap((line) => {
    const [commit, parent] = line.split(' ');
    // The root commit has nothing to compare with.
    return commit === undefined || parent === undefined ? [] : [{ commit, parent }];
  });
}
