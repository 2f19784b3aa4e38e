import { keptInMemory } from '@tributary/affected/observe/kept-observation';
import type { Observation } from '@tributary/affected/observe/observation';
import type { FileSelection } from '@tributary/affected/plan/spared-files';
import { decide } from '@tributary/affected/run/decide';
import { readHeadProject } from '@tributary/affected/run/head-project';
import { spareFiles } from '@tributary/affected/run/spare-files';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import type { TunedCommit } from './share-tuned.js';

/** How observations are used, as in tributary.json. */
export const USES = ['off', 'add', 'narrow', 'files'] as const;
export type Use = (typeof USES)[number];

/** What one commit selects of the observed workspaces, and of their test files, by use. */
export interface ObservedFigures {
  readonly commit: string;
  readonly workspaces: Readonly<Record<Use, number>>;
  readonly testFiles: Readonly<Record<Use, number>>;
  /** The observed workspaces that the commit has. */
  readonly of: number;
  readonly ofFiles: number;
  /** Why no workspace was spared. */
  readonly kept: string | undefined;
}

interface ObservedScene {
  readonly cwd: AbsolutePath;
  readonly observations: readonly Observation[];
  readonly services: Services;
}

/**
 * Returns what a commit selects with observations of another commit, which stand for its parent. So this simulates a run of the parent that read
 * the same paths.
 */
export async function observedFigures(replayed: TunedCommit, { cwd, observations, services }: ObservedScene): Promise<ObservedFigures> {
  const { commit, decision, inputs } = replayed;
  const members = new Set<string>(decision.question.joined.graph.members.map(({ name }) => name));
  const known = observations.filter(({ workspace }) => members.has(workspace)).map((one) => ({ ...one, commit: inputs.base ?? '' }));
  const sizes = new Map(known.map((one) => [one.workspace, testFilesIn(one)]));
  const [workspaces, testFiles] = [figures(), figures()];
  let kept: string | undefined;
  for (const use of USES) {
    const asked = askedFor(replayed, use, known);
    const answer = use === 'off' ? decision : await decide(asked);
    const head = use === 'files' ? await readHeadProject({ cwd, head: commit }, services) : undefined;
    const spared = head === undefined ? undefined : await spareFiles(asked, answer, head);
    const selected = answer.answer.members.filter(({ name }) => sizes.has(name));
    workspaces[use] = selected.length;
    testFiles[use] = selected.reduce((sum, { name }) => sum + (sizes.get(name) ?? 0) - sparedIn(spared, name), 0);
    if (use === 'narrow') kept = answer.warnings.find((warning) => warning.startsWith('Observations exclude no workspace'));
  }
  const ofFiles = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return { commit, workspaces, testFiles, of: sizes.size, ofFiles, kept };
}

function figures(): Record<Use, number> {
  return { off: 0, add: 0, narrow: 0, files: 0 };
}

function askedFor({ inputs, config }: TunedCommit, use: Use, observations: readonly Observation[]): Parameters<typeof decide>[0] {
  const asked = { ...inputs, config: { ...config, observed: use } };
  return use === 'off' ? asked : { ...asked, observed: { use, observations: observations.map(keptInMemory), task: observations[0]?.task } };
}

/** Returns 1 if the test files were not told apart, because then all of them run or none. */
function testFilesIn({ testFiles }: Observation): number {
  return testFiles === undefined || 'unclear' in testFiles ? 1 : Object.keys(testFiles.each).length;
}

function sparedIn(selection: FileSelection | undefined, name: string): number {
  return selection?.spared.get(name)?.files.length ?? 0;
}
