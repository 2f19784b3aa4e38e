import { joinRepoPath } from '@tributary/model/paths';
import { isRecord } from '@tributary/model/record';
import { parse } from 'yaml';
import type { Files, Newcomer } from './project.js';

/**
 * Whether build scripts of dependencies were run where a newcomer came from, as far as its settings say: by default they are, by npm, by Yarn 1
 * and by most releases of the others.
 */
export function ranBuildScripts({ path }: Newcomer, files: Files): 'as usual' | 'switched off' {
  const read = (name: string): string => files.read(joinRepoPath(path, name)) ?? '';
  const isOff =
    /^\s*ignore-scripts\s*=\s*"?true/m.test(read('.npmrc')) ||
    /^\s*"?(?:--(?:\w+\.)?)?ignore-scripts"?\s+"?true/m.test(read('.yarnrc')) ||
    readYaml(read('.yarnrc.yml'))['enableScripts'] === false;
  return isOff ? 'switched off' : 'as usual';
}

/** A file that cannot be read says nothing; it is taken away in any case. */
function readYaml(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
