import type { Monorepo } from './project.js';
import { readRootSettings } from './root-settings.js';
import { parseSpecifier } from './specifier.js';

/**
 * Returns the range that a `catalog:` range refers to; `undefined` for any other range, and if the catalog has no such
 * entry. Throws `CONFIG_INVALID`.
 */
export function findCatalogRange({ files }: Monorepo, name: string, range: string): string | undefined {
  const specifier = parseSpecifier(range);
  return specifier.kind === 'catalog' ? readRootSettings(files).catalogs.get(specifier.catalog)?.get(name) : undefined;
}
