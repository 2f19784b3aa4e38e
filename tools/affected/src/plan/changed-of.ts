import type { ChangedFile } from '@tributary/model/changeset';
import { type ChangedSet, shareSets } from './changed-sets.js';
import type { HashingFacts } from './hashed-files.js';
import type { Inspected } from './inspect-workspace.js';
import type { ChangedFiles, Piece } from './plan.js';

/** The changed files for the pieces whose result may come from a cache, each workspace once. */
export class ChangedOf {
  readonly all: readonly ChangedFiles[];
  readonly sets: readonly ChangedSet[];
  /** By the name of such a piece's workspace, an index in `sets`. */
  private readonly indexes: ReadonlyMap<string, number>;
  private readonly why: ReadonlyMap<string, string | undefined>;

  constructor({ changed }: HashingFacts, chosen: readonly Inspected[]) {
    const seen = new Map(chosen.flatMap((one) => (one.why === undefined ? [[one.workspace, one.changed]] : [])));
    this.why = new Map(chosen.map((one) => [one.workspace, one.why]));
    const workspaces = [...new Set([...seen.values()].flat())].sort();
    const indexes = new Map(workspaces.map((name, at) => [name, at]));
    this.all = workspaces.map((workspace) => ({
      workspace,
      files: (changed.get(workspace) ?? []).filter(isThereStill).map(({ path }) => path),
    }));
    const { sets, of } = shareSets(
      [...seen.values()].map((others) => others.flatMap((other) => indexes.get(other) ?? []).sort((a, b) => a - b)),
    );
    this.sets = sets;
    this.indexes = new Map([...seen.keys()].map((name, at) => [name, of[at] ?? 0]));
  }

  of(workspace: string): Pick<Piece, 'fresh' | 'why' | 'changed'> {
    const changed = this.indexes.get(workspace);
    if (changed !== undefined) return { fresh: false, changed };
    const why = this.why.get(workspace);
    return why === undefined ? { fresh: true } : { fresh: true, why };
  }
}

function isThereStill({ status }: ChangedFile): boolean {
  return status !== 'deleted';
}
