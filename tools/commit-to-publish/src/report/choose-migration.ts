import { ToolError } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';
import type { Micros } from '../model/event.js';
import { listNames } from './list-names.js';
import type { Migration } from './migration.js';

/** Packages that one commit of the main line imported. */
export interface ChosenMigration {
  /** By name. */
  readonly packages: readonly string[];
  readonly at: Micros;
  readonly landing: CommitId;
  /** The source repositories, without credentials; empty if only the configuration names the move. */
  readonly sources: readonly string[];
}

/**
 * Returns the migration with the name of a package, or with the first digits of the id of its import or of its main-line commit.
 * Such a commit may have imported several packages. If a package was imported several times, the last one counts. Throws
 * `IMPORT_NOT_FOUND`.
 */
export function chooseMigration(migrations: readonly Migration[], name: string): ChosenMigration {
  const byName = migrations.filter((one) => one.package === name).slice(-1);
  const isId = /^[0-9a-f]{4,64}$/.test(name);
  const found =
    byName.length > 0 ? byName : migrations.filter(({ merge, landing }) => isId && [merge, landing].some((id) => id.startsWith(name)));
  const [first] = found;
  const landings = new Set(found.map(({ landing }) => landing));
  if (first === undefined || landings.size > 1) throw notFound(name, migrations, landings.size);
  return {
    packages: found.map((one) => one.package).sort(),
    at: first.at,
    landing: first.landing,
    sources: [...new Set(found.flatMap(({ source }) => source ?? []))].sort(),
  };
}

const SHOWN = 8;

function notFound(name: string, migrations: readonly Migration[], landings: number): ToolError {
  const known = [...new Set(migrations.map((one) => one.package))];
  return new ToolError({
    code: 'IMPORT_NOT_FOUND',
    message:
      landings > 1
        ? `${landings} commits of the main line begin with ${name}.`
        : `The main line of the monorepo records no import of ${name}.`,
    hint:
      known.length === 0
        ? 'It has no import records at all: name the clone of the monorepo with --monorepo. For a move without a record, name its commit in "publish.moved" of tributary.json.'
        : `Known imports: ${listNames(known, SHOWN)}.`,
    data: { name, known },
  });
}
