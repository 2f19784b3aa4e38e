import { resolve } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { renderAudit } from '../render-audit.js';
import { audit, isProof } from '../run/audit.js';

export interface AuditOptions {
  readonly head: string;
  readonly mutants: number;
  readonly seed: number;
  readonly task: string;
  readonly setup: string;
  readonly observations?: string;
}

/** Ends with exit code 1 if a failure was not selected, or if no change could be judged. */
export async function runAudit(
  { cwd, observations, ...options }: AuditOptions & { readonly cwd: AbsolutePath },
  services: Services,
): Promise<void> {
  const { ui } = services;
  const file = observations === undefined ? undefined : resolve(cwd, observations);
  const result = await audit({ cwd, ...options, observations: file }, services);
  if (result.missed > 0 || !isProof(result.mutants)) process.exitCode = 1;
  for (const warning of result.warnings) ui.warning(warning);
  if (ui.flags.json) ui.document(result);
  else ui.page(renderAudit(result));
}
