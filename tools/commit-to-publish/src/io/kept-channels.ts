import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { isRecord } from '@tributary/model/record';
import type { KnownChannels } from '../collect/publications.js';
import { replaceFile } from './durable.js';

/** The dist-tags that versions of a repository were seen with; of a registry one learns only where a tag is now. `what`: `all` takes a damaged file for none. Throws `RECORD_INVALID`. */
export function readKeptChannels(record: AbsolutePath, repo: string, what: 'new' | 'all'): KnownChannels {
  const file = fileOf(record, repo);
  const value = existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : { schemaVersion: 1, channels: {} };
  if (isRecord(value) && value['schemaVersion'] === 1 && isRecord(value['channels']))
    return new Map(
      Object.entries(value['channels']).map(([name, versions]) => [name, new Map(Object.entries(versions as Record<string, string>))]),
    );
  if (what === 'all') return new Map();
  throw new ToolError({
    code: 'RECORD_INVALID',
    message: `${file} is damaged, or of a newer commit-to-publish.`,
    hint: 'Collect with --full, which writes it anew.',
    data: { file },
  });
}

/** Nothing is written where nothing is known. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
export function writeKeptChannels(record: AbsolutePath, repo: string, known: KnownChannels): void {
  const channels = Object.fromEntries(
    [...known].filter(([, versions]) => versions.size > 0).map(([name, versions]) => [name, Object.fromEntries(versions)]),
  );
  if (Object.keys(channels).length > 0) replaceFile(fileOf(record, repo), `${JSON.stringify({ schemaVersion: 1, channels })}\n`);
}

function fileOf(record: AbsolutePath, repo: string): string {
  return join(record, 'collected', `${encodeURIComponent(repo)}.channels.json`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
