/** What a shard runs on. */
export interface Machine {
  /** How many processors it has. */
  readonly cores: number;
  /** How many tasks turborepo runs at once at most. */
  readonly concurrency: number;
}

/** Where nothing is known of the machines: one task after the other. */
export const PLAIN_MACHINE: Machine = { cores: 1, concurrency: 1 };
