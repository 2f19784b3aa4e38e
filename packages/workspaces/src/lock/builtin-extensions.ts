import { packageExtensions } from '@yarnpkg/extensions';
import { buildExtension, type PackageExtensions } from './package-extensions.js';

/** What Yarn itself extends, dependencies only. It is that of one release of Yarn: another one may know more or fewer. */
export function builtinExtensions(): PackageExtensions {
  return packageExtensions
    .filter(([, { dependencies }]) => dependencies !== undefined)
    .map(([key, extension]) => buildExtension(key, extension));
}
