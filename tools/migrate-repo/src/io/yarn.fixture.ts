import { parseAbsolutePath } from '@tributary/model/paths';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { type LocalRegistry, type PublishedPackage, registryEnvironment, startRegistry } from '@tributary/test-repo/local-registry';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { quickYarn } from '@tributary/test-repo/quick-yarn';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { findYarn } from './find-yarn.js';
import type { YarnContext, YarnMessage } from './yarn.js';

/** A monorepo on disk with its own registry and the committed Yarn. */
export interface YarnFixture {
  readonly folder: TempFolder;
  readonly registry: LocalRegistry;
  readonly context: YarnContext;
  /** The messages of Yarn, in their order. */
  readonly messages: readonly YarnMessage[];
}

export const SETTINGS = { '.yarnrc.yml': `nodeLinker: node-modules\nyarnPath: ${quickYarn(findProjectRoot())}\n` };

export async function createYarnFixture(
  cleanUp: CleanUp,
  files: Readonly<Record<string, unknown>>,
  packages: readonly PublishedPackage[],
): Promise<YarnFixture> {
  const folder = cleanUp.add(new TempFolder());
  const home = cleanUp.add(new TempFolder());
  const registry = cleanUp.add(await startRegistry({ packages }));
  for (const [name, content] of Object.entries({ 'yarn.lock': '', ...SETTINGS, ...files })) {
    folder.write(name, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
  const messages: YarnMessage[] = [];
  const yarn = await findYarn(folder.path);
  const env = { ...registryEnvironment(registry.url, parseAbsolutePath(home.path)), YARN_HTTP_RETRY: '0' };
  return {
    folder,
    registry,
    messages,
    context: { yarn, root: folder.path, env, signal: undefined, onMessage: (message) => messages.push(message) },
  };
}

/** Returns a package to publish, as in `published('lib', '1.0.0', { dep: '^1.0.0' })`. */
export function published(name: string, version: string, dependencies: Readonly<Record<string, string>> = {}): PublishedPackage {
  return { manifest: { name, version, dependencies } };
}
