import { sep } from 'node:path';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { describeCrawl } from '../observe/crawl.js';
import type { Observation } from '../observe/observation.js';
import { writtenAt } from '../observe/paths.js';
import type { TraceSummary } from '../observe/readings.js';
import { isYarnsProgram, type Surroundings, sortUses } from '../observe/sort-uses.js';

/** The part of an observation that comes from a trace. */
export type Described = Pick<
  Observation,
  'files' | 'found' | 'absent' | 'listed' | 'packages' | 'programs' | 'nested' | 'connections' | 'variables' | 'apart' | 'gaps'
>;

/** Sorts the calls of a trace. `surroundings`: from before the run, except links. */
export function describeTrace(summary: Omit<TraceSummary, 'exit'>, graph: DependencyGraph, surroundings: Surroundings): Described {
  const sorted = sortUses(summary.uses, surroundings);
  const crawl = describeCrawl(graph, sorted.listed);
  return {
    ...sorted,
    // Yarn writes its own small programs into a temporary folder, each time under another name.
    programs: summary.programs
      .filter((path) => writtenAt(summary.uses, path) === Infinity && !isYarnsProgram(path))
      .map((path) => fromRoot(surroundings.root, path, '/'))
      .sort(),
    nested: summary.nested.map((path) => fromRoot(surroundings.root, path, '/')).sort(),
    connections: [...summary.connections].sort(),
    ...(summary.variables === undefined ? {} : { variables: summary.variables }),
    gaps: [...summary.gaps, ...sorted.gaps, ...(crawl === undefined ? [] : [{ gap: 'crawl' as const, detail: crawl }])],
  };
}

/** `packages/a` below the root, on every system; an absolute path elsewhere. */
export function fromRoot(root: string, path: string, separator: string = sep): string {
  if (path === root) return '';
  const top = root.endsWith(separator) ? root : `${root}${separator}`;
  return path.startsWith(top) ? path.slice(top.length).split(separator).join('/') : path;
}
