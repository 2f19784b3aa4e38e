import type { AlignChoices } from './choices.js';
import { type Exception, exceptionsOf } from './constraint.js';
import type { Declaration } from './declarations.js';
import type { InternalFinding } from './internal.js';
import { type Downgrade, downgradesIn } from './lock/downgrades.js';
import { readGot } from './lock/got.js';
import type { PhantomFinding } from './phantoms/phantom.js';
import type { Monorepo } from './project.js';
import { type ReplacedInput, type ReplacedVersion, replacedVersions } from './replaced.js';
import { type DependencyTable, versionTables } from './version-table.js';
import type { VersionFinding } from './versions.js';

/** The combined result of the steps, based on the final lockfile if there is one. */
export interface Consequences {
  readonly replaced: readonly ReplacedVersion[];
  readonly tables: readonly DependencyTable[];
  /** Packages that are older than locked before. */
  readonly downgrades: readonly Downgrade[];
  /** The dependencies that a one-version constraint must exempt to hold on the branch. */
  readonly exceptions: readonly Exception[];
}

export interface ConsequencesInput {
  readonly internal: readonly InternalFinding[];
  readonly phantoms: readonly PhantomFinding[];
  readonly versions: readonly VersionFinding[];
  /** Declarations before the versions were aligned; see `declaredIn`. */
  readonly declared: ReadonlyMap<string, readonly Declaration[]>;
  readonly choices: AlignChoices;
  /** `undefined` if nothing was installed. */
  readonly lock: (Omit<ReplacedInput, 'internal' | 'phantoms'> & { readonly text: string }) | undefined;
}

/** Returns the consequences of the steps. `project`: after the steps. Throws `LOCKFILE_INVALID`, `CONFIG_INVALID`. */
export function consequencesOf(project: Monorepo, input: ConsequencesInput): Consequences {
  const { internal, phantoms, versions, declared, choices, lock } = input;
  const locked = lock ?? { outcomes: [], answered: [], toWorkspaces: [] };
  const got = lock === undefined ? undefined : readGot(lock.text, project);
  const replaced = replacedVersions({ internal, phantoms, ...locked });
  const tables = versionTables({ project, declared, findings: versions, got });
  return {
    replaced,
    tables,
    downgrades: downgradesIn({ outcomes: locked.outcomes, replaced, tables, lock: lock?.text }),
    exceptions: exceptionsOf(project, choices.versions),
  };
}
