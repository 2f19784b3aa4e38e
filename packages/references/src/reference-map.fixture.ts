import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { owningMember } from '@tributary/workspaces/dependency-graph';
import { discoverWorkspaces } from '@tributary/workspaces/discover';
import { parentFolder } from '@tributary/workspaces/folders';
import { readManifestGraph } from '@tributary/workspaces/manifest-graph';
import { collectReferences, type OwnReferences, scopeOf } from './own-references.js';
import { readReferences } from './read-references.js';
import { buildReferenceMap, type ReferenceMap } from './reference-map.js';
import { buildTree } from './tree.js';

/**
 * FOR TESTS. A repository as path -> text, or the value of a JSON file. Every folder with a package.json is a workspace, except below
 * `examples`.
 */
export type ProjectTexts = Readonly<Record<string, string | object>>;

/** FOR TESTS. Builds the map of such a repository; `links`: path -> text. */
export function mapOf(files: ProjectTexts, links: Readonly<Record<string, string>> = {}): ReferenceMap {
  const texts = new Map(
    Object.entries(files).map(([path, text]) => [path, typeof text === 'string' ? text : JSON.stringify(text, undefined, 2)]),
  );
  const folders = [...texts.keys()].filter((path) => path.endsWith('/package.json')).map(parentFolder);
  const members = folders.filter((folder) => !/(^|\/)examples\//.test(folder));
  texts.set(
    'package.json',
    JSON.stringify({ ...(files['package.json'] as object | undefined), name: 'root', workspaces: members }, undefined, 2),
  );
  const workspaces = discoverWorkspaces({
    folders: ['', ...members] as RepoFolder[],
    readManifest: (folder) => texts.get(folder === '' ? 'package.json' : `${folder}/package.json`) ?? '',
  });
  const graph = readManifestGraph(workspaces);
  const tree = buildTree(graph, [...texts.keys(), ...Object.keys(links)] as RepoPath[], new Map(Object.entries(links)));
  const otherManifests = new Set<string>(folders.filter((folder) => !graph.byPath.has(folder)));
  const entries = new Set([...texts.keys()].map((path) => path.split('/', 1)[0] ?? ''));
  const owned = (member: number): readonly RepoPath[] =>
    [...texts.keys()].map((path) => path as RepoPath).filter((path) => owningMember(graph, path) === member);
  const collect = (folder: RepoFolder | undefined, paths: readonly RepoPath[]): OwnReferences => {
    const owner = {
      folder,
      nested: members.filter((one) => one !== folder && one.startsWith(`${folder}/`)),
      otherManifests,
      entries,
    };
    return collectReferences(
      owner,
      paths.map((path) => readReferences(path, texts.get(path) ?? '', scopeOf(owner))),
    );
  };
  const rootFiles = new Map(owned(tree.root).map((path) => [path as string, collect(undefined, [path])]));
  const { manifest } = rootFiles.get('package.json') ?? {};
  const root: OwnReferences = { packages: [], paths: [], files: [], extended: [], ...(manifest === undefined ? {} : { manifest }) };
  return buildReferenceMap(tree, {
    workspaces: new Map(graph.members.map(({ path }, member) => [member, member === tree.root ? root : collect(path, owned(member))])),
    rootFiles,
  });
}
