import { findFilesWith, type Searched } from '@tributary/git/grep';
import { readNamedBlobs } from '@tributary/git/objects';
import type { RepoPath } from '@tributary/model/paths';
import { COMMAND_FILES, type Mention, type SearchSubject, withoutComments } from '../root-uses/subject.js';
import type { AffectedInputs } from '../run/inputs.js';

export type Tree = Pick<AffectedInputs, 'git' | 'repository' | 'headTree'>;

/** The number of files read at once. */
const GROUP = 200;

/** Finds the files of the head that name subjects, as `git grep` sees them. Throws `GIT_FAILED`. */
export async function* findMentions(tree: Tree, subjects: readonly SearchSubject[]): AsyncGenerator<Mention> {
  const { files, unreadable } = await searchFor(tree, subjects);
  for (const file of unreadable) for (const subject of subjects) yield { subject, file, text: '', line: undefined };
  for (let at = 0; at < files.length; at += GROUP) {
    const group = files.slice(at, at + GROUP);
    for (const [index, whole] of (await readTexts(tree, group)).entries()) {
      const file = group[index] as RepoPath;
      const text = withoutComments(whole, file);
      for (const subject of subjects) {
        const found = subject.find(text, file);
        if (found >= 0) yield { subject, file, text, line: text.slice(0, found).split('\n').length };
      }
    }
  }
}

async function searchFor({ git, headTree, repository }: Tree, subjects: readonly SearchSubject[]): Promise<Searched> {
  const { project } = repository;
  const near = subjects.flatMap((subject) => subject.near ?? []);
  const within = [
    ...new Set(near.map(({ folder }) => (folder === '' ? '*' : `${folder}/**`))),
    ...COMMAND_FILES.map((file) => `**/${file}`),
  ];
  const [far, close] = await Promise.all([
    findFilesWith(git, headTree, { words: [...new Set(subjects.flatMap(({ words }) => words))], project }),
    findFilesWith(git, headTree, { words: [...new Set(near.map(({ word }) => word))], project, within }),
  ]);
  const both = (key: keyof Searched): readonly RepoPath[] => [...new Set([...far[key], ...close[key]])].filter((file) => !isNeverRun(file));
  return { files: both('files'), unreadable: both('unreadable') };
}

/** Returns texts of files; `''` for a missing file. */
export async function readTexts({ git, headTree, repository }: Tree, files: readonly string[]): Promise<readonly string[]> {
  const above = repository.project === '' ? '' : `${repository.project}/`;
  const blobs = await readNamedBlobs(
    git,
    files.map((file) => `${headTree}:${above}${file}`),
  );
  return blobs.map((blob) => blob?.toString('utf8') ?? '');
}

/** Tells whether a file never runs: lockfiles and what Yarn installs, ignore lists of git, Docker and npm, and documents. */
function isNeverRun(file: RepoPath): boolean {
  return (
    /(^|\/)(yarn\.lock|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|bun\.lock|tributary\.json|CODEOWNERS|LICEN[CS]E|NOTICE)$/.test(
      file,
    ) ||
    /(^|\/)\.[\w-]+ignore$|\.(md|markdown|rst|adoc)$|(^|\/)CHANGELOG[^/]*$/.test(file) ||
    // Catalogs and extensions: their effects are in the lockfile.
    /(^|\/)(\.yarn\/|\.pnp\.|\.yarnrc\.yml$)/.test(file)
  );
}
