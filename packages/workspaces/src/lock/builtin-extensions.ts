import { packageExtensions } from '@yarnpkg/extensions';
import { buildExtension, type PackageExtensions } from './package-extensions.js';

/**
 * Returns Yarn's own package extensions, only those with dependencies. They are from one release of Yarn; another release may have more or
 * fewer.
 */
export function builtinExtensions(): PackageExtensions {
  return packageExtensions
    .filter(([, { dependencies }]) => dependencies !== undefined)
    .map(([key, extension]) => buildExtension(key, extension));
}
