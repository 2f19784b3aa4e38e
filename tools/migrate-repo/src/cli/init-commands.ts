import type { Services } from '@tributary/terminal/main';
import { renderInit } from '../render-init.js';
import { type InitRequest, init } from '../run/init.js';
import { show } from './show.js';

/** Runs `init` and prints the result. */
export async function runInit(request: InitRequest, services: Services): Promise<void> {
  const { ui } = services;
  const result = await init(request, services);
  show(ui, result, renderInit);
  if (result.state === 'written') ui.hint('See the plan for them with "migrate-repo --all --dry-run".');
}
