import type { Observation } from '../observe/observation.js';

/** This machine, and the Node that runs affected: in a CI job it is mostly that of the tests. */
export function currentPlatform(): Observation['platform'] {
  return { os: process.platform, arch: process.arch, node: process.versions.node.split('.')[0] ?? '' };
}
