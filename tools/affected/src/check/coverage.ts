import type { RepoPath } from '@tributary/model/paths';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import type { FileRules, RuleMatch } from '@tributary/workspaces/file-rules';
import { spreadFrom } from '@tributary/workspaces/spread';
import { isCiFile } from '../ci-files/file-types.js';
import type { ProjectFacts } from './project.js';

interface Coverage {
  readonly graph: DependencyGraph;
  readonly rules: FileRules;
}

/** These files are compared key by key and entry by entry, whatever a rule says. */
const COMPARED: ReadonlySet<string> = new Set(['package.json', 'yarn.lock', '.yarnrc.yml', 'tributary.json']);

/**
 * Returns a function that tells whether a change of a file selects a workspace without an edge. A rule may select everything, the
 * workspace, or a dependency of it. Or the file is outside all workspaces and no rule claims it. A CI file selects only what runs in CI,
 * and no workspace that reads it otherwise.
 */
export function buildCoverage({ graph, rules }: Coverage): ProjectFacts['isCovered'] {
  const root = graph.byPath.get('');
  const selected = new Map<RuleMatch['affects'], ReadonlySet<string> | 'all'>();
  return (file: RepoPath, workspace) => {
    if (COMPARED.has(file)) return false;
    const member = owningMember(graph, file) === root ? 'outside' : 'workspace';
    const match = rules(file, member);
    if (isCiFile(file) && (match === undefined || match.source === 'built-in')) return false;
    if (match === undefined) return member === 'outside';
    const known = selected.get(match.affects) ?? selectedBy(graph, match.affects);
    selected.set(match.affects, known);
    return known === 'all' || known.has(workspace);
  };
}

/** Returns the names that a rule selects; `owner` selects no workspace that reads the file from elsewhere. */
function selectedBy(graph: DependencyGraph, affects: RuleMatch['affects']): ReadonlySet<string> | 'all' {
  if (affects === 'all') return 'all';
  if (affects === 'none' || affects === 'owner') return new Set();
  const members = affects.map((name) => graph.members.findIndex((one) => one.name === name));
  // An unknown name selects every workspace.
  if (members.includes(-1)) return 'all';
  const seeds = members.map((member) => ({ member, reach: 'dependents' as const }));
  const reached = spreadFrom(graph, seeds);
  return new Set([...members, ...reached.map(({ from }) => from)].map((member) => graph.members[member]?.name ?? ''));
}
