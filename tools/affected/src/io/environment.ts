import { readFileSync } from 'node:fs';

/** The variables that the process was started with. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** The same for a program that is started. */
export function definedEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The file in which an engine describes what happened. Throws the system's own error. */
export function readEventFile(path: string): string {
  return readFileSync(path, 'utf8');
}
