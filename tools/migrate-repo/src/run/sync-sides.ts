import { readNamedBlobs, resolveNames } from '@tributary/git/objects';
import { parseListedFiles } from '@tributary/git/parse';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import type { AbsolutePath } from '@tributary/model/paths';
import { parseManifest } from '@tributary/workspaces/manifest';
import type { Alignment } from '../alignment.js';
import type { HistoryToMerge } from '../history/branch.js';
import type { StagingArea } from '../io/staging-area.js';
import type { LocalRepository, Target } from '../io/target.js';
import { planCleanUp } from '../plan/clean-up.js';
import type { SourceFacts } from '../plan/facts.js';
import { type PlannedPackage, registerAll } from '../plan/plan.js';
import type { BuildOrder } from './build-order.js';
import { alignImported, importAll, openScratchBranch } from './scratch-branch.js';

/** A tree of the whole monorepo, and the scratch repository that contains it. */
export interface Side {
  readonly tree: ObjectId;
  readonly scratch: AbsolutePath;
  /** `undefined` with --no-align. */
  readonly alignment: Alignment | undefined;
}

/**
 * Returns the tree after an import of a tip into the monorepo as it was before the first import: cleaned up, and
 * aligned by today's steps. The last tip and the new one are treated alike. So their difference is what the source
 * changed, without the changes of the import itself. Nothing is installed. Throws as `alignBranch`.
 */
export async function importAt(
  { before, stagingArea }: { readonly before: Target; readonly stagingArea: StagingArea },
  tip: HistoryToMerge,
  work: BuildOrder,
): Promise<Side> {
  const packages = registerAll(before.facts, [tip.planned]);
  const [planned = tip.planned] = packages;
  const plan = { ...work.plan, packages };
  const applying = { ...work, plan, signerIn: undefined };
  const scratchBranch = openScratchBranch(before, stagingArea, applying);
  const imports = await importAll(scratchBranch, [{ ...tip, planned }], plan);
  const alignment = await alignImported(scratchBranch, { ...applying, merges: imports.map(({ merge }) => merge), maps: [] }, 'never');
  await scratchBranch.builder.store();
  const scratch = scratchBranch.scratches.at(-1);
  const [tree] = await resolveNames(scratchBranch.view, [`${scratchBranch.builder.tip}^{tree}`]);
  if (tree === undefined || scratch === undefined) throw new Error('a branch that was built has no tree');
  return { tree: tree.id, scratch, alignment };
}

/** The plan for the new tip. That of the last import has its own files. */
type PlanAgain = Omit<PlannedPackage, 'source' | 'cleanUp'> & { readonly source: Omit<SourceFacts, 'tip' | 'manifest' | 'files'> };

/** Returns the last import in the form of a new one. */
export async function importedBefore({ git }: LocalRepository, record: ImportRecord, planned: PlanAgain): Promise<HistoryToMerge> {
  const { importedTip, path, sourceCommit } = record;
  const [folder] = await resolveNames(git, [`${importedTip}:${path}`]);
  if (folder === undefined) throw new Error(`${importedTip} has no ${path}`);
  const files = parseListedFiles((await git.bytes(['ls-tree', '-r', '-z', folder.id])).toString('latin1'));
  const [text] = await readNamedBlobs(git, [`${folder.id}:package.json`]);
  const manifest = parseManifest(text?.toString('utf8') ?? '', `package.json of ${record.package}`);
  const source = { ...planned.source, tip: sourceCommit as CommitId, manifest, files };
  return { planned: { ...planned, source, cleanUp: planCleanUp(files) }, tip: importedTip, tree: folder.id };
}
