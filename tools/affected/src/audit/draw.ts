import { createHash } from 'node:crypto';

/** Numbers that depend on the seed and the name alone, so that a mutant can be made again without those before it. */
export class Draw {
  private readonly key: string;
  private count = 0;

  constructor(seed: number, name: string) {
    this.key = `${seed} ${name}`;
  }

  /** A whole number from 0 to `count` - 1. */
  below(count: number): number {
    this.count += 1;
    const hash = createHash('sha256').update(`${this.key} ${this.count}`).digest();
    return hash.readUIntBE(0, 6) % count;
  }

  /** `undefined` of an empty list. */
  pick<Value>(list: readonly Value[]): Value | undefined {
    return list.length === 0 ? undefined : list[this.below(list.length)];
  }
}
