import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '@tributary/process/spawn';

/** The bare repositories of a folder, by name: `x.git`, or `x/repo`, which is how some mirrors keep them. */
export function repositoriesIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => (existsSync(join(folder, name, 'repo', 'HEAD')) ? join(folder, name, 'repo') : join(folder, name)))
    .filter((path) => existsSync(join(path, 'HEAD')));
}

type Environment = NonNullable<Parameters<typeof runProgram>[0]['env']>;

/** Package → repository, in the order of the repositories. A package is called as package.json in HEAD says. */
export async function readSources(paths: readonly string[], env: Environment): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const cwd of paths) {
    const text = await runProgram({ program: 'git', args: ['show', 'HEAD:package.json'], cwd, env });
    sources.set((JSON.parse(text.toString('utf8')) as { name: string }).name, cwd);
  }
  return sources;
}
