import type { AffectedConfig, FileRule } from '@tributary/model/config';
import type { RepoPath } from '@tributary/model/paths';
import { buildFileRules } from '@tributary/workspaces/file-rules';
import type { IdleRule, UnknownWorkspace } from './finding.js';

interface Told {
  readonly config: Pick<AffectedConfig, 'rules' | 'always'>;
  readonly tracked: readonly RepoPath[];
  /** Of all workspaces. */
  readonly names: ReadonlySet<string>;
}

/** Finds the rules of tributary.json that match no tracked file, and the names in it that no workspace has. In the order of the file. */
export function findRuleFlaws({ config, tracked, names }: Told): readonly (IdleRule | UnknownWorkspace)[] {
  const idle = config.rules.filter((rule) => isIdle(rule, tracked));
  return [
    ...idle.map(({ files, affects }): IdleRule => ({ kind: 'idle-rule', severity: 'note', files, affects })),
    ...config.rules.flatMap(({ files, affects }) => (typeof affects === 'string' ? [] : unknownOf(affects, names, files))),
    ...unknownOf(config.always, names, undefined),
  ];
}

function isIdle(rule: FileRule, tracked: readonly RepoPath[]): boolean {
  const rules = buildFileRules([rule], []);
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
