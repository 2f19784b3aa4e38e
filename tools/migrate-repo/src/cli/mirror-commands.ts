import type { Services } from '@tributary/terminal/main';
import { renderMirror } from '../render-mirror.js';
import { mirror } from '../run/mirror.js';
import type { MirrorRequest } from '../run/mirror-request.js';

/** Runs `mirror` and prints the result. */
export async function runMirror(request: MirrorRequest, services: Services): Promise<void> {
  const result = await mirror(request, services);
  for (const warning of result.warnings) services.ui.warning(warning);
  if (services.ui.flags.json) services.ui.document(result);
  else services.ui.page(renderMirror(result));
}
