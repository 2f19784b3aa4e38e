import { resolve } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import type { CiEngine } from '../engines/engine.js';
import { readPlan } from '../io/plan-files.js';

export async function runEmit(
  engine: CiEngine,
  { cwd, plan }: { readonly cwd: AbsolutePath; readonly plan: string },
  { ui }: Services,
): Promise<void> {
  ui.data(engine.emit(readPlan(resolve(cwd, plan))));
}
