import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { DEFAULT_PUBLISH, type PublishConfig } from '@tributary/model/publish-config';
import { readTextFile } from '@tributary/process/unusable-file';

/** Reads the block `publish` of the tributary.json in a folder. Throws `CONFIG_INVALID`, `FILE_UNUSABLE`. */
export async function readConfig(folder: AbsolutePath): Promise<PublishConfig> {
  const file = join(folder, 'tributary.json');
  if (!existsSync(file)) return DEFAULT_PUBLISH;
  const { parseConfigFile } = await import('@tributary/workspaces/config-file');
  return parseConfigFile(readTextFile(file), 'tributary.json').publish;
}
