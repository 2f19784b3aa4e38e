import { readFileSync } from 'node:fs';

/** Returns the environment variables of this process. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Returns the same for a child process. */
export function definedEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * Variables that lead git to another repository than that of the working folder, as in a hook: `git rev-parse --local-env-vars`. Settings
 * that a job gives by `GIT_CONFIG_COUNT` stay.
 */
const REPOSITORY =
  /^GIT_(CONFIG|CONFIG_PARAMETERS|DIR|WORK_TREE|IMPLICIT_WORK_TREE|COMMON_DIR|INDEX_FILE|PREFIX|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|GRAFT_FILE|REPLACE_REF_BASE|SHALLOW_FILE|NAMESPACE|INTERNAL_SUPER_PREFIX)$/i;

/** Returns an environment in which git uses the repository of the working folder. */
export function withoutRepository(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !REPOSITORY.test(name)));
}

/** Reads the file in which an engine describes the event. Throws the system's own error. */
export function readEventFile(path: string): string {
  return readFileSync(path, 'utf8');
}
