import { extname } from 'node:path';
import { isInside, joinRepoPath, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import { groupBy } from '../align/lock/content.js';
import type { TreeFiles } from '../align/project.js';
import type { Draft } from '../edit/draft.js';
import { linesOfBlock, withBlock } from '../edit/fence.js';
import { pointedTo } from '../lfs-pointer.js';
import { code, someOf } from '../text.js';
import { type AttributeRule, AttributeRules, quoted } from './git-attributes.js';
import { escapePath } from './git-pattern.js';
import type { CarriedPackage } from './repository.js';
import type { CarryOverFinding } from './rule.js';

/**
 * Keeps the files of imported packages as they are stored, although rules of .gitattributes files above them would make
 * git store them differently: exceptions follow the rules, in the same file. Covers filters, such as Git LFS, encodings,
 * keywords and line ends. Without them, the next `git add` would change the files, and destroy binary ones, or the next
 * checkout would break scripts.
 */
export function changedAttributes(draft: Draft, importedPackages: readonly CarriedPackage[]): readonly CarryOverFinding[] {
  const rules = new AttributeRules(draft);
  return importedPackages.flatMap((importedPackage) => {
    const ownRules = rulesOf(importedPackage, draft);
    const own = draft.paths.filter(
      (path) => isInside(path, importedPackage.path) && !importedPackage.links.has(path) && !importedPackage.submodules.includes(path),
    );
    const changed = own.flatMap((path) => changesOf(path, { importedPackage, rules, ownRules, draft }));
    return [...groupBy(changed, ({ rule }) => rule.file)].map(([place, files]) => {
      const file = place as RepoPath;
      const lines = exceptionsFor(parentFolder(file), files, { own, importedPackage });
      const text = draft.read(file) ?? '';
      // An earlier run has excepted other files.
      const all = [...new Set([...linesOfBlock(text, importedPackage.name), ...lines])];
      draft.apply(new Map([[file, withBlock(text, { name: importedPackage.name, lines: all })]]));
      return describe(importedPackage, { file, files });
    });
  });
}

interface ChangedFile {
  readonly path: RepoPath;
  /** The rule that changes it. */
  readonly rule: AttributeRule;
  readonly except: '-filter' | '-working-tree-encoding' | '-ident' | '-text' | 'eol=lf';
}

interface Attributes {
  readonly importedPackage: CarriedPackage;
  readonly rules: AttributeRules;
  readonly ownRules: AttributeRules;
  readonly draft: Draft;
}

/** Returns the changes of a file by rules above the package. */
function changesOf(path: RepoPath, { importedPackage, rules, ownRules, draft }: Attributes): readonly ChangedFile[] {
  const text = (): string => draft.read(path) ?? '';
  const valuedBy = (attribute: string): AttributeRule | undefined => {
    const { state, rule } = rules.stateOf(attribute, path);
    // The package may give it that value itself.
    return typeof state === 'string' && ownRules.stateOf(attribute, path, importedPackage.path).state !== state ? rule : undefined;
  };
  const [filter, ident, eol] = [valuedBy('filter'), rules.stateOf('ident', path), valuedBy('eol')];
  const isStored = filter === undefined || pointedTo(text()) !== undefined;
  const hasKeyword = ident.state === true && /\$Id:[^$\n]*\$/.test(text());
  const breaks = eol?.attributes.get('eol') === 'crlf' && rules.stateOf('text', path).state !== false && isScript(path, text());
  const found: readonly (readonly [AttributeRule | undefined, ChangedFile['except']])[] = [
    [isStored ? undefined : filter, '-filter'],
    [valuedBy('working-tree-encoding'), '-working-tree-encoding'],
    [hasKeyword ? ident.rule : undefined, '-ident'],
    [convertedBy(path, { files: draft, rules }), '-text'],
    [breaks ? eol : undefined, 'eol=lf'],
  ];
  return found.flatMap(([rule, except]) =>
    rule === undefined || isInside(rule.file, importedPackage.path) ? [] : [{ path, rule, except }],
  );
}

/**
 * Returns the lines of a .gitattributes file that except files: one for all files with an extension if every such file
 * of the package is excepted, else one for each file.
 */
function exceptionsFor(
  folder: RepoFolder,
  files: readonly ChangedFile[],
  { own, importedPackage }: { readonly own: readonly RepoPath[]; readonly importedPackage: CarriedPackage },
): readonly string[] {
  const place = relativeTo(folder, importedPackage.path);
  const groups = groupBy(files, ({ path, except }) => `${extname(path)} ${except}`);
  return [...groups.values()].flatMap((group) => {
    const [{ path: first, except } = { path: '' as RepoPath, except: '' }] = group;
    const extension = extname(first);
    const isWhole =
      group.length > 2 &&
      /^\.\w+$/.test(extension) &&
      own.every((one) => extname(one) !== extension || group.some(({ path }) => path === one));
    if (isWhole) return [`${quoted(`/${escapePath(place)}/**/*${extension}`)} ${except}`];
    return group.map(({ path }) => `${quoted(`/${escapePath(relativeTo(folder, path))}`)} ${except}`);
  });
}

/** Returns the attributes that a package gives its files, with those from the root of its former repository. */
function rulesOf({ path: folder, formerRoot }: CarriedPackage, files: TreeFiles): AttributeRules {
  const top = joinRepoPath(folder, '.gitattributes');
  const former = formerRoot?.attributes ?? [];
  return new AttributeRules({
    paths: files.paths,
    read: (path) => (path === top ? [...former, files.read(path) ?? ''].join('\n') : files.read(path)),
  });
}

/**
 * Returns the rule that would convert line ends. With `text=auto`, git leaves stored CRLF line ends and binary files
 * unchanged; otherwise it converts binary files too, whose content is unknown here.
 */
function convertedBy(
  path: RepoPath,
  { files, rules }: { readonly files: TreeFiles; readonly rules: AttributeRules },
): AttributeRule | undefined {
  const [text, eol] = [rules.stateOf('text', path), rules.stateOf('eol', path)];
  const decides = text.state === true ? text.rule : text.state === undefined && typeof eol.state === 'string' ? eol.rule : undefined;
  if (decides === undefined) return undefined;
  const content = files.read(path);
  return content === undefined || content.includes('\r\n') ? decides : undefined;
}

/** Whether a file is a script with stored LF line ends. A shell, or the system that reads `#!`, does not run it with CRLF. */
function isScript(path: RepoPath, text: string): boolean {
  return (path.endsWith('.sh') || text.startsWith('#!')) && !text.includes('\r');
}

function describe(
  { name, path }: CarriedPackage,
  { file, files }: { readonly file: RepoPath; readonly files: readonly ChangedFile[] },
): CarryOverFinding {
  const rules = [...new Set(files.map(({ rule }) => `line ${rule.line} (${code(rule.pattern)})`))];
  const names = files.map((one) => code(relativeTo(path, one.path)));
  return {
    importedPackage: name,
    rule: 'Files that git would change',
    file: '',
    action: 'keep',
    done: {
      text: `Files keep their stored bytes by exceptions in ${code(file)}: the next "git add" or checkout would have changed them.`,
      detail: `${someOf(names)}, because of ${someOf(rules)}`,
    },
    remarks: [],
    reason: 'a .gitattributes also applies to the folders below it',
  };
}
