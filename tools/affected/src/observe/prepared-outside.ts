import type { Observation } from './observation.js';

/** Node, git and package managers, which the image of a CI engine provides. */
const USUAL = /\/(node|git|git-core\/[^/]+|corepack|yarn|yarnpkg|npm|npx|pnpm)$/;

/**
 * Returns something outside the project that the piece used, and that a job may have made from any file: another machine (such as a
 * database), a file, or a built program. `undefined` if there is none. Other system folders are not observed.
 */
export function findPrepared({ connections, programs, apart }: Observation): string | undefined {
  const [machine] = connections;
  if (machine !== undefined) return machine;
  const built = programs.find((path) => /^\/(usr\/local|opt)\//.test(path) && !USUAL.test(path));
  const ofNode = programs.flatMap((path) => /^(\/.+\/)bin\/node$/.exec(path)?.[1] ?? []);
  return built ?? apart.outside.find((path) => !ofNode.some((folder) => path.startsWith(folder)));
}
