import type { ChangedFile } from '@tributary/model/changeset';
import { type ChangedSet, shareSets } from './changed-sets.js';
import type { HashingFacts } from './hashed-files.js';
import type { ChangedFiles, Piece } from './plan.js';

/** The changed files for the pieces whose result may come from a cache, each workspace once. */
export class Changed {
  readonly all: readonly ChangedFiles[];
  readonly sets: readonly ChangedSet[];
  /** By the name of such a piece's workspace, an index in `sets`. */
  private readonly places: ReadonlyMap<string, number>;

  /** `seen`: by the name of such a workspace, the workspaces whose changed files its tests may see. */
  constructor({ changed }: HashingFacts, seen: ReadonlyMap<string, readonly string[]>) {
    const workspaces = [...new Set([...seen.values()].flat())].sort();
    const places = new Map(workspaces.map((name, at) => [name, at]));
    this.all = workspaces.map((workspace) => ({
      workspace,
      files: (changed.get(workspace) ?? []).filter(isThereStill).map(({ path }) => path),
    }));
    const { sets, of } = shareSets(
      [...seen.values()].map((others) => others.flatMap((other) => places.get(other) ?? []).sort((a, b) => a - b)),
    );
    this.sets = sets;
    this.places = new Map([...seen.keys()].map((name, at) => [name, of[at] ?? 0]));
  }

  of(workspace: string): Pick<Piece, 'fresh' | 'changed'> {
    const changed = this.places.get(workspace);
    return changed === undefined ? { fresh: true } : { fresh: false, changed };
  }
}

function isThereStill({ status }: ChangedFile): boolean {
  return status !== 'deleted';
}
