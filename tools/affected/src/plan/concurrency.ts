import { isPlainObject } from '@tributary/model/plain-object';
import { parse } from 'jsonc-parser';

/** turborepo's own. */
const DEFAULT = 10;

/**
 * How many tasks turborepo runs at once: what its variable says, else its configuration, else ten. A share (`50%`) is one of the machine's
 * processors. What turborepo would refuse counts as not said: its own words about it are better. `text`: that of the root's turbo.json.
 * Source: turborepo.com, "Configuring turbo.json" (`concurrency`).
 */
export function concurrencyOf({
  variable,
  text,
  cores,
}: {
  readonly variable: string | undefined;
  readonly text: string | undefined;
  readonly cores: number;
}): number {
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
