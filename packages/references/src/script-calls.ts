import { isInside, type RepoFolder } from '@tributary/model/paths';
import { owningMember } from '@tributary/workspaces/dependency-graph';
import { resolveFolder } from '@tributary/workspaces/folders';
import { compileGlob } from '@tributary/workspaces/glob';
import { isOfRelease } from '@tributary/workspaces/script-kinds';
import type { CommandPlace } from './own-references.js';
import type { ManifestFacts } from './reference.js';
import { type CalledScript, calledScripts, calls, commandsOf, modulesOf, pathsOf, selectionOf } from './script-commands.js';
import { folderOf, memberNamed, type Tree } from './tree.js';

/** A script, by its name and the index of its workspace. */
export interface MemberScript {
  readonly member: number;
  readonly script: string;
  /** The place of a command that stands elsewhere than in a script. */
  readonly command?: CommandPlace;
}

/** A workspace with a script that runs a script of another one. */
export interface ScriptCall {
  readonly from: number;
  readonly target: number;
  /** Begins with a script of the workspace and continues with root scripts; the last one names the target. */
  readonly chain: readonly MemberScript[];
}

/** `scripts`: by index, those of each workspace. */
interface Project extends Pick<Tree, 'graph' | 'root' | 'byName'> {
  readonly scripts: readonly ReadonlyMap<string, string>[];
}

function nameAt({ graph }: Project, member: number): string {
  return graph.members[member]?.name ?? '';
}

function scriptsAt({ scripts }: Project, member: number): ReadonlyMap<string, string> {
  return scripts[member] ?? NO_SCRIPTS;
}

const NO_SCRIPTS: ReadonlyMap<string, string> = new Map();

interface Item extends MemberScript {
  readonly from: number;
  readonly chain: readonly MemberScript[];
  /** The arguments after its name, which are appended to its text. */
  readonly rest: string;
}

/** The most scripts that pass on arguments, so that one that calls itself with more arguments each time ends. */
const MOST_ALIASES = 3;

/** What the scripts of workspaces start. */
export interface ScriptsFollowed {
  /** The workspaces whose scripts run scripts of others, directly or through root scripts; each pair once. */
  readonly calls: readonly ScriptCall[];
  /** The scripts of the root that those of a workspace run; some of them more than once. */
  readonly ofRoot: readonly (Pick<ScriptCall, 'from' | 'chain'> & { readonly text: string })[];
}

/**
 * Follows the scripts of workspaces, and `commands`, by workspace. Scripts for releases and for cleaning count only if another script may
 * run them. Root scripts count only for their callers, because they exist to run workspaces.
 */
export function followScripts(
  tree: Tree,
  scripts: readonly ManifestFacts['scripts'][],
  commands: ReadonlyMap<number, readonly CommandPlace[]> = new Map(),
): ScriptsFollowed {
  const project: Project = {
    graph: tree.graph,
    root: tree.root,
    byName: tree.byName,
    scripts: scripts.map((own) => new Map(own.map(({ name, text }) => [name, text]))),
  };
  const found = new Map<string, ScriptCall>();
  const seen = new Set<string>();
  const queue: Item[] = [];
  const add = (item: Item): void => {
    const key = [item.from, item.member, item.script, item.rest].join(' ');
    if (!seen.has(key)) queue.push(item);
    seen.add(key);
  };
  const addOwn = (member: number, isWanted: (script: string) => boolean): void => {
    for (const script of scriptsAt(project, member).keys())
      if (member !== project.root && isWanted(script)) add({ from: member, member, script, chain: [{ member, script }], rest: '' });
  };
  for (const member of project.graph.members.keys()) addOwn(member, (script) => !isOfRelease(script));
  for (const [member, places] of commands)
    for (const command of places)
      add({ from: member, member, script: '', chain: [{ member, script: '', command }], rest: command.specifier });
  // The loop also visits items that it adds to the queue.
  for (const { from, member, script, chain, rest } of queue) {
    const text = `${scriptsAt(project, member).get(script) ?? ''} ${rest}`;
    addOwn(member, (name) => text.includes(name.replace(/:.*$/s, '')));
    for (const words of commandsOf(text)) {
      for (const target of targetsOf(project, member, { words, text })) {
        if (target !== from && !found.has(`${from} ${target}`)) found.set(`${from} ${target}`, { from, target, chain });
        addOwn(target, (name) => words.includes(name));
      }
      for (const name of rootScriptsOf(project, member, { words, text }))
        add({
          from,
          member: project.root,
          script: name,
          chain: [...chain, { member: project.root, script: name }],
          rest: chain.length > MOST_ALIASES ? '' : words.slice(words.indexOf(name) + 1).join(' '),
        });
    }
  }
  const atRoot = queue.filter(({ member }) => member === project.root);
  const ofRoot = atRoot.map(({ from, chain, script }) => ({ from, chain, text: scriptsAt(project, project.root).get(script) ?? '' }));
  return { calls: [...found.values()], ofRoot };
}

/** A command, with the text of its script. */
interface Command {
  readonly words: readonly string[];
  readonly text: string;
}

/** Returns the workspaces, by index, that a command names or runs something in, except the root. */
function targetsOf(project: Project, member: number, { words, text }: Command): readonly number[] {
  const { patterns, others } = selectionOf(words, isAtRoot(project, member, text) ? 'root' : 'workspace');
  const isOfNx = calls(words, 'nx');
  // The case of nearly all commands, which needs no check per workspace.
  const isPlain = !isOfNx && patterns.length === 0 && others === 'none';
  const all = isPlain ? [] : [...project.graph.members.keys()].filter((one) => one !== project.root && one !== member);
  const parts = isOfNx ? words.flatMap((word) => word.split(/[,:=]/)) : [];
  const projects = all.filter((one) => namesOf(project, one).some((name) => parts.includes(name)));
  const isNamed = (one: number): boolean => patterns.some((pattern) => isMeant(project, one, { pattern, words }));
  const isBelow = (one: number): boolean => others === 'all' || isInside(folderOf(project, one), folderOf(project, member));
  const isOther = (one: number): boolean => others !== 'none' && isBelow(one) && mayRun(project, one, words);
  const named = all.filter(patterns.length > 0 ? isNamed : isOther);
  const loaded = modulesOf(words).flatMap((name) => memberNamed(project, name) ?? []);
  return [
    ...projects,
    ...named,
    ...loaded,
    ...globalTargets(project, member, words),
    ...(member === project.root ? ownersOf(project, words) : []),
  ];
}

/** Returns the workspaces that a root command names by path. */
function ownersOf({ graph, root }: Project, words: readonly string[]): readonly number[] {
  const folders = pathsOf(words).flatMap((path) => resolveFolder('' as RepoFolder, path) ?? []);
  return folders.flatMap((folder) => owningMember(graph, folder) ?? []).filter((owner) => owner !== root);
}

/** Returns the names that Nx may use for the project of a workspace. */
function namesOf(project: Project, member: number): readonly string[] {
  return [nameAt(project, member), ...[nameAt(project, member), folderOf(project, member)].map((one) => one.replace(/^.*\//, ''))];
}

/** A pattern beyond the limits may mean each. */
function nameTest(pattern: string): (name: string) => boolean {
  const test = compileGlob(pattern) ?? (() => true);
  return (name) => name === pattern || test(name);
}

function isMeant(
  project: Project,
  member: number,
  { pattern, words }: { readonly pattern: string; readonly words: readonly string[] },
): boolean {
  const [name, folder] = [nameAt(project, member), folderOf(project, member)];
  const path = resolveFolder('' as RepoFolder, pattern);
  if (name === pattern || folder === path) return true;
  const isBelow = path !== undefined && path !== '' && isInside(folder, path);
  const isMatch = nameTest(pattern.replace(/^(?:\.\/)+/, '') || '.');
  return (isBelow || isMatch(name) || isMatch(folder)) && mayRun(project, member, words);
}

/**
 * Tells whether a command for several workspaces runs anything in one. Commands without a script, as in `lerna exec` and Nx, may run in
 * each.
 */
function mayRun(project: Project, member: number, words: readonly string[]): boolean {
  const needsScript = !calls(words, 'nx') && (words.includes('run') || calls(words, 'turbo'));
  return !needsScript || words.some((word) => scriptsAt(project, member).has(word));
}

/** Yarn finds a script with a colon from everywhere, if only one workspace has it. */
function globalTargets(project: Project, member: number, words: readonly string[]): readonly number[] {
  return calledScripts(words).flatMap(({ name, of }) => {
    if (of !== 'anybody' || !name.includes(':') || scriptsAt(project, member).has(name)) return [];
    const holders = [...project.graph.members.keys()].filter((one) => scriptsAt(project, one).has(name));
    return holders.length === 1 ? holders.filter((one) => one !== project.root) : [];
  });
}

/** Returns the root scripts that a command calls. */
function rootScriptsOf(project: Project, member: number, { words, text }: Command): readonly string[] {
  const own = scriptsAt(project, member);
  const isHere = isAtRoot(project, member, text);
  // `yarn workspace root gen`
  const atRoot = words.flatMap((word, at) =>
    word === 'workspace' && words[at + 1] === nameAt(project, project.root) ? words.slice(at + 2) : [],
  );
  const { patterns, others } = selectionOf(words, 'workspace');
  const isInEach = calls(words, 'foreach') && (others === 'all' || patterns.some((one) => nameTest(one)(nameAt(project, project.root))));
  const inEach = isInEach ? words.map((name): CalledScript => ({ name, of: 'root' })) : [];
  const called = [...inEach, ...calledScripts(words), ...calledScripts(['yarn', '-T', ...atRoot])]
    .filter(({ name, of }) => isHere || of === 'root' || (of === 'anybody' && name.includes(':') && !own.has(name)))
    .map(({ name }) => name);
  // npm also runs the scripts before and after a script.
  const around = (name: string): readonly string[] => [name, name.replace(/^pre/, ''), name.replace(/^post/, '')];
  const isCalled = (name: string): boolean => called.some((one) => one === name || (one.includes('*') && nameTest(one)(name)));
  return [...scriptsAt(project, project.root).keys()].filter((name) => around(name).some((one) => one !== '' && isCalled(one)));
}

/** Tells whether a script belongs to the root, or changes to the root's folder. */
function isAtRoot(project: Project, member: number, text: string): boolean {
  const moves = [...text.matchAll(/(?:\bcd|--cwd|--prefix|-C)[\s="']+(\.\.[./]*)/g)].map(([, path = '']) => path);
  if (member === project.root || moves.some((path) => resolveFolder(folderOf(project, member), path) === '')) return true;
  return /(?:\bcd|--cwd|--prefix|-C)[\s="'$({]+(?:PROJECT_CWD|git rev-parse)/.test(text);
}
