import type { Git } from '@tributary/git/git';
import { LOCKFILE_NAMES } from '@tributary/lockfile/lockfile';
import type { CommitId } from '@tributary/model/ids';
import { isInside, joinRepoPath, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import { isMap } from 'yaml';
import { isManifest } from '../align/build-project.js';
import type { Sibling } from '../align/project.js';
import { isPlaceholder } from '../align/publishing/link-version.js';
import { macrosIn } from '../carry-over/git-attributes.js';
import { attributesBelow, changesetOf, ignoredBelow, ownersBelow, settingsAbove } from '../carry-over/inherit.js';
import type { FormerRootRules } from '../carry-over/repository.js';
import { BLAME_FILE } from '../carry-over/rules/blame.js';
import { modulesBelow } from '../carry-over/rules/git-modules.js';
import { VERSION_FILES } from '../carry-over/rules/version-files.js';
import { readYaml } from '../edit/edit-yaml.js';
import { fieldsIn } from '../fields.js';
import { readRepositoryFiles } from '../io/repository-files.js';
import { isMember } from './nested-roots.js';

/** The repository that an imported package was a folder of. */
export interface FormerRoot {
  /** The package's folder in it. */
  readonly folder: RepoPath;
  /** The texts of the files that may concern a package in it, by path. */
  readonly texts: ReadonlyMap<RepoPath, string>;
}

/** What a package gets from its former root. */
export interface Inheritance {
  /** Files that applied to the package from there, as if they were in its folder; by path relative to that. */
  readonly files: ReadonlyMap<string, string>;
  /** The manifest of the root whose workspace the package was; `undefined` if it was none. */
  readonly manifest: Manifest | undefined;
  readonly siblings: ReadonlyMap<string, Sibling>;
  readonly rules: Omit<FormerRootRules, 'inherited'>;
}

const OWNERS = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'];

const WORKFLOW = /^\.github\/workflows\/([^/]+\.ya?ml)$/;

/** Settings of package managers, which read them only at the root of a workspace. */
const OF_MANAGERS = ['.npmrc', '.yarnrc', '.yarnrc.yml', 'pnpm-workspace.yaml'];

/** Reads the files above a folder that may concern a package there. Throws `GIT_FAILED`. */
export async function readFormerRoot(git: Git, tip: CommitId, folder: RepoPath): Promise<FormerRoot> {
  const { texts } = await readRepositoryFiles(
    git,
    tip,
    (path) =>
      parentFolder(path) === '' ||
      OWNERS.includes(path) ||
      path.startsWith('.changeset/') ||
      path.startsWith('.yarn/patches/') ||
      isManifest(path) ||
      WORKFLOW.test(path) ||
      (/\/\.git(?:ignore|attributes)$/.test(path) && isInside(folder, parentFolder(path)) && parentFolder(path) !== folder),
  );
  return { folder, texts };
}

/**
 * Returns what a package inherits. `own`: its files, relative to its folder, which take precedence. Throws
 * `MANIFEST_INVALID`.
 */
export function inherit({ folder, texts }: FormerRoot, name: string, own: ReadonlySet<string>): Inheritance {
  const text = texts.get('package.json' as RepoPath);
  const root = text === undefined ? undefined : parseManifest(text, 'package.json of the former root');
  const isWorkspace = isMember(folder, root, texts);
  const files = new Map<string, string>();
  const add = (file: string, content: string | undefined): void => {
    if (content !== undefined && content.trim() !== '' && !own.has(file)) files.set(file, content);
  };
  const hasLock = LOCKFILE_NAMES.some((file) => own.has(file));
  for (const file of [...(hasLock ? [] : LOCKFILE_NAMES), ...OF_MANAGERS]) {
    const there = isWorkspace ? texts.get(file as RepoPath) : undefined;
    add(file, file === 'pnpm-workspace.yaml' ? withoutMembers(there) : there);
  }
  const ownText = texts.get(joinRepoPath(folder, 'package.json')) ?? '';
  const entries = [text, ownText].join('\n');
  for (const [path, content] of texts) if (path.startsWith('.yarn/patches/') && entries.includes(`~/${path}`)) add(path, content);
  add('.gitmodules', modulesBelow(texts.get('.gitmodules' as RepoPath) ?? '', folder));
  const owners = OWNERS.find((file) => texts.has(file as RepoPath));
  if (owners !== undefined) add(owners, ownersBelow(texts.get(owners as RepoPath) ?? '', folder, own));
  for (const [path, content] of texts) if (/^\.changeset\/(?!readme\.md$)[^/]+\.md$/i.test(path)) add(path, changesetOf(content, name));
  const versions = VERSION_FILES.some((file) => own.has(file)) ? [] : VERSION_FILES;
  for (const file of ['.mailmap', BLAME_FILE, ...versions]) add(file, texts.get(file as RepoPath));
  const macros = macrosIn(texts.get('.gitattributes' as RepoPath) ?? '');
  const rules = {
    ignored: linesAbove({ folder, texts }, '.gitignore', ignoredBelow),
    attributes: linesAbove({ folder, texts }, '.gitattributes', (one, below) => attributesBelow(one, below, macros)),
    settings: settingsAbove(texts, root, own),
    workflows: [...texts.keys()].flatMap((path) => WORKFLOW.exec(path)?.[1] ?? []),
  };
  const siblings = isWorkspace && ownText.includes('"workspace:') ? siblingsIn(texts, root) : new Map();
  return { files, manifest: isWorkspace ? root : undefined, siblings, rules };
}

/** Returns the workspaces of a root, by name. */
function siblingsIn(texts: FormerRoot['texts'], root: Manifest | undefined): Inheritance['siblings'] {
  const folders = [...texts.keys()].filter(isManifest).map(parentFolder);
  return new Map(
    folders
      .filter((folder) => isMember(folder, root, texts))
      .map((folder) => {
        const { name, version, private: isPrivate } = fieldsIn(texts.get(joinRepoPath(folder, 'package.json')));
        const isReleased = typeof version === 'string' && isPrivate !== true && !isPlaceholder(version);
        return [String(name), { folder, version: isReleased ? version : undefined }];
      }),
  );
}

/** Returns what the files with a name, in the folders above a package, have for it. The deepest one is the last. */
function linesAbove(
  { folder, texts }: FormerRoot,
  file: string,
  below: (text: string, folder: string) => readonly string[],
): readonly string[] {
  const places: RepoFolder[] = [];
  for (let place = parentFolder(folder); ; place = parentFolder(place)) {
    places.unshift(place);
    if (place === '') break;
  }
  return places.flatMap((place) => below(texts.get(joinRepoPath(place, file)) ?? '', relativeTo(place, folder)));
}

/** Returns the file without its list of workspaces, which does not concern one of them. */
function withoutMembers(text: string | undefined): string | undefined {
  const document = text === undefined ? undefined : readYaml(text);
  if (!isMap(document?.contents)) return text;
  document.delete('packages');
  return document.toString();
}
