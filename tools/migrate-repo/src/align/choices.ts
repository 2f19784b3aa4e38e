import type { InternalConfig, MigrateConfig, VersionPolicy } from '@tributary/model/config';

/** A team's choices for all migrations, in the block `migrate` of tributary.json. */
export interface AlignChoices {
  readonly internal: InternalConfig;
  readonly versions: VersionChoices;
}

export interface VersionChoices {
  readonly policy: VersionPolicy;
  /** By name of a dependency. `keep`: several versions are intended, and not reported. */
  readonly exceptions: ReadonlyMap<string, VersionPolicy | 'keep'>;
}

/** Returns the choices. `convert` from the command line takes precedence over tributary.json. */
export function alignChoices({ internal, versions }: MigrateConfig, convert: InternalConfig['convert'] = internal.convert): AlignChoices {
  return {
    internal: { ...internal, convert },
    versions: { policy: versions.policy, exceptions: new Map(Object.entries(versions.exceptions)) },
  };
}
