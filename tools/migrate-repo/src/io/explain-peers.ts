import { stripVTControlCharacters } from 'node:util';
import type { AbsolutePath, RepoFolder } from '@tributary/model/paths';
import { callProgram } from '@tributary/process/spawn';
import type { YarnContext } from './yarn.js';
import { yarnEnvironment } from './yarn-environment.js';

/**
 * Returns the folder of the workspace for each warning about a peer, by the warning's hash. The warning itself says
 * only "your project". Empty if Yarn is too old to explain; its warnings name the workspace. Throws `INTERRUPTED`,
 * `PROGRAM_MISSING`.
 */
export async function explainPeers(
  { yarn, root, env, signal }: YarnContext,
  folder: AbsolutePath,
): Promise<ReadonlyMap<string, RepoFolder>> {
  const { stdout } = await callProgram({
    program: yarn.program,
    args: [...yarn.args, 'explain', 'peer-requirements'],
    cwd: folder,
    env: yarnEnvironment(root, { YARN_IGNORE_PATH: '1', ...env }),
    signal,
  });
  const lines = stripVTControlCharacters(stdout.toString('utf8')).split('\n');
  return new Map(
    lines.flatMap((line): readonly (readonly [string, RepoFolder])[] => {
      // pa42a62 → ✘ app@workspace:packages/app provides react@npm:17.0.2 to react-dom@npm:18.3.1
      const [, hash, path] = /^(p[0-9a-f]+) → \S+ \S+?@workspace:(\S+)/.exec(line) ?? [];
      return hash === undefined || path === undefined ? [] : [[hash, folderOf(path)]];
    }),
  );
}

/** Returns a workspace's folder. Yarn calls the root `.`. */
export function folderOf(path: string): RepoFolder {
  return (path === '.' ? '' : path) as RepoFolder;
}
