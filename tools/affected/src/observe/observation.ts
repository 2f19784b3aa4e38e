import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';

/** What `affected trace` writes. Schema: `schema/observation.schema.json`. Other versions of affected wrote version 1. */
export interface Observation {
  readonly schemaVersion: 2;
  readonly commit: string;
  readonly workspace: string;
  readonly command: readonly string[];
  /** `null`: a signal ended the command. */
  readonly exit: number | null;
  /** Why more may have been read, as sentences. None does not mean that nothing else was: folders that were listed are not recorded. */
  readonly incomplete: readonly string[];
  /**
   * Files of the project that were read, outside of the workspace and of its dependencies, and not written by the command. By path from the
   * root, ordered. Those that git does not track are builds.
   */
  readonly files: readonly string[];
}

/** An observation, with the name of its file. */
export interface NamedObservation {
  readonly file: string;
  readonly observation: Observation;
}

/** Throws `OBSERVATION_INVALID`. */
export function parseObservation(text: string, file: string): Observation {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(file, 'it is not JSON', cause);
  }
  if (isPlainObject(value) && value['schemaVersion'] !== 2) throw invalid(file, `its schemaVersion is ${value['schemaVersion']}, not 2`);
  if (!isObservation(value)) throw invalid(file, 'a field is missing or wrong');
  return value;
}

function isObservation(value: unknown): value is Observation {
  if (!isPlainObject(value)) return false;
  const { commit, workspace, command, exit, incomplete, files } = value;
  return (
    [commit, workspace].every((one) => typeof one === 'string') &&
    [command, incomplete, files].every((list) => Array.isArray(list) && list.every((one) => typeof one === 'string')) &&
    (exit === null || Number.isInteger(exit))
  );
}

function invalid(file: string, why: string, cause?: unknown): ToolError {
  return new ToolError({
    code: 'OBSERVATION_INVALID',
    message: `Not an observation: ${file}: ${why}.`,
    hint: 'Make it again: affected trace -- <command>.',
    data: { file },
    cause,
  });
}
