import type { Project } from './project.js';
import { readRootSettings } from './root-settings.js';
import { parseSpecifier } from './specifier.js';

/** What a range that names a catalog leads to; `undefined` for every other range, and where the catalog has no entry. Throws `CONFIG_INVALID`. */
export function findCatalogRange({ files }: Project, name: string, range: string): string | undefined {
  const specifier = parseSpecifier(range);
  return specifier.kind === 'catalog' ? readRootSettings(files).catalogs.get(specifier.catalog)?.get(name) : undefined;
}
