import type { InternalConfig } from '@tributary/model/config';
import { DEFAULT_CONFIG } from '@tributary/model/config';
import type { RepoPath } from '@tributary/model/paths';
import type { ImportedPackage, Monorepo } from '../project.js';
import { usesOfCode } from './code-uses.js';
import { declarationOf, replacedBy } from './declaration.js';
import { isCode } from './file-class.js';
import { type Missing, missingUse, strength } from './missing.js';
import type { Phantom } from './phantom.js';
import { usesInScripts } from './script-uses.js';
import { aliasesIn, readSettings, unreadAmong, usesInSettings } from './setting-uses.js';
import { type PackageView, surroundingsOf } from './surroundings.js';
import type { PlacedUse } from './use.js';

/** What an imported package's files use and its manifest lacks. */
export interface PhantomSearch {
  /** One for each package, ordered by name. */
  readonly phantoms: readonly Phantom[];
  /** Settings that could not be read, in the order of the files. */
  readonly unread: readonly RepoPath[];
}

/**
 * Returns the undeclared packages that an imported package's code, settings and scripts use, given its current
 * manifest. Only names in the old lockfile and workspaces count, because other names are rarely packages. Without an
 * old lockfile, all names in code are reported, but none is declared, because the working version is unknown.
 */
export function searchPhantoms(
  project: Monorepo,
  importedPackage: ImportedPackage,
  choices: InternalConfig = DEFAULT_CONFIG.migrate.internal,
): PhantomSearch {
  const around = surroundingsOf(project, importedPackage, choices.packer);
  const { uses, unread } = collectUses(around);
  const byName = new Map<string, Missing>();
  for (const use of uses) {
    const missing = missingUse(use, around);
    if (missing === undefined) continue;
    const known = byName.get(missing.name);
    if (known === undefined || strength(missing, around) > strength(known, around)) byName.set(missing.name, missing);
  }
  const found = [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return { phantoms: found.map((missing) => asPhantom(missing, around, choices)), unread };
}

function collectUses(around: PackageView): Pick<PhantomSearch, 'unread'> & { readonly uses: readonly PlacedUse[] } {
  const files = readSettings(around);
  const aliases = aliasesIn(files, around);
  const code = around.paths.filter(isCode).flatMap((path) => usesOfCode(path, around, aliases));
  const uses = [...code, ...files.flatMap((file) => usesInSettings(file, around)), ...files.flatMap((file) => usesInScripts(file, around))];
  return { uses, unread: unreadAmong(files, around) };
}

function asPhantom(missing: Missing, around: PackageView, choices: InternalConfig): Phantom {
  const { name, use } = missing;
  const declared = declarationOf(missing, around, choices);
  return {
    package: name,
    problem: missing.problem,
    kind: use.kind,
    file: use.file,
    line: use.line,
    usedIn: use.usedIn,
    declared,
    change: declared === undefined ? undefined : replacedBy(declared, name, around),
  };
}
