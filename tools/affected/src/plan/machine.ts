/** The machine of a shard. */
export interface Machine {
  /** How many processors it has. */
  readonly cores: number;
  /** The most tasks that turborepo runs at once. */
  readonly concurrency: number;
}

/** The assumption for unknown machines: one task after the other. */
export const PLAIN_MACHINE: Machine = { cores: 1, concurrency: 1 };
