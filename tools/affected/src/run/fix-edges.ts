import { HEAD, parseRevision } from '@tributary/git/changeset';
import type { AffectedConfig, EdgesConfig } from '@tributary/model/config';
import { DEFAULT_AFFECTED } from '@tributary/model/default-affected';
import { ToolError } from '@tributary/model/errors';
import type { Services } from '@tributary/terminal/main';
import { parseConfigFile } from '@tributary/workspaces/config-file';
import { type EdgeChange, editEdges } from '@tributary/workspaces/edges-edit';
import { isSameValue } from '@tributary/workspaces/same-value';
import { edgesToAdd, edgesToRemove } from '../check/edge-changes.js';
import type { FoundEdge } from '../check/edges.js';
import type { StaleEdge } from '../check/finding.js';
import { openWorkingConfig } from '../io/config-file.js';
import type { RepoLocation } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import type { RootTexts } from '../io/reading.js';
import { stateOfWorkTree } from '../io/work-tree.js';
import type { CheckResult } from '../result.js';
import { idOf } from './compare.js';
import type { CheckRequest } from './request.js';

/** Rejects a run that would write edges of one commit into the files of another. Throws `USAGE`, `TARGET_NOT_FOUND`, `CONFIG_INVALID`. */
export async function refuseFix(
  repository: RepoLocation,
  { head }: Pick<CheckRequest, 'head'>,
  { signal }: Pick<Services, 'signal'>,
  option: '--fix' | '--write' = '--fix',
): Promise<void> {
  const { text } = openWorkingConfig(repository, option);
  if (text !== undefined) parseConfigFile(text, 'tributary.json');
  const git = openGit(repository, { signal });
  if ((await idOf({ git, head: parseRevision(head) })) === (await idOf({ git, head: HEAD }))) return;
  throw new ToolError({
    code: 'USAGE',
    message: `${option} writes into the working tree, which is not at ${head}.`,
    hint: 'Check out that commit, or leave out --head.',
    data: { head },
  });
}

/** What was written. */
type Fixed = NonNullable<CheckResult['fixed']> & Pick<CheckResult, 'warnings'>;

/** The configuration of the commit, and what was found about it. */
interface Source {
  readonly config: AffectedConfig;
  readonly texts: RootTexts;
  readonly edges: readonly FoundEdge[];
  readonly stale: readonly StaleEdge[];
}

/** Writes the edges into the working tree's tributary.json. Throws `CONFIG_INVALID`, `FILE_UNUSABLE`, `DISK_FULL`. */
export async function writeEdges(
  repository: RepoLocation,
  { config, texts, edges: found, stale }: Source,
  { signal }: Pick<Services, 'signal'>,
): Promise<Fixed> {
  const file = openWorkingConfig(repository, '--fix');
  if (file.text === undefined && texts['tributary.json'] !== undefined) {
    throw new ToolError({
      code: 'FILE_UNUSABLE',
      message: 'tributary.json is part of HEAD, but missing in the working tree: its other keys would be lost.',
      hint: 'Restore it: git checkout HEAD -- tributary.json',
    });
  }
  const before = edgesIn(file.text);
  // Read before the file is changed here.
  const dirty = await stateOfWorkTree(repository, signal);
  // Uncommitted edges may be about uncommitted files.
  const isCommitted = isSameValue(before, config.edges, 'is free');
  const additions = edgesToAdd(before, found);
  const removals = isCommitted ? edgesToRemove(before, stale) : [];
  const changes = [...additions, ...removals];
  const text = changes.length === 0 ? file.text : editEdges(file.text, changes);
  refuseLoss(changes, edgesIn(text));
  if (text !== undefined && text !== file.text) file.write(text);
  return {
    added: additions.map(edgeOf),
    removed: removals.map((change) => edgeOf({ ...change, proof: before[change.from]?.[change.kind][change.to] })),
    warnings: [
      ...(isCommitted || edgesToRemove(before, stale).length === 0 ? [] : [NOT_COMMITTED]),
      ...(dirty === 'dirty' ? ['The working tree has uncommitted changes: --fix does not see what the changed files read.'] : []),
    ],
  };
}

const NOT_COMMITTED = 'The edges of tributary.json in the working tree differ from HEAD: --fix only added edges.';

function edgesIn(text: string | undefined): EdgesConfig {
  return text === undefined ? DEFAULT_AFFECTED.edges : parseConfigFile(text, 'tributary.json').affected.edges;
}

/** Throws if the edited text lacks a change; then nothing is written. */
function refuseLoss(changes: readonly EdgeChange[], edges: EdgesConfig): void {
  const lost = changes.find(({ from, kind, to, proof }) => edges[from]?.[kind][to] !== proof);
  if (lost !== undefined) throw new Error(`the edge from ${lost.from} to ${lost.to} could not be written`);
}

function edgeOf({ from, kind, to, proof = '' }: EdgeChange): FoundEdge {
  return { from: from as FoundEdge['from'], kind: kind === 'workspaces' ? 'workspace' : 'file', to, proof };
}
