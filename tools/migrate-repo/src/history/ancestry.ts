import type { ObjectId } from '@tributary/model/ids';

/** Answers which commits of a history are ancestors of others. Commits are added parents first; unknown commits have no parents. */
export class Ancestry {
  private readonly numbers = new Map<ObjectId, number>();
  private readonly parents: (readonly number[])[] = [];
  /** One more than the largest of the parents: a commit reaches only smaller ones. */
  private readonly generations: number[] = [];
  /**
   * For each commit, the last walk that visited it. A typed array, because a walk may visit every commit, and there may
   * be as many walks.
   */
  private seen = new Uint32Array(1024);
  private walks = 0;

  add(id: ObjectId, parents: readonly ObjectId[]): void {
    if (this.numbers.has(id)) return;
    const known = this.numbersOf(parents);
    this.numbers.set(id, this.parents.length);
    this.parents.push(known);
    this.generations.push(1 + known.reduce((most, parent) => Math.max(most, this.generations[parent] ?? 0), 0));
  }

  /** Whether `wanted` is one of `from` or an ancestor of one. Commits older than `wanted` are not followed. */
  reaches(from: readonly ObjectId[], wanted: ObjectId): boolean {
    const goal = this.numbers.get(wanted);
    if (goal === undefined) return false;
    const floor = this.generations[goal] ?? 0;
    const open = this.numbersOf(from);
    this.beginWalk();
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at === goal) return true;
      if (this.seen[at] === this.walks || (this.generations[at] ?? 0) <= floor) continue;
      this.seen[at] = this.walks;
      open.push(...(this.parents[at] ?? []));
    }
    return false;
  }

  private beginWalk(): void {
    this.walks += 1;
    if (this.seen.length >= this.parents.length) return;
    const larger = new Uint32Array(this.parents.length * 2);
    larger.set(this.seen);
    this.seen = larger;
  }

  private numbersOf(ids: readonly ObjectId[]): number[] {
    return ids.map((id) => this.numbers.get(id)).filter((number) => number !== undefined);
  }
}
