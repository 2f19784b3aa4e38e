import type { WorkspaceName } from '@tributary/model/ids';
import { isInside, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { literalsIn } from '@tributary/references/code-literals';
import { readReferences } from '@tributary/references/read-references';
import { parentFolder } from '@tributary/workspaces/folders';
import { fieldsIn, mapIn } from '../fields.js';
import { isManifest } from './build-project.js';
import { classOf, isCode } from './phantoms/file-class.js';
import { type PackageView, surroundingsOf } from './phantoms/surroundings.js';
import type { Monorepo } from './project.js';

/** A path into node_modules that names a package. In a workspace, the package may be elsewhere. */
export interface ModulePath {
  readonly importedPackage: WorkspaceName;
  /** The folder of the imported package, relative to that of the root package.json. */
  readonly path: RepoPath;
  readonly package: string;
  /** Relative to the imported package's folder. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

const MENTION = /((?:\.\.\/)*)\bnode_modules\/((?:@[\w.-]+\/)?\w[\w.-]*)/g;
/** Files that are searched as text: pages with scripts, and shell scripts. */
const TEXT = /\.(?:html?|sh)$|(?:^|\/)Makefile$/;

/**
 * Returns the paths into node_modules in code, scripts and pages of imported packages: only in string literals and
 * texts, not in comments of code. Only packages that they have or may have; each once in a file, in the order of the
 * files. Test data is omitted, and other projects inside them.
 */
export function findModulePaths(project: Monorepo): readonly ModulePath[] {
  return project.importedPackages.flatMap((importedPackage) => {
    const around = surroundingsOf(project, importedPackage);
    const others = projectsIn(around);
    return around.paths.flatMap((file) => {
      const below = relativeTo(importedPackage.path, file);
      const folder = others.find((one) => isInside(file, one));
      const depth = folder === undefined ? -1 : relativeTo(folder, file).split('/').length - 1;
      const mentioned = classOf(below) === 'fixture' ? [] : mentionsIn(file, around);
      const found = mentioned.filter(({ name, up }) => up > depth && isHad(name, file, around));
      const firsts = found.filter(({ name }, at) => found.findIndex((one) => one.name === name) === at);
      return firsts.map(({ name, line }) => ({
        importedPackage: importedPackage.name,
        path: importedPackage.path,
        package: name,
        file: below,
        line,
      }));
    });
  });
}

/** Returns the folders of projects inside a package, such as demos, which have a node_modules of their own. */
function projectsIn({ workspace, paths, read }: PackageView): readonly RepoFolder[] {
  const folders = paths.filter(isManifest).filter((path) => parentFolder(path) !== workspace.path);
  return folders.flatMap((path) => {
    const manifest = fieldsIn(read(path));
    const requires = ['dependencies', 'devDependencies'].some((block) => Object.keys(mapIn(manifest, block)).length > 0);
    return requires ? [parentFolder(path)] : [];
  });
}

interface Mention {
  readonly name: string;
  readonly line: number;
  /** The number of folders that the path leads up. */
  readonly up: number;
}

function isHad(name: string, file: RepoPath, { standingOf, lock }: PackageView): boolean {
  return standingOf(name, file) !== 'undeclared' || (lock?.versionsOf(name).length ?? 0) > 0;
}

/** Returns the mentions in a file. */
function mentionsIn(file: RepoPath, { workspace, read }: PackageView): readonly Mention[] {
  const text = read(file) ?? '';
  if (!text.includes('node_modules/')) return [];
  if (isCode(file)) return mentionsInCode(text);
  if (file === `${workspace.path}/package.json`) return mentionsInScripts(text, file);
  return TEXT.test(file) ? mentionsInText(text) : [];
}

/** Returns the mentions in the strings of code. */
function mentionsInCode(code: string): readonly Mention[] {
  const strings = literalsIn(code).filter(({ text }) => /^["'`]/.test(text));
  return strings.flatMap(({ text, line }) => mentions(text, line));
}

function mentionsInScripts(text: string, file: RepoPath): readonly Mention[] {
  const scripts = readReferences(file, text).manifest?.scripts ?? [];
  return scripts.flatMap((script) => mentions(script.text, script.line));
}

function mentionsInText(text: string): readonly Mention[] {
  return text.split('\n').flatMap((line, at) => mentions(line, at + 1));
}

function mentions(text: string, line: number): readonly Mention[] {
  return [...text.matchAll(MENTION)].map(([, up = '', name = '']) => ({ name, line, up: up.length / '../'.length }));
}
