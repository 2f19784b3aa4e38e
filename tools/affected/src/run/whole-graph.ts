import type { Services } from '@tributary/terminal/main';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { withReadingEdges } from '@tributary/workspaces/reading-edges';
import { locate } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import { turboText } from '../io/reading.js';
import type { Snapshot } from '../snapshot.js';
import { loadRules, readConfig } from './config.js';
import { type HeadRequest, readHeadProject } from './head-project.js';
import { missingWarnings } from './missing-sources.js';
import { ReferenceReader, type ReferenceSide } from './reference-side.js';

/** The graph that answers follow. */
export interface WholeGraph {
  readonly graph: DependencyGraph;
  readonly warnings: readonly string[];
}

/**
 * Returns the graph of the head, including the edges of its tributary.json, and those that its sources show. Throws the
 * errors of `readHeadProject`.
 */
export async function readWholeGraph(request: HeadRequest, services: Services): Promise<WholeGraph> {
  const { side, graph } = await readHeadProject(request, services);
  const { facts, missing } = await readReferences(request, side, services);
  const { edges: own } = await readConfig(side.texts);
  const declared = withReadingEdges(graph, own);
  const byName = withReadingEdges(withReadingEdges(declared, facts.edges), facts.named, 'name');
  const byTests = withReadingEdges(byName, facts.inTests, 'tests');
  const whole = withReadingEdges(byTests, facts.forTests, 'tests');
  return {
    graph: whole,
    warnings: missingWarnings({ missing }),
  };
}

async function readReferences(request: HeadRequest, side: Snapshot, { signal, ui }: Services): Promise<ReferenceSide> {
  const repository = await locate(request.cwd);
  const git = openGit(repository, { signal, lazyFetch: request.fetch });
  const config = await readConfig(side.texts);
  const rules = await loadRules({ config, texts: side.texts }, side.linked);
  const madeFrom = [config.rules, turboText(side.texts), side.linked];
  const progress = ui.progress();
  const reader = new ReferenceReader({ git, repository, progress }, { rules, madeFrom, isApart: config.reach.tests === 'itself' });
  const read = await reader.side(request.head ?? 'HEAD', side.graph, side);
  reader.save();
  progress.done();
  return read;
}
