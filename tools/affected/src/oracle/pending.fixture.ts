/**
 * Claims and constructs that wait for the program: `ORACLE_PENDING=edges,root-workspaces,classic-packages` turns them on.
 * - `edges`: tributary.json has `affected.edges`.
 * - `root-workspaces`: a workspace that the test script or a shared configuration of the root uses concerns everybody.
 * - `classic-packages`: with a lockfile of Yarn 1 too, a package from the registry leads to the workspace that its range admits.
 */
const PENDING = new Set((process.env['ORACLE_PENDING'] ?? '').split(','));

export function isOn(name: 'edges' | 'root-workspaces' | 'classic-packages'): boolean {
  return PENDING.has(name);
}
