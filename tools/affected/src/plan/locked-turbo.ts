import { asRecord } from './turbo-tasks.js';

/**
 * The version of turborepo that the text of a yarn.lock has for the root; `undefined`: it has none from the registry, or several that may be
 * the root's. `manifest`: of the root, as parsed.
 */
export function lockedTurbo(lock: string | undefined, manifest: Readonly<Record<string, unknown>>): string | undefined {
  const entries = [
    ...(lock ?? '').matchAll(/^"?(turbo@[^\n]*?)"?:\r?\n {2}version:? "?([^\s"]+)"?(?:\r?\n {2}resolution: "([^"\n]*)")?/gm),
  ];
  const range = asRecord(manifest['devDependencies'])['turbo'] ?? asRecord(manifest['dependencies'])['turbo'];
  const asked = entries.filter(([, descriptors = '']) => isFor(range, descriptors));
  const ofRoot = asked.length === 0 ? entries : asked;
  // A workspace, or an alias of another package, has a version of its own.
  if (ofRoot.some(([, , version, resolution]) => resolution !== undefined && resolution !== `turbo@npm:${version}`)) return undefined;
  const [version, ...others] = new Set(ofRoot.map(([, , one]) => one));
  return others.length === 0 ? version : undefined;
}

function isFor(range: unknown, descriptors: string): boolean {
  return descriptors.split(/"?, "?/).some((one) => one === `turbo@npm:${range}` || one === `turbo@${range}`);
}
