import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';

/** The folder of a record with data that collections keep for the next one. */
export const COLLECTED_FOLDER = 'collected';

/** The endings of its files: recorded events, channels and publications as JSON, pull requests and jobs of GitHub as NDJSON. */
type CollectedEnding = '.json' | '.channels.json' | '.publications.json' | '.github.ndjson' | '.jobs.ndjson';

/** `repo`: the name of the repository in the record. */
export function collectedFile(record: AbsolutePath, repo: string, ending: CollectedEnding): string {
  return join(record, COLLECTED_FOLDER, `${encodeURIComponent(repo)}${ending}`);
}

export function damagedCollectedFile(file: string, hint: string): ToolError {
  return new ToolError({
    code: 'RECORD_INVALID',
    message: `${file} is damaged, or from a newer commit-to-publish.`,
    hint,
    data: { file },
  });
}
