import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { runProgram } from '@tributary/process/spawn';

/** Returns the bare repositories of a folder, by name: `x.git`, or `x/repo`, the layout of some mirrors. */
export function repositoriesIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => (existsSync(join(folder, name, 'repo', 'HEAD')) ? join(folder, name, 'repo') : join(folder, name)))
    .filter((path) => existsSync(join(path, 'HEAD')));
}

type Environment = NonNullable<Parameters<typeof runProgram>[0]['env']>;

/** Returns package → repository, in the order of the repositories. The package.json in HEAD gives the name. */
export async function readSources(paths: readonly string[], env: Environment): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const cwd of paths) {
    const text = await runProgram({ program: 'git', args: ['show', 'HEAD:package.json'], cwd, env });
    sources.set((JSON.parse(text.toString('utf8')) as { name: string }).name, cwd);
  }
  return sources;
}

/** Returns the name of `x.git`, or of `owner+name/repo`, the layout of some mirrors. */
export function nameOfRepository(path: string): string {
  const name = basename(path) === 'repo' ? basename(dirname(path)) : basename(path);
  return name.replace('+', '/').replace(/\.git$/, '');
}
