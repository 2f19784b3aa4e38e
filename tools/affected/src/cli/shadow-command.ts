import { resolve } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { outputPath } from '@tributary/process/output-file';
import type { Services } from '@tributary/terminal/main';
import { renderShadow } from '../render-shadow.js';
import { shadow } from '../run/shadow.js';

export interface ShadowOptions {
  readonly ledger: string;
  readonly plan?: string;
  readonly receipts: string;
  readonly observations?: string;
  readonly dryRun?: true;
}

/** Ends with exit code 1 if the run shows an escape. */
export async function runShadow(
  { cwd, ledger, plan, receipts, observations, dryRun }: ShadowOptions & { readonly cwd: AbsolutePath },
  services: Services,
): Promise<void> {
  const { ui } = services;
  const run =
    plan === undefined
      ? undefined
      : { plan: resolve(cwd, plan), receipts: resolve(cwd, receipts), observations: pathOf(observations, cwd) };
  const result = await shadow({ cwd, ledger: outputPath(cwd, ledger), run, write: dryRun === true ? 'no' : 'yes' }, services);
  if ((result.entry?.escapes ?? []).length > 0) process.exitCode = 1;
  for (const warning of result.warnings) ui.warning(warning);
  if (ui.flags.json) ui.document(result);
  else ui.page(renderShadow(result));
}

function pathOf(named: string | undefined, cwd: AbsolutePath): string | undefined {
  return named === undefined ? undefined : resolve(cwd, named);
}
