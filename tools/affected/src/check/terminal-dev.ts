import { isInside, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { isBuildSetting, isSuite, isTestFile, namesTestFolder } from '@tributary/references/file-kinds';
import type { FileReferences } from '@tributary/references/reference';
import { owningMember } from '@tributary/workspaces/dependency-graph';
import type { UnsafeDevEdge } from './finding.js';
import { type CheckedProject, folderAt, manifestPath, nameAt, scriptsAt } from './project.js';
import { destinationOf, isRelative, namesAll, targetNamed } from './undeclared.js';

/** The files that may define how a workspace is built. */
export interface BuildEvidence {
  /** Scanned code and settings files. */
  readonly files: readonly FileReferences[];
  /** The texts of the files that `isBuildFile` accepts. */
  readonly buildTexts: ReadonlyMap<RepoPath, string>;
}

/**
 * Finds the dev edges that `dev: "terminal"` must still treat as transitive, because the dependent's build output may depend on the dev
 * dependency.
 * The evidence is a script, other than for tests and linters, that names it or one of its binaries; an import in a file that is not a test;
 * or a build file of the workspace or root that names it. It returns one finding per edge, with the first evidence, ordered by dependent,
 * then dependency.
 * It is cautious: everything that is not clearly a test counts as built, and all files of a workspace whose tests others import. It does
 * not see names that a program assembles, nor what other root scripts do with members. `shared`: the workspaces, by index, whose tests
 * count as source.
 */
export function findUnsafeDevEdges(
  project: CheckedProject,
  evidence: BuildEvidence,
  shared: ReadonlySet<number> = workspacesWithSharedTests(project, evidence.files),
): readonly UnsafeDevEdge[] {
  const edges = devEdges(project);
  if (edges.length === 0) return [];
  const used = usesOf(project, evidence, shared);
  const texts = groupTexts(project, evidence.buildTexts);
  return edges.flatMap(({ from, to }) => {
    const found = inScripts(project, from, to) ?? used.get(`${from} ${to}`) ?? inTexts(project, { from, to }, texts);
    if (found === undefined) return [];
    return [
      { kind: 'unsafe-dev-edge', severity: 'note', workspace: nameAt(project, from), dependency: nameAt(project, to), ...found } as const,
    ];
  });
}

/** Returns a file with only those names that can be evidence for an edge, or for shared tests; `undefined` if it has none. */
export function evidenceOf(project: CheckedProject, file: FileReferences): FileReferences | undefined {
  const from = owningMember(project.graph, file.path) ?? 0;
  const names = file.names.filter(
    (name) => namesTestFolder(name.specifier) || targetsOf(project, from, { file, name }).some((to) => to !== from),
  );
  return names.length === 0 ? undefined : { path: file.path, names, opaque: [] };
}

type Evidence = Pick<UnsafeDevEdge, 'why' | 'file' | 'line' | 'detail'>;

/** Two members by index: the dependent and its dependency. */
export interface Pair {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the pairs that only dev edges join, and whose dependent has dependents; without dependents nothing can spread further. Ordered by
 * dependent, then dependency.
 */
export function devEdges({ graph }: Pick<CheckedProject, 'graph'>): readonly Pair[] {
  const pairs = graph.dependents.flatMap((edges) => {
    const others = new Set(edges.filter(({ field }) => field !== 'dev').map(({ from }) => from));
    return edges.filter(({ from, field }) => field === 'dev' && !others.has(from) && (graph.dependents[from]?.length ?? 0) > 0);
  });
  const unique = new Map(pairs.map(({ from, to }) => [`${from} ${to}`, { from, to }]));
  return [...unique.values()].sort((a, b) => a.from - b.from || a.to - b.to);
}

const HARMLESS_SCRIPT =
  /^(pre|post)?(test|tests|lint|check|format|fmt|prettier|eslint|type-?check|types?:check|e2e|coverage|cov|bench|benchmark|storybook|changelog|clean|watch|dev|start|serve|docs?|preview)([:_.-].*)?$/;

function inScripts(project: CheckedProject, from: number, to: number): Evidence | undefined {
  const words = wordsFor(project, to);
  const file = manifestPath(project, from);
  for (const [name, text] of buildScripts(project, from)) {
    if (hasWord(text, words)) return { why: 'script', file, line: undefined, detail: `${name}: ${text}` };
  }
  return undefined;
}

/** Returns the scripts that are not clearly harmless, and those that they call. */
function buildScripts(project: CheckedProject, member: number): readonly (readonly [string, string])[] {
  const known = project.buildScripts.get(member) ?? findBuildScripts(scriptsAt(project, member));
  project.buildScripts.set(member, known);
  return known;
}

function findBuildScripts(scripts: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  const chosen = new Map([...scripts].filter(([name]) => !HARMLESS_SCRIPT.test(name)));
  for (const [, text] of chosen) {
    for (const word of text.split(/[\s'"`|&;()]+/)) {
      const called = scripts.get(word);
      // The loop also visits entries that it adds to the map.
      if (called !== undefined && !chosen.has(word)) chosen.set(word, called);
    }
  }
  return [...chosen];
}

/** Returns the names that a script or setting may use for a workspace: its name, its binaries, and the short forms of Babel and ESLint. */
function wordsFor(project: CheckedProject, member: number): readonly string[] {
  const name = nameAt(project, member);
  const short = name
    .replace(/(^|\/)(babel-(preset|plugin)|eslint-(config|plugin)|postcss|rollup-plugin|vite-plugin)-?/, '$1')
    .replace(/\/$/, '');
  return [name, ...(short === '' || short === name ? [] : [short]), ...readBinaries(project.manifests[member]?.raw['bin'], name)];
}

function readBinaries(bin: unknown, name: string): readonly string[] {
  if (typeof bin === 'string') return [name.slice(name.indexOf('/') + 1)];
  return typeof bin === 'object' && bin !== null ? Object.keys(bin) : [];
}

/** Tells whether a text contains one of the words separately, or as the beginning of a path. */
function hasWord(text: string, words: readonly string[]): boolean {
  return words.some((word) => findWord(text, word) !== -1);
}

function findWord(text: string, word: string): number {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const opens = /(^|[^\w@/.-]|\.bin\/|node_modules\/)$/.test(text.slice(Math.max(at - 13, 0), at));
    if (opens && !/[\w-]/.test(text[at + word.length] ?? ' ')) return at;
  }
  return -1;
}

/** Returns, by `from to`, the first file that is not a test and names the other workspace. */
function usesOf(project: CheckedProject, { files }: BuildEvidence, shared: ReadonlySet<number>): ReadonlyMap<string, Evidence> {
  const used = new Map<string, Evidence>();
  for (const file of files) {
    const from = owningMember(project.graph, file.path);
    if (from === undefined) continue;
    const below = relativeTo(folderAt(project, from), file.path);
    if (shared.has(from) ? isSuite(below) : isTestFile(below)) continue;
    for (const name of file.names) {
      if ('key' in name && !isBuildKey(project, from, { key: name.key, file: file.path })) continue;
      const evidence = {
        why: 'key' in name ? 'build-setting' : 'source',
        file: file.path,
        line: name.line,
        detail: name.specifier,
      } as const;
      for (const to of targetsOf(project, from, { file, name })) if (!used.has(`${from} ${to}`)) used.set(`${from} ${to}`, evidence);
    }
  }
  return used;
}

/** Tells whether a key is evidence of a build. In a tsconfig, references only order builds, and `paths` only rename imports. */
function isBuildKey(project: CheckedProject, from: number, { key, file }: { readonly key: string; readonly file: RepoPath }): boolean {
  if (!/(^|\/)package\.json$/.test(file)) return !/^(references|compilerOptions\.paths)\./.test(key);
  if (!key.startsWith('scripts.')) return !/^(jest|files)(\.|$)/.test(key);
  return buildScripts(project, from).some(([script]) => key === `scripts.${script}`);
}

type Name = FileReferences['names'][number];

/** Returns the workspaces of a name: usually one; for a pattern, or a folder next to the workspace, all below it. */
function targetsOf(
  project: CheckedProject,
  from: number,
  { file, name }: { readonly file: FileReferences; readonly name: Name },
): readonly number[] {
  const named = isRelative(name) ? undefined : targetNamed(project, name.specifier);
  if (!isRelative(name)) return named === undefined ? [] : [named];
  const destination = destinationOf(project, from, { file: file.path, name });
  switch (destination.kind) {
    case 'package':
    case 'elsewhere':
      return [destination.target];
    case 'several':
      return namesAll(project, from, { name, path: destination.path }) ? membersBelow(project, destination.path) : [];
    case 'inside':
    case 'out-of-project':
      return [];
  }
}

function membersBelow({ graph }: CheckedProject, folder: RepoFolder): readonly number[] {
  return [...graph.members.entries()].filter(([, { path }]) => isInside(path, folder)).map(([member]) => member);
}

const ENTRY_KEYS = ['main', 'module', 'browser', 'types', 'typings', 'bin', 'exports', 'files'];

/**
 * Returns the workspaces whose test folders are published, or imported by another workspace or by their own source. Their tests count as
 * source.
 */
function workspacesWithSharedTests(project: CheckedProject, files: readonly FileReferences[]): ReadonlySet<number> {
  const shared = new Set<number>();
  for (const [member, manifest] of project.manifests.entries()) {
    const entries = JSON.stringify(ENTRY_KEYS.map((key) => manifest.raw[key] ?? null));
    const texts = [...entries.matchAll(/"([^"]*)"/g)].map(([, text]) => text ?? '');
    if (texts.some((text) => !text.startsWith('!') && namesTestFolder(text))) shared.add(member);
  }
  for (const file of files) {
    const from = owningMember(project.graph, file.path) ?? 0;
    for (const name of file.names) {
      if ('key' in name || !namesTestFolder(name.specifier)) continue;
      for (const to of targetsOf(project, from, { file, name })) if (to !== from) shared.add(to);
      if (isSourceImport(project, from, { file, name })) shared.add(from);
    }
  }
  return shared;
}

function isSourceImport(
  project: CheckedProject,
  from: number,
  { file, name }: { readonly file: FileReferences; readonly name: Name },
): boolean {
  return name.form === 'module' && name.specifier.startsWith('.') && !isTestFile(relativeTo(folderAt(project, from), file.path));
}

type Texts = ReadonlyMap<number, readonly (readonly [file: RepoPath, text: string])[]>;

function groupTexts(project: CheckedProject, buildTexts: BuildEvidence['buildTexts']): Texts {
  const groups = new Map<number, (readonly [RepoPath, string])[]>();
  for (const entry of [...buildTexts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const owner = owningMember(project.graph, entry[0]) ?? 0;
    if (!isTestFile(relativeTo(folderAt(project, owner), entry[0]))) groups.set(owner, [...(groups.get(owner) ?? []), entry]);
  }
  return groups;
}

function inTexts(project: CheckedProject, { from, to }: Pair, texts: Texts): Evidence | undefined {
  const words = wordsFor(project, to);
  const own = findText(texts.get(from) ?? [], words);
  if (own !== undefined) return { why: 'build-setting', ...own };
  const roots = (texts.get(0) ?? []).filter(([file]) => buildsMembers(project, file));
  const found = from === 0 ? undefined : findText(roots, words);
  return found === undefined ? undefined : { why: 'root-setting', ...found };
}

/**
 * Tells whether a root file takes part in builds of members: settings of compilers and bundlers may; other scripts only if a build script
 * of the root starts them.
 */
function buildsMembers(project: CheckedProject, file: RepoPath): boolean {
  if (isBuildSetting(file)) return true;
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return buildScripts(project, 0).some(([, text]) => text.includes(`/${name}`));
}

function findText(
  texts: readonly (readonly [file: RepoPath, text: string])[],
  words: readonly string[],
): Pick<Evidence, 'file' | 'line' | 'detail'> | undefined {
  for (const [file, text] of texts) {
    for (const word of words) {
      const at = findWord(text, word);
      if (at !== -1) return { file, line: text.slice(0, at).split('\n').length, detail: word };
    }
  }
  return undefined;
}
