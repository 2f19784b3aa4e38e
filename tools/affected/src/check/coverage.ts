import type { RepoPath } from '@tributary/model/paths';
import { type DependencyGraph, ownerPlace } from '@tributary/workspaces/dependency-graph';
import type { FileRules, RuleMatch } from '@tributary/workspaces/file-rules';
import { spreadFrom } from '@tributary/workspaces/spread';
import { isCiFile } from '../ci-files/file-types.js';
import type { ProjectFacts } from './project.js';

interface Coverage {
  readonly graph: DependencyGraph;
  readonly rules: FileRules;
  readonly dev: ProjectFacts['dev'];
}

/** These are compared key by key and entry by entry, whatever a rule says. */
const COMPARED: ReadonlySet<string> = new Set(['package.json', 'yarn.lock', '.yarnrc.yml', 'tributary.json']);

/**
 * Builds the question whether a change of a file selects a workspace without an edge: a rule counts the file for everybody, for the
 * workspace, or for one that it depends on; or the file lies outside of all workspaces and no rule claims it. A file of CI counts for what runs
 * in CI, and for nobody who reads it otherwise.
 */
export function buildCoverage({ graph, rules, dev }: Coverage): ProjectFacts['isCovered'] {
  const root = graph.byPath.get('');
  const selected = new Map<RuleMatch['affects'], ReadonlySet<string> | 'all'>();
  return (file: RepoPath, workspace) => {
    if (COMPARED.has(file)) return false;
    const place = ownerPlace(graph, file) === root ? 'outside' : 'workspace';
    const match = rules(file, place);
    if (isCiFile(file) && (match === undefined || match.source === 'built-in')) return false;
    if (match === undefined) return place === 'outside';
    const known = selected.get(match.affects) ?? selectedBy(graph, dev, match.affects);
    selected.set(match.affects, known);
    return known === 'all' || known.has(workspace);
  };
}

/** The names of those that a rule selects; `owner` selects nobody who reads the file from elsewhere. */
function selectedBy(graph: DependencyGraph, dev: Coverage['dev'], affects: RuleMatch['affects']): ReadonlySet<string> | 'all' {
  if (affects === 'all') return 'all';
  if (affects === 'none' || affects === 'owner') return new Set();
  const places = affects.map((name) => graph.members.findIndex((member) => member.name === name));
  // A name that nobody has counts for everybody.
  if (places.includes(-1)) return 'all';
  const seeds = places.map((place) => ({ place, reach: 'dependents' as const }));
  const reached = spreadFrom(graph, seeds, { dev });
  return new Set([...places, ...reached.map(({ from }) => from)].map((place) => graph.members[place]?.name ?? ''));
}
