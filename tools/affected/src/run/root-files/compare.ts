import type { ChangedFile } from '@tributary/model/changeset';
import type { RepoPath } from '@tributary/model/paths';
import type { DirectReason, FoundReason } from '@tributary/workspaces/affected';
import type { ChangedGraph } from '@tributary/workspaces/join-graphs';
import type { Snapshot } from '../../snapshot.js';
import { loadRules } from '../config.js';
import type { AffectedInputs } from '../inputs.js';
import { judgeCodeowners } from './codeowners.js';
import { judgeLerna, judgeNx } from './keyed.js';
import { judgeMakefile } from './makefile.js';
import { buildScene, type RootFile, type Scene, type Verdict } from './scene.js';
import { judgeTsConfig } from './tsconfig.js';

/** The effect of changed root files, by the changed parts. The rules decide about files that are not answered. */
export interface FilesJudged {
  readonly found: readonly FoundReason[];
  readonly answered: readonly RepoPath[];
}

type Judge = (scene: Scene, file: RootFile) => Promise<Verdict>;

const JUDGES: readonly (readonly [name: RegExp, judge: Judge])[] = [
  [/^lerna\.json$/, judgeLerna],
  [/^nx\.json$/, judgeNx],
  [/^codeowners\.[^/]+$/, judgeCodeowners],
  [/^(?:GNUm|M|m)akefile$/, judgeMakefile],
  [/^[tj]sconfig[^/]*\.json$/, judgeTsConfig],
];

/**
 * Compares both versions of root files whose parts affect different workspaces. `known`: files that are already answered. It judges none if
 * everything is selected anyway. Throws `GIT_FAILED`.
 */
export async function judgeRootFiles(
  inputs: AffectedInputs,
  sides: { readonly base: Snapshot; readonly head: Snapshot },
  { joined, answered: known }: { readonly joined: ChangedGraph; readonly answered: ReadonlySet<string> },
): Promise<FilesJudged> {
  const { mergeBase, files, taskKind } = inputs;
  // For an unknown task, it is unknown what it reads.
  if (mergeBase === null || taskKind === 'other') return NOTHING;
  const scene = buildScene({ ...inputs, mergeBase }, sides, joined);
  // Rules of the user and of turbo.json take precedence, as for any other file.
  const rules = await loadRules(inputs, [], sides.base.texts);
  const isLeftToRules = ({ path, kind }: ChangedFile): boolean =>
    judgeOf(path) === undefined || kind !== 'file' || (rules(path, 'outside')?.source ?? 'built-in') !== 'built-in';
  const [left, judged] = [files.filter(isLeftToRules), files.filter((file) => !isLeftToRules(file))];
  const isForAll = ({ path }: ChangedFile): boolean =>
    !known.has(path) && scene.owners(path).length === 0 && (rules(path, 'outside')?.affects ?? 'all') === 'all';
  return left.some(isForAll) ? NOTHING : judgeAll(scene, judged);
}

const NOTHING: FilesJudged = { found: [], answered: [] };

function judgeOf(path: string): Judge | undefined {
  return JUDGES.find(([name]) => name.test(path))?.[1];
}

async function judgeAll(scene: Scene, files: readonly ChangedFile[]): Promise<FilesJudged> {
  const found: FoundReason[] = [];
  const answered: RepoPath[] = [];
  for (const { path } of files) {
    const [[base], [head]] = [await scene.readSide('base', [path]), await scene.readSide('head', [path])];
    const verdict = (await judgeOf(path)?.(scene, { path, base, head })) ?? 'unknown';
    // Everything is selected then.
    if (verdict === 'unknown') break;
    answered.push(path);
    for (const [place, key] of new Map(verdict.map(({ place, key }) => [place, key])))
      found.push({ place, reach: 'dependents', reason: reasonOf(path, key) });
  }
  return { found, answered };
}

function reasonOf(file: RepoPath, key: string): DirectReason {
  return key === file ? { kind: 'file', file, others: 0 } : { kind: 'setting', file, key };
}
