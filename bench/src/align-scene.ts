import { existsSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { GitClock, runHermeticGit } from '@tributary/test-repo/hermetic-git';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { writeFiles } from './affected-files.js';
import { writeLockfile } from './affected-lockfile.js';
import { planMonorepo, type Shape } from './affected-plan.js';
import { type ImportedPackagePlan, type ImportedPackageShape, planImportedPackage } from './align-imported-package.js';
import { writeImportedPackage } from './align-imported-package-files.js';

/** All parameters of a scene. */
export interface SceneShape {
  readonly monorepo: Shape;
  readonly importedPackage: ImportedPackageShape & { readonly sources: number };
}

/** The scene that is measured. */
export const SCENE: SceneShape = {
  monorepo: { workspaces: 200, externals: 4400, seed: 1 },
  importedPackage: { requests: 400, phantoms: 10, sources: 600, seed: 1 },
};

/** Bare repositories: a monorepo, and the package to import into it. Neither may be changed. */
export interface AlignScene {
  readonly monorepo: AbsolutePath;
  readonly source: AbsolutePath;
  readonly importedPackage: ImportedPackagePlan;
  readonly lockfileLines: number;
}

/** Part of the name of the kept folder: increase it when the generator changes. */
const EDITION = 1;

/** Creates a scene in the system's temporary folder, or reuses the one of an earlier run. */
export function prepareScene(shape: SceneShape): AlignScene {
  const plan = planMonorepo(shape.monorepo);
  const importedPackage = planImportedPackage(plan, shape.importedPackage);
  const folder = parseAbsolutePath(join(tmpdir(), `tributary-bench-align-${nameOf(shape)}`));
  if (!existsSync(folder)) {
    const making = parseAbsolutePath(`${folder}.${process.pid}`);
    makeRepo(parseAbsolutePath(join(making, 'monorepo')), writeFiles(plan));
    makeRepo(parseAbsolutePath(join(making, 'source')), writeImportedPackage(importedPackage, shape.importedPackage.sources));
    // Atomic, so that an existing folder is complete.
    renameSync(making, folder);
  }
  const below = (name: string): AbsolutePath => parseAbsolutePath(join(folder, name));
  return {
    monorepo: below('monorepo'),
    source: below('source'),
    importedPackage,
    lockfileLines: writeLockfile(plan).split('\n').length - 1,
  };
}

/** Replaces `to` by a clone of the monorepo, which shares its objects by hard links. */
export function cloneMonorepo({ monorepo }: AlignScene, to: string): void {
  rmSync(to, { recursive: true, force: true });
  runHermeticGit(['clone', '-q', '--local', monorepo, to], { folder: monorepo, clock: new GitClock() });
}

function nameOf({ monorepo, importedPackage }: SceneShape): string {
  return [EDITION, ...Object.values(monorepo), ...Object.values(importedPackage)].join('-');
}

const FILES_PER_COMMIT = 4;

/** Creates a history that adds the files a few at a time. */
function makeRepo(folder: AbsolutePath, files: Iterable<readonly [path: string, content: string]>): void {
  TempRepo.create({ folder, bare: true }).fastImport([...historyOf([...files])].join(''));
}

function* historyOf(files: readonly (readonly [path: string, content: string])[]): Generator<string> {
  for (let from = 0; from < files.length; from += FILES_PER_COMMIT) {
    const who = `Ada Author <ada@example.com> ${1_600_000_000 + from} +0000`;
    const message = 'Add some files';
    yield `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\ndata ${message.length}\n${message}\n`;
    for (const [path, content] of files.slice(from, from + FILES_PER_COMMIT)) {
      yield `M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
    }
    yield '\n';
  }
}
