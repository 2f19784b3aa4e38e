import { readTextFile } from '@tributary/process/unusable-file';

/** Returns the environment variables of this process. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Returns the same for a child process. */
export function definedEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Reads the file in which an engine describes the event. Throws the system's own error. */
export function readEventFile(path: string): string {
  return readTextFile(path);
}
