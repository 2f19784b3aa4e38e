import type { AffectedConfig, FileRule } from '@tributary/model/config';
import type { RepoPath } from '@tributary/model/paths';
import { buildFileRules } from '@tributary/workspaces/file-rules';
import type { IdleDrop, IdleRule, UnknownWorkspace } from './finding.js';

interface Told {
  readonly config: Pick<AffectedConfig, 'rules' | 'always' | 'dropped'>;
  readonly tracked: readonly RepoPath[];
  /** By workspace name, its scripts. */
  readonly scripts: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Finds rules of tributary.json that match no tracked file, unknown workspace names, and dropped tasks that still exist. */
export function findRuleFlaws({ config, tracked, scripts }: Told): readonly (IdleRule | IdleDrop | UnknownWorkspace)[] {
  const names = new Set(scripts.keys());
  const idleDrops = config.dropped.filter(({ name, task }) => (scripts.get(name)?.get(task) ?? '').trim() !== '');
  const idle = config.rules.filter((rule) => isIdle(rule, tracked));
  return [
    ...idle.map(({ files, affects }): IdleRule => ({ kind: 'idle-rule', severity: 'note', files, affects })),
    ...config.rules.flatMap(({ files, affects }) => (typeof affects === 'string' ? [] : unknownOf(affects, names, files))),
    ...unknownOf(config.always, names, undefined),
    ...idleDrops.map(({ name, task }): IdleDrop => ({ kind: 'idle-drop', severity: 'note', workspace: name, task })),
  ];
}

function isIdle({ files, affects }: FileRule, tracked: readonly RepoPath[]): boolean {
  const rules = buildFileRules([{ files, affects }], []);
  return tracked.every((path) => rules(path, 'workspace') === undefined);
}

function unknownOf(
  written: readonly string[],
  names: ReadonlySet<string>,
  files: readonly string[] | undefined,
): readonly UnknownWorkspace[] {
  const unknown = written.filter((name) => !names.has(name));
  return unknown.map((name) => ({ kind: 'unknown-workspace', severity: 'hole', name, files }));
}
