import type { ObjectId } from '@tributary/model/ids';

/** The result of mapping one source commit. */
export type Mapped =
  /** It becomes a new commit with these new parents. */
  | { readonly kind: 'kept'; readonly parents: readonly ObjectId[] }
  /** It changed nothing. This new commit replaces it as a parent. */
  | { readonly kind: 'same'; readonly as: ObjectId }
  /** The folder did not exist yet. */
  | { readonly kind: 'before' };

/** A commit to map: its parents' images (`undefined` before the folder existed) and the folder's tree (`undefined` if absent). */
interface Candidate {
  readonly parents: readonly (ObjectId | undefined)[];
  readonly tree: ObjectId | undefined;
}

/** A new commit: the folder's tree, and its parents. */
interface NewCommit {
  readonly tree: ObjectId | undefined;
  readonly parents: readonly ObjectId[];
  /** One more than the largest of its parents: a commit reaches only smaller ones. */
  readonly generation: number;
}

/**
 * The history of one folder: commits that changed it, and merges of different lines of it. The rule is that of `git
 * subtree split`. In addition, a merge is dropped if every other parent is an ancestor of the parent with the same
 * content.
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

  private generationOf(id: ObjectId): number {
    return this.commits.get(id)?.generation ?? 0;
  }

  /** Whether `wanted` is an ancestor of `from`. Commits older than `wanted` are not followed. */
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
