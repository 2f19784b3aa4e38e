import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { readTextFile } from '@tributary/process/unusable-file';
import { parseJson } from '../model/parse-json.js';

/** The folder of a record with data that collections keep for the next one. */
export const COLLECTED_FOLDER = 'collected';

/** The endings of its files: recorded events, channels and publications as JSON, pull requests and jobs of GitHub as NDJSON. */
type CollectedEnding = '.json' | '.channels.json' | '.publications.json' | '.github.ndjson' | '.jobs.ndjson';

/** `repo`: the name of the repository in the record. */
export function collectedFile(record: AbsolutePath, repo: string, ending: CollectedEnding): string {
  return join(record, COLLECTED_FOLDER, `${encodeURIComponent(repo)}${ending}`);
}

/** Returns the content of a JSON file; `undefined` without one. Throws `RECORD_INVALID` if it is not valid; without a hint, it counts as none. */
export function readCollectedFile<T>(file: string, isValid: (value: unknown) => value is T, hint: string | undefined): T | undefined {
  if (!existsSync(file)) return undefined;
  const value = parseJson(readTextFile(file));
  if (isValid(value)) return value;
  if (hint === undefined) return undefined;
  throw new ToolError({
    code: 'RECORD_INVALID',
    message: `${file} is damaged, or from a newer commit-to-publish.`,
    hint,
    data: { file },
  });
}
