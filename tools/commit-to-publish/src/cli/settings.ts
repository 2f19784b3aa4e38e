import { isToolError, ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import type { PublishConfig } from '@tributary/model/publish-config';
import { outputFolder } from '@tributary/process/links-on-the-way';
import { readCwd } from '@tributary/terminal/global-options';
import type { Command } from 'commander';

/** Where the events are. */
export const RECORD = ['--record <folder>', 'folder with the events (default: .tributary/record, or the one in tributary.json)'] as const;

export interface RecordOptions {
  readonly record?: string;
}

interface RecordSettings {
  readonly config: PublishConfig;
  readonly record: AbsolutePath;
}

/**
 * Reads the tributary.json of the folder; options override it. Throws `CONFIG_INVALID`, `FILE_UNUSABLE`, `USAGE`, `TARGET_NOT_TRUSTED`.
 */
export async function readSettings(command: Command, options: RecordOptions): Promise<RecordSettings> {
  // A variable that nobody has set would make the current folder the record.
  if (options.record === '') throw new ToolError({ code: 'USAGE', message: '--record is empty.', hint: 'Leave it out, or give a folder.' });
  const { readConfig } = await import('../io/read-config.js');
  await refuseForeignFolder(readCwd(command));
  const config = await readConfig(readCwd(command));
  const record = parseAbsolutePath(outputFolder(readCwd(command), options.record ?? config.record));
  const { refuseSpecialFiles } = await import('../io/foreign-files.js');
  refuseSpecialFiles(record);
  return { config, record };
}

/** Another user's settings would choose the record and the registry. Without git, none of its settings can run; `ingest` works there too. */
async function refuseForeignFolder(folder: AbsolutePath): Promise<void> {
  const { refuseForeign } = await import('@tributary/git/ownership');
  try {
    await refuseForeign(folder);
  } catch (error) {
    if (!isToolError(error) || error.code !== 'GIT_MISSING') throw error;
  }
}
