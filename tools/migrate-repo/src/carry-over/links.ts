import { isInside, type RepoPath, relativeTo } from '@tributary/model/paths';
import { parentFolder, resolveFolder } from '@tributary/workspaces/folders';
import type { TreeFiles } from '../align/project.js';
import type { Message } from '../message.js';
import type { CarriedPackage, CarryOverRepository } from './repository.js';
import { type CarryOverFinding, type FileNote, kept } from './rule.js';

/** Reports symbolic links whose target changed. No rule can carry them over. `after`: the files after the rules. */
export function linkFindings({ files, importedPackages }: CarryOverRepository, after: TreeFiles): readonly CarryOverFinding[] {
  const places = { before: foldersAndFiles(files), after: foldersAndFiles(after) };
  return importedPackages.flatMap((importedPackage) => {
    const links = [...importedPackage.links].flatMap(([link, target]) => linkNote(importedPackage, { link, target, places }));
    return links.map(
      (note): CarryOverFinding => ({
        ...note,
        importedPackage: importedPackage.name,
        rule: 'Links',
        reason: 'they depend on the location of the package',
      }),
    );
  });
}

interface Link {
  readonly link: RepoPath;
  readonly target: string;
  readonly places: { readonly before: ReadonlySet<string>; readonly after: ReadonlySet<string> };
}

function linkNote(importedPackage: CarriedPackage, { link, target, places }: Link): readonly FileNote[] {
  const file = relativeTo(importedPackage.path, link);
  const led = resolveFolder(parentFolder(link), target);
  const detail = `it points to \`${target.replaceAll('`', "'")}\``;
  // One that was taken away itself needs no word.
  if (!places.after.has(link)) return [];
  if (led === undefined) return [kept(file, { ...OUTSIDE, detail: `${detail}, outside the repository` })];
  if (!isInside(led, importedPackage.path))
    return [kept(file, { ...OUTSIDE, detail: places.after.has(led) ? detail : `${detail}, which does not exist` })];
  return places.before.has(led) && !places.after.has(led) ? [kept(file, { ...GONE, detail })] : [];
}

const OUTSIDE: Message = {
  topic: 'behaviour',
  text: 'A symbolic link points outside the package: check that its target exists and is still the same.',
};

const GONE: Message = {
  topic: 'behaviour',
  text: 'A symbolic link points to a file that was carried over or removed: delete the link, or change its target.',
};

function foldersAndFiles({ paths }: TreeFiles): ReadonlySet<string> {
  const all = new Set<string>(paths);
  for (const path of paths) for (let folder = parentFolder(path); !all.has(folder); folder = parentFolder(folder)) all.add(folder);
  return all;
}
