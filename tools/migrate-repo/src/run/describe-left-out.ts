import type { LeftOut } from '../plan/facts.js';
import type { MigrateResult } from '../result/result.js';

export function describeLeftOut({ name, error }: LeftOut): MigrateResult['leftOut'][number] {
  return { name, code: error.code, message: error.message, hint: error.hint ?? null };
}
