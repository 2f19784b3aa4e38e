import type { ObjectId } from '@tributary/model/ids';

/** What becomes of one source commit. */
export type Mapped =
  /** A commit of its own, with these (new) parents. */
  | { readonly kind: 'kept'; readonly parents: readonly ObjectId[] }
  /** It changed nothing: whoever pointed to it points to that (new) commit. */
  | { readonly kind: 'same'; readonly as: ObjectId }
  /** The folder was not there yet. */
  | { readonly kind: 'before' };

/** A commit to be mapped: its parents' images (`undefined`: before the folder existed) and the folder's tree (`undefined`: absent). */
interface Candidate {
  readonly parents: readonly (ObjectId | undefined)[];
  readonly tree: ObjectId | undefined;
}

/** Of the new history: the folder's tree in a commit, and its parents. */
interface NewCommit {
  readonly tree: ObjectId | undefined;
  readonly parents: readonly ObjectId[];
  /** One more than the largest of its parents: a commit reaches only smaller ones. */
  readonly generation: number;
}

/**
 * The history of one folder: commits that changed it, and the merges that joined different lines of it. The rule is that of
 * `git subtree split`, and besides a merge goes away when every other parent is an ancestor of the one whose content it took.
 */
export class FolderHistory {
  private readonly commits = new Map<ObjectId, NewCommit>();

  map(candidate: Candidate): Mapped {
    const parents = [...new Set(candidate.parents.filter((parent) => parent !== undefined))];
    if (parents.length === 0) return candidate.tree === undefined ? { kind: 'before' } : { kind: 'kept', parents };
    const equal = parents.filter((parent) => this.commits.get(parent)?.tree === candidate.tree);
    const newest = equal.find((one) => parents.every((parent) => parent === one || this.reaches(one, parent)));
    return newest === undefined ? { kind: 'kept', parents } : { kind: 'same', as: newest };
  }

  add(id: ObjectId, tree: ObjectId | undefined, parents: readonly ObjectId[]): void {
    const generation = 1 + Math.max(0, ...parents.map((parent) => this.generationOf(parent)));
    this.commits.set(id, { tree, parents, generation });
  }

  has(id: ObjectId): boolean {
    return this.commits.has(id);
  }

  private generationOf(id: ObjectId): number {
    return this.commits.get(id)?.generation ?? 0;
  }

  /** Whether `wanted` is an ancestor of `from`. Lines older than `wanted` are not followed. */
  private reaches(from: ObjectId, wanted: ObjectId): boolean {
    const floor = this.generationOf(wanted);
    const seen = new Set<ObjectId>([from]);
    for (const id of seen) {
      if (id === wanted) return true;
      if (this.generationOf(id) <= floor) continue;
      for (const parent of this.commits.get(id)?.parents ?? []) seen.add(parent);
    }
    return false;
  }
}
