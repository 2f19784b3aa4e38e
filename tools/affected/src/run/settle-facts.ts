import type { CodeSource } from '../io/workspace-code.js';
import type { ReferenceFacts } from '../reasons/reference-facts.js';
import { addLoadedImports } from './loaded-imports.js';
import { settleTestEdges } from './test-edges.js';

/** Completes facts with what only the code inside of workspaces tells. Throws `GIT_FAILED`. */
export async function settleFacts(facts: ReferenceFacts, source: CodeSource, isApart: boolean): Promise<ReferenceFacts> {
  return addLoadedImports(await settleTestEdges(facts, source, isApart), source);
}
