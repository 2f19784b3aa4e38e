import type { Git } from '@tributary/git/git';
import { fetchMissing } from '@tributary/git/missing-objects';
import { readNamedBlobs } from '@tributary/git/objects';
import { type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { blankComments } from '@tributary/references/code-literals';
import { isCodeFile, isSettingsFile } from '@tributary/references/file-kinds';
import { roleOf } from '@tributary/references/file-roles';
import type { WorkspaceCode } from '@tributary/references/inner-references';
import { readReferences } from '@tributary/references/read-references';
import type { FileReferences } from '@tributary/references/reference';
import { opaqueFile } from '@tributary/references/scan-file';
import { readJsonTexts } from '@tributary/references/settings/json-texts';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import { objectName } from './reading.js';
import { parseTracked, streamTexts } from './tracked-files.js';

/** A commit or tree, with the workspaces in it. */
export interface CodeSource {
  readonly git: Git;
  readonly commit: string;
  readonly project: RepoFolder;
  readonly graph: DependencyGraph;
}

/**
 * Reads the code and the manifest of a workspace at a commit. A text that has one of the given names of packages counts as importing it: a
 * list of plugins. `isWhole`: whether this clone has all of it. Throws `GIT_FAILED`.
 */
export async function readWorkspaceCode(
  source: CodeSource,
  member: number,
  packages: readonly string[] = [],
): Promise<Omit<WorkspaceCode, 'isUsedByOthers'> & { readonly isWhole: boolean }> {
  const { git, commit, project, graph } = source;
  const { name = '', path: folder = '' as RepoFolder } = graph.members[member] ?? {};
  const top = project === '' ? folder : `${project}/${folder}`;
  const listing = (await git.bytes(['ls-tree', '-r', '-z', '--full-tree', commit, '--', top])).toString('utf8');
  const tracked = parseTracked(listing, project).filter(({ path }) => owningMember(graph, path) === member);
  const below = (path: RepoPath): string => relativeTo(folder, path);
  const wanted = tracked.filter(({ path, kind }) => kind === 'file' && (isCodeFile(path) || mayName(below(path))));
  const known = new Set(tracked.flatMap(({ path }) => (roleOf(below(path)) === 'source' ? [] : stemsOf(path))));
  // A program starts in the workspace, or in the project's root.
  const entries = new Set([folder, ...tracked.map(({ path }) => path.slice(folder.length + 1))].map((path) => path.split('/', 1)[0] ?? ''));
  const files: FileReferences[] = [];
  const missing = await fetchMissing(
    git,
    wanted.map(({ id }) => id),
  );
  for await (const { file, text } of streamTexts(git, wanted, missing)) {
    if (text !== undefined) files.push(readInside(file.path, text, { entries, known, packages }));
    // Data of that size is made by a program, and names no document.
    else if (isCodeFile(file.path)) files.push({ ...opaqueFile(file.path), names: packages.map((specifier) => moduleAt(specifier, 1)) });
  }
  const [manifest] = await readNamedBlobs(git, [objectName(commit, project, `${folder}/package.json` as RepoPath)]);
  return { name, folder, files, manifest: manifest?.toString('utf8') ?? '', isWhole: missing.size === 0 };
}

/** Formats that hold no words, and tables of data. Any other file may be a template, a style or a command. */
const DATA = new RegExp(
  `\\.(?:${[
    'avif|bmp|eot|gif|ico|jpe?g|otf|pdf|png|psd|ttf|webp|woff2?',
    'aac|avi|flac|glb|m4a|mkv|mov|mp[34]|ogg|wav|webm',
    '7z|br|bz2|gz|iso|jar|rar|tar|tgz|xz|zip|zst',
    'a|bin|class|dll|dylib|exe|node|o|onnx|so|wasm',
    'csv|dat|db|lock|map|parquet|snap|sqlite3?|tsv',
  ].join('|')})$`,
  'i',
);

/** What git, npm or a tool leaves out. Nothing reads a file because of it. */
const PATTERNS = /(?:^|\/)\.(?:\w+ignore|gitattributes)$/;

/** Tells whether a file that is no code may name others. */
function mayName(below: string): boolean {
  return below !== 'package.json' && !DATA.test(below) && !PATTERNS.test(below) && roleOf(below) !== 'documentation';
}

/** `test/a.b.js` -> `test`, which may stand for an index or be read as a whole, and `a`. */
function stemsOf(path: string): readonly string[] {
  return path.split('/').map(stemOf);
}

function stemOf(name: string): string {
  return name.replace(/(?!^)\..*$/s, '');
}

/** A word with a slash or a dot. */
const WORD = /(?<![\w@~+-])([\w@~+-]{0,200}[/.][\w@./~+-]{1,200})/g;
/** In code, a whole literal with an extension: a file next to it, or one of the folder in which a program starts. */
const LITERAL = /['"`]([\w@./~+-]{1,200}\.\w{1,10})['"`]/g;
/** A folder that is read as a whole: `readdirSync('docs')`. */
const LISTED = /(?:readdir|opendir|scandir|walk|copy|cp)\w{0,20}\s*\(\s*['"`]([\w@./-]{1,200})['"`]/gi;

interface Inside {
  readonly entries: ReadonlySet<string>;
  /** The names, without extensions, of the files in question. */
  readonly known: ReadonlySet<string>;
  /** The names of the packages in question. */
  readonly packages: readonly string[];
}

function moduleAt(specifier: string, line: number): FileReferences['names'][number] {
  return { specifier, line, form: 'module' };
}

/** Finds names of packages: in code as whole literals, or at their start. */
function packagesIn(text: string, packages: readonly string[], isCode: boolean): FileReferences['names'] {
  if (packages.length === 0) return [];
  const any = packages.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|');
  const expression = isCode ? `(?<=['"\`])(${any})(?=['"\`/])` : `(?<![\\w@/.-])(${any})(?![\\w-])`;
  return wordsIn(text, new RegExp(expression, 'g'), () => true).map(({ word, line }) => moduleAt(word, line));
}

function readInside(path: RepoPath, text: string, { entries, known, packages }: Inside): FileReferences {
  const isCode = isCodeFile(path);
  const isCompiler = /[jt]sconfig[^/]*\.json$/.test(path);
  const isSettings = !isCode && isSettingsFile(path) && !isCompiler;
  const read: FileReferences =
    isCode || isSettings ? readReferences(path, text, { reach: 'inside', entries }) : { path, names: [], opaque: [] };
  const isKnown = (word: string): boolean => known.has(stemOf(word.split('/').at(-1) ?? ''));
  const spoken = isCompiler ? withoutLists(text) : /\.[cm]?[jt]sx?$/.test(path) ? blankComments(text) : text;
  const named = wordsIn(spoken, isCode ? LITERAL : WORD, isKnown).map(({ word, line }) =>
    moduleAt(word.startsWith('.') ? word : `./${word}`, line),
  );
  // Yarn puts what the manifest says into the environment of scripts.
  const manifest = wordsIn(text, /(npm_package_)/g, () => true).map(({ line }) => moduleAt('./package.json', line));
  const folders = (isCode ? wordsIn(text, LISTED, isKnown) : []).map(({ word, line }) => ({
    specifier: word,
    line,
    form: 'text' as const,
  }));
  const own = isSettings ? read.names.filter(({ form }) => form === 'module') : read.names;
  return { ...read, names: [...own, ...named, ...manifest, ...folders, ...packagesIn(text, packages, isCode)] };
}

/** The keys of a tsconfig that list what is compiled. What that uses, it names itself, but for declarations of what is global. */
const LISTS = new Set(['include', 'files', 'exclude', 'references']);

/** Returns a tsconfig with spaces instead of such lists; the whole of one that cannot be read. */
function withoutLists(text: string): string {
  const { values, isWhole } = readJsonTexts(text);
  if (!isWhole) return text;
  const lines = text.split('\n').map(() => '');
  for (const { keys, text: value, line } of values) if (!LISTS.has(keys[0] ?? '') || value.includes('.d.')) lines[line - 1] += ` ${value}`;
  return lines.join('\n');
}

/** Returns the first place of each word that an expression finds, in the order of the text. */
function wordsIn(
  text: string,
  expression: RegExp,
  isWanted: (word: string) => boolean,
): readonly { readonly word: string; readonly line: number }[] {
  const lines = new Map<string, number>();
  let line = 1;
  let end = text.indexOf('\n');
  for (const { 1: word = '', index } of text.matchAll(expression)) {
    if (lines.has(word) || !isWanted(word)) continue;
    for (; end !== -1 && end < index; end = text.indexOf('\n', end + 1)) line++;
    lines.set(word, line);
  }
  return [...lines].map(([word, found]) => ({ word, line: found }));
}
