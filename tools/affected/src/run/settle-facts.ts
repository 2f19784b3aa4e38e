import type { ReferenceFacts } from '../reasons/reference-facts.js';
import { InnerCode } from './inner-code.js';
import { addLoadedImports } from './loaded-imports.js';
import { settleTestEdges } from './test-edges.js';

export { InnerCode };

/** Completes facts with what only the code inside of workspaces tells. Throws `GIT_FAILED`. */
export async function settleFacts(facts: ReferenceFacts, code: InnerCode, isApart: boolean): Promise<ReferenceFacts> {
  return addLoadedImports(await settleTestEdges(facts, code, isApart), code);
}
