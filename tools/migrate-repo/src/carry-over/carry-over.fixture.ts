import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { parseManifest } from '@tributary/workspaces/manifest';
import type { Edits, TreeFiles } from '../align/project.js';
import type { Message } from '../message.js';
import type { CarriedPackage, CarryOverRepository } from './repository.js';

/** The texts of files, by path. */
export type Texts = Readonly<Record<string, string>>;

interface FixtureChoices {
  /** The project's folder in the repository, whose files `root` lists. */
  readonly project?: string;
  /** Files outside the project, by path from the repository's root. */
  readonly outside?: Texts;
  readonly importedPackage?: Partial<CarriedPackage>;
}

/** FOR TESTS. Returns a monorepo with files and one imported package with files, `@acme/x` at packages/x. */
export function fixtureOf(
  root: Texts,
  importedPackage: Texts,
  { project = '', outside = {}, ...choices }: FixtureChoices = {},
): CarryOverRepository {
  const place = project === '' ? '' : `${project}/`;
  const path = `${place}packages/x` as RepoPath;
  const texts = new Map([
    ...Object.entries(outside),
    ...Object.entries({ 'package.json': '{"name":"root","private":true,"workspaces":["packages/*"]}', ...root }).map(
      ([file, text]) => [`${place}${file}`, text] as const,
    ),
    ...Object.entries({ 'package.json': '{"name":"@acme/x"}', ...importedPackage }).map(
      ([file, text]) => [`${path}/${file}`, text] as const,
    ),
  ]);
  const arrived: CarriedPackage = {
    name: '@acme/x' as WorkspaceName,
    path,
    links: new Map(),
    submodules: [],
    source: undefined,
    newIds: new Map(),
    ...choices.importedPackage,
  };
  return { files: filesOf(texts), root: project as RepoFolder, importedPackages: [arrived], workspaceNames: namesIn(texts) };
}

function filesOf(texts: ReadonlyMap<string, string>): TreeFiles {
  return { paths: [...texts.keys()].sort() as RepoPath[], read: (path) => texts.get(path) };
}

function namesIn(texts: ReadonlyMap<string, string>): ReadonlySet<string> {
  const manifests = [...texts].filter(([path]) => /(^|\/)package\.json$/.test(path));
  return new Set(manifests.map(([path, text]) => parseManifest(text, path).name ?? path));
}

/** Returns the repository after these edits. */
export function withTexts(repository: CarryOverRepository, edits: ReadonlyMap<string, string | undefined>): CarryOverRepository {
  const texts = new Map<string, string>(repository.files.paths.map((path) => [path, repository.files.read(path) ?? '']));
  for (const [path, text] of edits) {
    if (text === undefined) texts.delete(path);
    else texts.set(path, text);
  }
  return { ...repository, files: filesOf(texts) };
}

export function textOf(edits: Edits, path: string): string | undefined {
  return edits.get(path as RepoPath);
}

/** Joins the texts of the messages into one. */
export function wordsOf(...messages: readonly (Message | undefined)[]): string {
  return messages
    .flatMap((one) => (one === undefined ? [] : [one.detail === undefined ? one.text : `${one.text} (${one.detail})`]))
    .join(' ');
}
