import type { RepoPath } from '@tributary/model/paths';
import { buildProject, type ProjectParts, withEdits } from '../align/build-project.js';
import { projectOf } from '../align/project.fixture.js';
import type { Edits, Project } from '../align/project.js';

/** By the path of a file, its text. */
export type Texts = Readonly<Record<string, string>>;

/** FOR TESTS. A monorepo with files, and one newcomer at packages/x, called @acme/x, with files. */
export function sceneOf(root: Texts, newcomer: Texts): Project {
  const { 'package.json': rootManifest = '{"name":"root","private":true,"workspaces":["packages/*"]}', ...rootFiles } = root;
  const { 'package.json': manifest = '{"name":"@acme/x"}', ...files } = newcomer;
  const project = projectOf({
    manifests: { '': JSON.parse(rootManifest) as object, 'packages/x': JSON.parse(manifest) as object },
    newcomers: { 'packages/x': {} },
    files: { ...rootFiles, ...Object.fromEntries(Object.entries(files).map(([file, text]) => [`packages/x/${file}`, text])) },
  });
  return withTexts(project, new Map([['package.json', rootManifest] as const, ['packages/x/package.json', manifest] as const]));
}

/** The project after such edits. */
export function withTexts(project: Project, edits: ReadonlyMap<string, string | undefined>): Project {
  const texts = new Map(project.files.paths.flatMap((path) => [[path, project.files.read(path) ?? ''] as const]));
  const parts: ProjectParts = { paths: new Set(project.files.paths), texts, newcomers: project.newcomers, rootLock: project.rootLock };
  return buildProject(withEdits(parts, edits as Edits));
}

export function textOf(edits: Edits, path: string): string | undefined {
  return edits.get(path as RepoPath);
}
