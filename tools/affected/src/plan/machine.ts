import { isPlainObject } from '@tributary/model/plain-object';
import { parse } from 'jsonc-parser';

/** The machine of a shard. */
export interface Machine {
  /** How many processors it has. */
  readonly cores: number;
  /** The most tasks that turborepo runs at once. */
  readonly concurrency: number;
}

/** The assumption for unknown machines: one task after the other. */
export const PLAIN_MACHINE: Machine = { cores: 1, concurrency: 1 };

/** turborepo's default. */
const DEFAULT = 10;

/**
 * Returns how many tasks turborepo runs at once: from its variable, otherwise its configuration, otherwise ten. A percentage (`50%`) refers
 * to the machine's processors. A value that turborepo rejects counts as unset, because its own error message is better. `text`: the root's
 * turbo.json. Source: turborepo.com, "Configuring turbo.json" (`concurrency`).
 */
export function concurrencyOf(cores: number, { variable, text }: Readonly<Record<'variable' | 'text', string | undefined>>): number {
  const value: unknown = parse(text ?? '');
  const configured = isPlainObject(value) ? value['concurrency'] : undefined;
  return numberOf(variable, cores) ?? numberOf(configured, cores) ?? DEFAULT;
}

function numberOf(value: unknown, cores: number): number | undefined {
  const [, digits, share] = (typeof value === 'string' && /^(\d{1,6})(%?)$/.exec(value)) || [];
  const number = Number(digits ?? 0);
  if (number === 0) return undefined;
  return share === '%' ? Math.max(1, Math.floor((cores * number) / 100)) : number;
}
