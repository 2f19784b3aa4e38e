import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { readTextFile } from '@tributary/process/unusable-file';
import { isMap, isScalar, isSeq, parseDocument, visit } from 'yaml';

/**
 * Returns the monorepo's settings for a scratch project. Registries, catalogs and package extensions are unchanged.
 * Settings that name a file refer to the monorepo's file. The Yarn release and environment files are removed.
 */
export function scratchSettings(root: AbsolutePath): string {
  const file = join(root, '.yarnrc.yml');
  if (!existsSync(file)) return '';
  const document = parseDocument(readTextFile(file));
  if (!isMap(document.contents)) return '';
  for (const key of ['yarnPath', 'injectEnvironmentFiles', 'enableOfflineMode']) document.delete(key);
  const plugins = document.get('plugins');
  visit(document, {
    Pair(_, pair) {
      const isFile = isScalar(pair.key) && /^https(?:Ca|Cert|Key)FilePath$/.test(String(pair.key.value));
      if (isFile && isScalar(pair.value) && typeof pair.value.value === 'string') pair.value.value = resolve(root, pair.value.value);
    },
  });
  for (const [at, plugin] of (isSeq(plugins) ? plugins.items : []).entries()) {
    if (isScalar(plugin)) document.setIn(['plugins', at], resolve(root, String(plugin.value)));
    else if (isMap(plugin)) document.setIn(['plugins', at, 'path'], resolve(root, String(plugin.get('path'))));
  }
  return document.toString();
}
