import type { InternalConfig, MigrateConfig, VersionPolicy } from '@tributary/model/config';

/** What a team has decided once for all migrations, in the block `migrate` of tributary.json. */
export interface AlignChoices {
  readonly internal: InternalChoices;
  readonly versions: VersionChoices;
}

export type InternalChoices = InternalConfig;

export interface VersionChoices {
  readonly policy: VersionPolicy;
  /** By the name of a dependency; `keep`: several versions are wanted, and nothing is said of them. */
  readonly exceptions: ReadonlyMap<string, VersionPolicy | 'keep'>;
}

/** `convert`: what the command line says; it counts before tributary.json. */
export function alignChoices({ internal, versions }: MigrateConfig, convert: InternalConfig['convert'] = internal.convert): AlignChoices {
  return {
    internal: { ...internal, convert },
    versions: { policy: versions.policy, exceptions: new Map(Object.entries(versions.exceptions)) },
  };
}
