import type { Services } from '@tributary/terminal/main';
import { renderInit } from '../render-init.js';
import { type InitRequest, init } from '../run/init.js';

/** Runs `init` and prints the result. */
export async function runInit(request: InitRequest, services: Services): Promise<void> {
  const { ui } = services;
  const result = await init(request, services);
  if (ui.flags.json) ui.document(result);
  else ui.page(renderInit(result, { width: ui.dataWidth(), bold: (text) => ui.styleData('bold', text) }));
  if (result.state === 'written') ui.hint('See the plan for them with "migrate-repo --all --dry-run".');
}
