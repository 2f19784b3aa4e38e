import type { RepoPath } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import {
  changedTsKeys,
  findConfigMention,
  mentionTexts,
  readTsConfig,
  referencesOf,
  type TsConfig,
} from '@tributary/workspaces/root-files/tsconfig';
import { findReaders } from './readers.js';
import type { Concern, RootFile, Scene, Verdict } from './scene.js';
import { canTestsSeeBuilds } from './sees-builds.js';

/**
 * Judges a root tsconfig. A change in references affects only the projects that `tsc --build` builds additionally or no longer. Other
 * changes affect those that extend or name it. A `tsconfig.json`, which tools find without its name, selects everything.
 */
export async function judgeTsConfig(scene: Scene, { path, base, head }: RootFile): Promise<Verdict> {
  const [before, after] = [readTsConfig(base ?? ''), readTsConfig(head ?? '')];
  if (before === undefined || after === undefined) return 'unknown';
  const keys = changedTsKeys(before, after);
  const isWhole = base !== undefined && head !== undefined;
  const others = isWhole ? keys.filter((key) => key !== 'references') : [path];
  const users = others[0] === undefined ? [] : await findUsers(scene, { file: path, key: others[0] });
  const built = keys.includes('references') && users !== 'unknown' ? await judgeReferences(scene, path, { before, after }) : [];
  return users === 'unknown' || built === 'unknown' ? 'unknown' : [...users, ...built];
}

/** Returns the projects that only one of the two builds. */
async function judgeReferences(
  scene: Scene,
  path: RepoPath,
  { before, after }: { readonly before: TsConfig; readonly after: TsConfig },
): Promise<Verdict> {
  const [base, head] = [await builtBy(scene, 'base', path, before), await builtBy(scene, 'head', path, after)];
  if (base === undefined || head === undefined) return 'unknown';
  const changed = [...base, ...head].filter((project) => !(base.has(project) && head.has(project)));
  return changed.flatMap((project): readonly Concern[] => {
    const owners = scene.owners(project);
    const places = owners.length > 0 || scene.root === undefined ? owners : [scene.root];
    return places.map((place) => ({ place, key: 'references' }));
  });
}

/** Returns all projects built with one, through nested references. `undefined` if some are unreadable. */
async function builtBy(scene: Scene, side: 'base' | 'head', path: RepoPath, config: TsConfig): Promise<ReadonlySet<RepoPath> | undefined> {
  const first = referencesOf(config, path);
  const known = new Set(first);
  let next = [...known];
  while (next.length > 0) {
    const texts = await scene.readSide(side, next);
    const found = next.map((file, at) => {
      // It does not exist, which the compiler reports.
      if (texts[at] === undefined) return [];
      const value = readTsConfig(texts[at]);
      return value === undefined ? undefined : referencesOf(value, file);
    });
    if (!found.every((references) => references !== undefined)) return undefined;
    next = [...new Set(found.flat())].filter((file) => !known.has(file));
    for (const file of next) known.add(file);
  }
  return first === undefined ? undefined : known;
}

interface Question {
  readonly file: RepoPath;
  readonly key: string;
}

/** `seen` ends the search for configurations that extend each other in a cycle. */
async function findUsers(scene: Scene, { file, key }: Question, seen: ReadonlySet<RepoPath> = new Set()): Promise<Verdict> {
  if (FOUND_UNNAMED.test(file) || (file === 'tsconfig.base.json' && (await usesNx(scene)))) return 'unknown';
  if (seen.has(file)) return [];
  const isOwn = await findNamesakes(scene, file);
  if (isOwn === undefined) return 'unknown';
  return findReaders(scene, {
    file,
    key,
    texts: mentionTexts(file),
    isMention: (text, path) => {
      const { fromElsewhere, fromHere } = findConfigMention(text, file);
      return fromElsewhere || (fromHere && !(isOwn(path) && !LEAVES_FOLDER.test(text)));
    },
    scripts: { seesBuilds: async () => scene.kind !== 'test' || canTestsSeeBuilds(scene) },
    follow: async (path) => (ROOT_CONFIG.test(path) ? findUsers(scene, { file: path, key }, new Set([...seen, file])) : undefined),
  });
}

/** Tools find these files by themselves. */
const FOUND_UNNAMED = /^(?:[tj]sconfig|tsconfig\.(?:app|lib|node|spec|test))\.json$/;

async function usesNx(scene: Scene): Promise<boolean> {
  const [texts = []] = await scene.read(['nx.json' as RepoPath]);
  return texts.length > 0;
}

const ROOT_CONFIG = /^[tj]sconfig[^/]*\.json$/;

/** A command that may run in another folder than the file's. */
const LEAVES_FOLDER = /(?:^|[\s"';&|])cd\s|--cwd|--prefix|PROJECT_CWD|INIT_CWD/;

/** Returns a function that tells whether a bare name means a workspace's own file of this name, in the folder of the path or above it. */
async function findNamesakes(scene: Scene, file: RepoPath): Promise<((path: RepoPath) => boolean) | undefined> {
  const project = await scene.project();
  if (project === undefined) return undefined;
  const folders = new Set(
    project
      .tracked()
      .map(({ path }) => path)
      .filter((path) => path.endsWith(`/${file}`))
      .map(parentFolder),
  );
  return (path) => {
    for (let folder = parentFolder(path); folder !== ''; folder = parentFolder(folder)) if (folders.has(folder)) return true;
    return false;
  };
}
