import { hasPlatformPackages } from '@tributary/lockfile/fields';
import { mapIn } from '../fields.js';

/**
 * Returns whether an installed package may lack something without its build scripts. It does not if each of them
 * ignores its own failure, or if the package has a prebuilt package for each platform. `gyp`: it has a binding.gyp,
 * which npm and Yarn build if it names no script of its own.
 */
export function needsBuild(manifest: Readonly<Record<string, unknown>>, gyp: 'there' | 'missing'): boolean {
  const scripts = mapIn(manifest, 'scripts');
  const own = (...names: readonly string[]): readonly string[] =>
    names.flatMap((name) => (typeof scripts[name] === 'string' ? [scripts[name]] : []));
  const isBuiltByGyp = gyp === 'there' && own('preinstall', 'install').length === 0;
  if (isBuiltByGyp) return true;
  const needed = own('preinstall', 'install', 'postinstall').filter((script) => !IGNORES_FAILURE.test(script));
  return needed.length > 0 && !hasPlatformPackages(Object.keys(mapIn(manifest, 'optionalDependencies')));
}

/** `node-gyp rebuild || exit 0`, `node -e "try{require('./postinstall')}catch(e){}"` */
const IGNORES_FAILURE = /\|\|\s*(?:exit 0|true|:|echo\b[^&;|]*)\s*$|^\s*node -e (["'])try\s*\{.*\}\s*catch\b.*\1\s*$/;
