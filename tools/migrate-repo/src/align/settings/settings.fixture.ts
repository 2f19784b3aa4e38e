import { parseManifest } from '@tributary/workspaces/manifest';
import { projectOf } from '../project.fixture.js';
import type { ImportedPackage, Monorepo } from '../project.js';

interface SettingsText {
  readonly manifest?: object;
  /** The package.json of the root whose workspace it was. */
  readonly former?: object;
  /** The old lockfile's versions by `name@range`. */
  readonly lock?: Readonly<Record<string, string>>;
  readonly lockKind?: 'yarn classic' | 'yarn' | 'npm' | 'pnpm';
  /** Who requests a package, by its name: `hook@1.0.0 ^1.0.0`. */
  readonly askers?: Readonly<Record<string, readonly string[]>>;
  /** File texts by path, relative to the imported package's folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly root?: object;
  /** The root lockfile's versions by `name@range`; `none` if the root has no lockfile. */
  readonly rootLock?: Readonly<Record<string, string>> | 'none';
  readonly rootFiles?: Readonly<Record<string, string>>;
}

/** FOR TESTS. Returns a monorepo with Yarn 4.12 and an imported package `new` with settings at packages/new. */
export function settingsFixture(text: SettingsText): Monorepo {
  const { manifest = {}, lock = {}, files = {}, root = {}, rootLock = {}, rootFiles = {} } = text;
  const project = projectOf({
    manifests: {
      '': { name: 'root', packageManager: 'yarn@4.12.0', workspaces: ['packages/*'], ...root },
      'packages/new': { name: 'new', ...manifest },
    },
    importedPackages: { 'packages/new': lock },
    ...(rootLock === 'none' ? {} : { rootLock }),
    files: { ...rootFiles, ...Object.fromEntries(Object.entries(files).map(([file, content]) => [`packages/new/${file}`, content])) },
  });
  const { lockKind = 'yarn classic', askers = {}, former } = text;
  const formerRoot = former && parseManifest(JSON.stringify(former), 'package.json');
  const askersOf = (name: string) =>
    (askers[name] ?? []).map((line) => {
      const [, parent = '', version = '', range = ''] = /^(.+)@(\S+) (.*)$/.exec(line) ?? [];
      return { name: parent, version, range };
    });
  const importedPackages = project.importedPackages.map(
    (one): ImportedPackage => ({ ...one, formerRoot, oldLock: one.oldLock && { ...one.oldLock, kind: lockKind, askersOf } }),
  );
  return { ...project, importedPackages };
}
