import type { CleanUp } from '@tributary/test-repo/clean-up';
import { type LocalRegistry, type PublishedPackage, registryEnvironment, startRegistry } from '@tributary/test-repo/local-registry';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { quickYarn } from '@tributary/test-repo/quick-yarn';
import { createHome, runProcess } from '@tributary/test-repo/run-cli';
import { formatManifest, type Manifest } from '@tributary/test-repo/temp-monorepo';
import { createFixture, type MigrationFixture } from './migration.fixture.js';

/** A monorepo locked by its own Yarn, with a separate registry. */
export interface InstalledFixture {
  readonly fixture: MigrationFixture;
  readonly registry: LocalRegistry;
  /** Environment variables that lead each run of the tool or of Yarn to the registry. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs Yarn in the checked-out monorepo. Throws Yarn's output if it fails. */
  readonly yarn: (...args: readonly string[]) => Promise<void>;
}

const YARN = quickYarn(findProjectRoot());

export const SETTINGS = `enableTelemetry: false\nnodeLinker: node-modules\nyarnPath: ${YARN}\n`;

/** Creates a fixture with these workspaces, by folder, beside that of `createFixture`. */
export async function createInstalledFixture(
  cleanUp: CleanUp,
  { packages, workspaces }: { readonly packages: readonly PublishedPackage[]; readonly workspaces: Readonly<Record<string, Manifest>> },
): Promise<InstalledFixture> {
  const registry = cleanUp.add(await startRegistry({ packages }));
  const env = registryEnvironment(registry.url, cleanUp.add(createHome()).path);
  const fixture = createFixture(cleanUp);
  const yarn = async (...args: readonly string[]): Promise<void> => {
    const { code, stdout } = await runProcess(process.execPath, [YARN, ...args], { cwd: fixture.monorepo.path, env });
    if (code !== 0) throw new Error(stdout);
  };
  const manifests = Object.entries(workspaces).map(([folder, manifest]) => [`${folder}/package.json`, formatManifest(manifest)]);
  fixture.monorepo.write({
    '.yarnrc.yml': SETTINGS,
    '.gitignore': 'node_modules\n.yarn\n',
    'yarn.lock': '',
    ...(Object.fromEntries(manifests) as Record<string, string>),
  });
  await yarn('install', '--no-immutable');
  fixture.monorepo.commit('Lock');
  return { fixture, registry, env, yarn };
}
