import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the folders of all workspaces, relative to the root, sorted. Supports only the patterns `folder` and `folder/*` in the root
 * package.json.
 */
export function listWorkspaces(root) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folders = workspaces.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
  });
  return folders.filter((folder) => existsSync(join(root, folder, 'package.json'))).sort();
}
