import type { ObjectId } from '@tributary/model/ids';
import type { HistoryChanges } from '../history/changes.js';
import { type MovedHistory, moveHistory, previewChanges } from '../history/move.js';
import { type DonePackage, type HistoryProof, proveMove } from '../history/prove.js';
import { findUnlikeTags } from '../history/unlike-tags.js';
import type { Target } from '../io/target.js';
import type { PlannedPackage } from '../plan/plan.js';
import type { Strategy } from '../strategy.js';
import { type BuildOrder, sourceOf } from './build-order.js';
import { objectsOf } from './scratch-branch.js';

export interface MovesOrder extends Pick<BuildOrder, 'identity' | 'signerIn' | 'fetched' | 'services' | 'progress'> {
  readonly strategy: Strategy;
}

/**
 * Moves and proves the histories of a run in their scratch repositories, each only once: confirming tags, a plan that
 * has lost another package and the migration itself share them. Throws as `moveHistory` and `proveMove`.
 */
export class Moves {
  private readonly moved = new Map<string, MovedHistory>();
  private readonly proofs = new Map<string, HistoryProof>();
  private readonly target: Target;
  private readonly order: MovesOrder;

  constructor(target: Target, order: MovesOrder) {
    this.target = target;
    this.order = order;
  }

  async move(planned: PlannedPackage): Promise<MovedHistory> {
    const known = this.moved.get(keyOf(planned));
    if (known !== undefined) return { ...known, planned };
    const { git, scratch } = sourceOf(this.order, planned);
    const { identity, signerIn, strategy } = this.order;
    const sign = signerIn?.(objectsOf(scratch), [objectsOf(this.target.gitDir)]);
    const { format } = this.target.facts;
    const moved = await moveHistory(git, { planned, format, strategy, identity, sign, onCommits: this.onCommits(planned) });
    this.moved.set(keyOf(planned), moved);
    return moved;
  }

  /** Returns the new names of tags that the monorepo certainly has with another content. Moves nothing. */
  async findUnlike(planned: PlannedPackage, refs: ReadonlyMap<string, ObjectId>): Promise<readonly string[]> {
    const git = { source: sourceOf(this.order, planned).git, target: this.target.git };
    const how = { planned, format: this.target.facts.format, strategy: this.order.strategy };
    return (await findUnlikeTags(git, refs, how)).map(({ newName }) => newName);
  }

  async prove(planned: PlannedPackage): Promise<DonePackage> {
    const moved = await this.move(planned);
    const { git } = sourceOf(this.order, planned);
    const { format } = this.target.facts;
    const proof = this.proofs.get(keyOf(planned)) ?? (await proveMove(git, moved, { format, onCommits: this.onCommits(planned) }));
    this.proofs.set(keyOf(planned), proof);
    return { moved, proof };
  }

  /** Returns what a move changes in messages and signatures. Writes nothing. */
  async preview(planned: PlannedPackage): Promise<HistoryChanges> {
    const known = this.moved.get(keyOf(planned));
    if (known !== undefined) return known.changes;
    return previewChanges(sourceOf(this.order, planned).git, { planned, format: this.target.facts.format, strategy: this.order.strategy });
  }

  private onCommits({ source }: PlannedPackage): (count: number) => void {
    const { services, progress } = this.order;
    return (count) => {
      services.signal.throwIfAborted();
      progress.step(`${source.request.name}: ${count} commits`, 0);
    };
  }
}

/** Returns everything that the result of a move depends on. */
function keyOf({ source, path, tags, messages }: PlannedPackage): string {
  return JSON.stringify([source.request.name, path, tags, messages]);
}
