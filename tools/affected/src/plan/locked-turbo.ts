import { asRecord } from './turbo-tasks.js';

/**
 * The version of turborepo that the text of a yarn.lock has for the root; `undefined`: it has none, or several that may be the root's.
 * `manifest`: of the root, as parsed.
 */
export function lockedTurbo(lock: string | undefined, manifest: Readonly<Record<string, unknown>>): string | undefined {
  const entries = [...(lock ?? '').matchAll(/^"?(turbo@[^\n]*?)"?:\r?\n {2}version:? "?([^\s"]+)/gm)];
  const range = asRecord(manifest['devDependencies'])['turbo'] ?? asRecord(manifest['dependencies'])['turbo'];
  const ofRoot = entries.filter(([, descriptors = '']) => isFor(range, descriptors));
  const [version, ...others] = new Set((ofRoot.length === 0 ? entries : ofRoot).map(([, , one]) => one));
  return others.length === 0 ? version : undefined;
}

function isFor(range: unknown, descriptors: string): boolean {
  return descriptors.split(/"?, "?/).some((one) => one === `turbo@npm:${range}` || one === `turbo@${range}`);
}
