import type { Observation } from '../observe/observation.js';

/** Returns this machine's platform with the Node version of affected, which in a CI job is usually that of the tests. */
export function currentPlatform(): Observation['platform'] {
  return { os: process.platform, arch: process.arch, node: process.versions.node.split('.')[0] ?? '' };
}
