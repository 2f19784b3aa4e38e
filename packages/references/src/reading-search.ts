import { type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import { type Tasks, tasksElsewhere } from './apart-scripts.js';
import { binaryOwners, wordsOf } from './binaries.js';
import { destinationOf, isOpaque, NOBODY, readersOf } from './destination.js';
import { isCodeFile } from './file-kinds.js';
import { roleOf } from './file-roles.js';
import { push } from './groups.js';
import { type Collected, commandsIn, type NamedPath, type OwnReferences, type Place, type PlacedTask } from './own-references.js';
import type { ManifestFacts } from './reference.js';
import { followScripts, type MemberScript, type ScriptCall } from './script-calls.js';
import { folderOf, landingsOf, memberNamed, ownerOf, type ReadTarget, resolvedAt, resolveFiles, type Tree, targetsAt } from './tree.js';

/** What a workspace reads beyond itself, directly or through files outside of all workspaces. */
export interface Reading {
  readonly from: number;
  readonly target: ReadTarget;
  /** Begins with a file of the workspace; the last place names the target. */
  readonly chain: readonly Place[];
  /** `name`: as a package. `script`: scripts lead there. */
  readonly by: 'name' | 'path' | 'script';
  /** The path that leads to the target, if one does. */
  readonly path?: RepoFolder;
  /** The key of the settings file that names it, or the first file on the way. */
  readonly key?: string;
  /** Whether it is read only if a program starts in the project's root. */
  readonly isPerhaps?: true;
  /** Whether only the tests of the workspace name it. */
  readonly isInTests?: true;
  /** Whether it is the package, a command of it or a single source: nothing else of the workspace that has it. */
  readonly isOfSources?: true;
}

/** Keys that name a workspace by its folder; others, and code, may read the workspaces inside of the folder, too. */
const ONE_WORKSPACE = /^(?:references|(?:dev|peer|optional)?[dD]ependencies|resolutions)(?:\.|$)/;

/** Names that are no packages are looked up there. */
const BASE_URL = 'compilerOptions.baseUrl';

/** What a file names, with the chain that led to it. */
type Step =
  | {
      readonly kind: 'path';
      readonly path: RepoFolder;
      readonly chain: readonly Place[];
      readonly key?: string;
      readonly isData?: boolean;
      readonly isPerhaps?: true;
      readonly isWhole?: boolean;
    }
  | { readonly kind: 'name'; readonly member: number; readonly chain: readonly Place[]; readonly isInTests?: true };

/**
 * Finds what workspaces read. It follows files outside of all workspaces, and what a tsconfig extends, because whoever reads them reads
 * that too. It does not follow code of other workspaces: their edges do.
 */
export class ReadingSearch {
  private readonly tree: Tree;
  private readonly collected: Collected;
  private readonly tasks: Tasks;
  private readonly links = new Map<number, Step[]>();
  private readonly extended = new Map<string, Step[]>();
  private readonly onBehalf = new Map<number, NamedPath[]>();
  private readonly steps = new Map<string, readonly Step[]>();

  constructor(tree: Tree, collected: Collected, tasks: Tasks) {
    this.tree = tree;
    this.collected = collected;
    this.tasks = tasks;
    for (const [file, text] of tree.links) {
      const owner = ownerOf(tree, file);
      const chain = [{ file: file as RepoPath, specifier: text }];
      for (const path of landingsOf(tree, file as string as RepoFolder).slice(1)) push(this.links, owner, { kind: 'path', path, chain });
    }
    for (const own of [...collected.workspaces.values(), ...collected.rootFiles.values()])
      for (const { file, path, form, place } of own.extended)
        if (form === 'path' || resolveFiles(tree, path).files.length > 0) push(this.extended, file, { kind: 'path', path, chain: [place] });
    for (const { paths } of collected.rootFiles.values())
      for (const named of paths)
        if (named.reader !== undefined) for (const member of readersOf(tree, NOBODY, named)) push(this.onBehalf, member, named);
  }

  all(): readonly Reading[] {
    const { tree, collected } = this;
    const scripts = tree.graph.members.map((_, member) => collected.workspaces.get(member)?.manifest?.scripts ?? []);
    const calls = new Map<number, Reading[]>();
    const addCalls = (found: readonly ScriptCall[], rest: Pick<Reading, 'isOfSources'>): void => {
      for (const { from, target, chain } of found) {
        const places = chain.map((step) => placeOfScript(tree, scripts, step));
        const perhaps = chain[0]?.command?.isPerhaps === true ? ({ isPerhaps: true } as const) : {};
        push(calls, from, { from, target: { kind: 'workspace', member: target }, chain: places, by: 'script', ...perhaps, ...rest });
      }
    };
    const commands = commandsIn(collected);
    const tasks = tree.graph.members.map((_, member) => this.tasksElsewhere(member));
    const ofRoot = tasks.map((all) => all.filter((one) => one.in === '//').map(placeOfTask));
    const started = tree.graph.members.map((_, member) => [...(commands.get(member) ?? []), ...(ofRoot[member] ?? [])]);
    addCalls(followScripts(tree, scripts, new Map(started.entries())).calls, {});
    addCalls(this.binaryCalls(scripts, commands), { isOfSources: true });
    return tree.graph.members.flatMap((_, from) =>
      this.readingsOf(from, [...(calls.get(from) ?? []), ...(tasks[from] ?? []).flatMap((task) => this.taskCall(from, task))]),
    );
  }

  /** Finds the scripts, and the code, that call a command of another workspace, which the root's dependencies may provide. */
  private binaryCalls(scripts: readonly ManifestFacts['scripts'][], commands: ReturnType<typeof commandsIn>): readonly ScriptCall[] {
    const owners = binaryOwners(this.collected);
    if (owners.size === 0) return [];
    return scripts.flatMap((own, member) => {
      const ofScripts = own.map(({ name, text }) => ({ text, step: { member, script: name } }));
      const certain = (commands.get(member) ?? []).filter(({ isPerhaps }) => isPerhaps === undefined);
      const ofCode = certain.map((command) => ({ text: command.specifier, step: { member, script: '', command } }));
      return [...ofScripts, ...ofCode].flatMap(({ text, step }) =>
        wordsOf(text).flatMap((word) => {
          const target = owners.get(word);
          return target === undefined || target === member ? [] : [{ from: member, target, chain: [step] }];
        }),
      );
    });
  }

  /** Returns what turborepo runs elsewhere for tasks of this workspace, such as `web#build` for tests in a browser. */
  private tasksElsewhere(from: number): readonly PlacedTask[] {
    const own = this.collected.workspaces.get(from);
    const name = from === this.tree.root ? '//' : (this.tree.graph.members[from]?.name ?? '');
    return own === undefined ? [] : tasksElsewhere(name, own, this.tasks);
  }

  private taskCall(from: number, task: PlacedTask): readonly Reading[] {
    const member = this.tree.byName.get(task.in ?? '');
    return member === undefined ? [] : [{ from, target: { kind: 'workspace', member }, chain: [placeOfTask(task)], by: 'script' }];
  }

  /** Scripts first: a manifest may resolve a name elsewhere, but not the workspace that a script names. */
  private readingsOf(from: number, calls: readonly Reading[]): readonly Reading[] {
    const found = new Map<string, Reading>();
    const add = (target: ReadTarget, chain: readonly Place[], rest: Omit<Reading, 'from' | 'target' | 'chain'>): void => {
      // What goes less far does not replace the rest, nor the other way round.
      const kind = `${rest.isInTests === true ? ' tests' : ''}${rest.isOfSources === true ? ' sources' : ''}`;
      const key = `${target.kind === 'workspace' ? target.member : `/${target.path}`}${kind}`;
      const isOwn = target.kind === 'workspace' && target.member === from;
      const known = found.get(key);
      // The manifest may resolve a name of its own to a registry, but neither a path nor a name in a file of the root.
      const isElsewhere = known?.by === 'name' && (rest.by === 'path' || chain.length > 1) && this.isDeclared(from, target);
      const isBetter = known === undefined || isElsewhere || (known.isPerhaps === true && rest.isPerhaps === undefined);
      if (isBetter && !isOwn) found.set(key, { from, target, chain, ...rest });
    };
    for (const { from: _, target, chain, ...rest } of calls) add(target, chain, rest);
    const rankOf = (step: Step): number => (step.kind === 'name' ? 0 : step.isPerhaps === true ? 2 : step.isData === true ? 1 : 0);
    // Code says more about a path than data, and what is certain says more than the rest.
    const queue = this.ownSteps(from).toSorted((a, b) => rankOf(a) - rankOf(b));
    const queued = new Set<string>();
    for (const step of queue) {
      if (step.kind === 'name') {
        const isInTests = step.isInTests === true && step.chain.length === 1 ? ({ isInTests: true } as const) : {};
        add({ kind: 'workspace', member: step.member }, step.chain, { by: 'name', isOfSources: true, ...isInTests });
        continue;
      }
      if (queued.has(step.path)) continue;
      queued.add(step.path);
      for (const landed of landingsOf(this.tree, step.path)) {
        if (ownerOf(this.tree, landed) === from && from !== this.tree.root) continue;
        const kept = {
          ...(step.key === undefined ? {} : { key: step.key }),
          ...(step.isPerhaps === true ? { isPerhaps: true as const } : {}),
        };
        const rest = { by: 'path', path: landed, ...kept, ...(isSource(this.tree, landed) ? { isOfSources: true as const } : {}) } as const;
        for (const target of targetsAt(this.tree, landed, step.isWhole)) add(target, step.chain, rest);
        const further = [...this.stepsAt({ path: landed, isData: step.isData === true }), ...this.aliasSteps(from, landed)];
        queue.push(
          ...further.map((next) => ({
            ...next,
            ...kept,
            chain: [...step.chain, ...next.chain],
          })),
        );
      }
    }
    return [...found.values()];
  }

  private isDeclared(from: number, target: ReadTarget): boolean {
    const name = target.kind === 'workspace' ? this.tree.graph.members[target.member]?.name : undefined;
    return name !== undefined && this.collected.workspaces.get(from)?.manifest?.declared.includes(name) === true;
  }

  private ownSteps(from: number): readonly Step[] {
    const { tree, collected } = this;
    const own = collected.workspaces.get(from);
    const links = this.links.get(from) ?? [];
    // The root's own files are its tests and scripts; a setting of the root names its members.
    if (from === tree.root)
      return [...links, ...[...collected.rootFiles.values()].flatMap((file) => this.stepsOf(from, withoutSettings(file)))];
    return [...(own === undefined ? [] : this.stepsOf(from, own)), ...links, ...this.pathSteps(from, this.onBehalf.get(from) ?? [])];
  }

  private stepsOf(from: number, { packages, paths }: Pick<OwnReferences, 'packages' | 'paths'>): readonly Step[] {
    const names = packages.flatMap(({ name, place, isInTests }): readonly Step[] => {
      const member = memberNamed(this.tree, name);
      const tests = isInTests === true ? { isInTests } : {};
      return member === undefined || member === from ? [] : [{ kind: 'name', member, chain: [place], ...tests }];
    });
    return [
      ...names,
      ...this.pathSteps(
        from,
        paths.filter(({ reader }) => reader === undefined),
      ),
    ];
  }

  private pathSteps(from: number, paths: readonly NamedPath[]): readonly Step[] {
    return paths.flatMap((named): readonly Step[] => {
      const path = destinationOf(this.tree, from, named);
      // Many folders have a file of the same bare name. It may be the root's, so it counts there, but shows nothing.
      if (named.kind === 'perhaps' && path?.includes('/') !== true) return [];
      if (path === undefined || isOpaque(this.tree, from, { named, path })) return [];
      // What turborepo hashes is data: who loads it names it, too. So is a text from the root, unless it is started.
      const isData = named.kind === 'perhaps' || /(^|\/)turbo\.jsonc?$/.test(named.place.file);
      const rest = { isData, isWhole: !ONE_WORKSPACE.test(named.key ?? ''), ...(named.key === undefined ? {} : { key: named.key }) };
      const perhaps = named.kind === 'perhaps' ? ({ isPerhaps: true } as const) : {};
      return this.capturedBy(from, { named, path }).map((one) => ({ kind: 'path', path: one, chain: [named.place], ...rest, ...perhaps }));
    });
  }

  /** What a path captures is a part of an imported name. So of a folder with workspaces, it reads those whose folders are in such a name. */
  private capturedBy(from: number, { named, path }: { readonly named: NamedPath; readonly path: RepoFolder }): readonly RepoFolder[] {
    const own = this.collected.workspaces.get(from);
    const imported = own?.imported ?? (named.key === BASE_URL ? own?.packages.map(({ name }) => name) : undefined);
    if (named.isCapture !== true || imported === undefined || !(this.tree.above.has(path) || this.tree.outer.has(path))) return [path];
    const segments = new Set(imported.flatMap((name) => name.split('/')));
    const below = path === '' ? '' : `${path}/`;
    const entries = resolveFiles(this.tree, path).files.map((file) => file.slice(below.length).split('/', 1)[0] ?? '');
    const isNamed = (entry: string): boolean => segments.has(entry) || segments.has(entry.replace(/\..*$/s, ''));
    return [...new Set(entries)].filter(isNamed).map((entry) => `${below}${entry}` as RepoFolder);
  }

  /** Returns what root files, and tsconfig files of other workspaces, name at a path; of data, only code leads further. */
  private stepsAt({ path, isData }: { readonly path: RepoFolder; readonly isData: boolean }): readonly Step[] {
    if (ownerOf(this.tree, path) !== this.tree.root) return resolvedAt(this.tree, path).flatMap((file) => this.extended.get(file) ?? []);
    const { files } = resolveFiles(this.tree, path);
    return files.filter((file) => !isData || isCodeFile(file)).flatMap((file) => this.stepsOfRootFile(file));
  }

  /** Returns where names that a workspace imports lead by `paths` of a tsconfig that it extends. */
  private aliasSteps(from: number, path: RepoFolder): readonly Step[] {
    const packages = this.collected.workspaces.get(from)?.packages ?? [];
    const imported = packages.filter(({ name }) => memberNamed(this.tree, name) === undefined);
    return resolvedAt(this.tree, path).flatMap((file) => {
      const owner = ownerOf(this.tree, file);
      const { paths = [] } = (owner === this.tree.root ? this.collected.rootFiles.get(file) : this.collected.workspaces.get(owner)) ?? {};
      const here = paths.filter(({ place }) => place.file === file);
      return [
        ...this.pathSteps(
          NOBODY,
          here.filter(({ key }) => isAliasOf(key ?? '', imported)),
        ),
        ...this.pathSteps(
          from,
          here.filter(({ key }) => key === BASE_URL),
        ),
      ];
    });
  }

  private stepsOfRootFile(file: string): readonly Step[] {
    const own = this.collected.rootFiles.get(file);
    const known = this.steps.get(file) ?? (own === undefined ? [] : this.stepsOf(NOBODY, followed(file, own)));
    this.steps.set(file, known);
    return known;
  }
}

/** Tells whether a path names one source of a workspace, and no folder. */
export function isSource(tree: Tree, path: RepoFolder): boolean {
  const [file, ...others] = resolveFiles(tree, path).files;
  const isNamed = file !== undefined && others.length === 0 && parentFolder(file) === parentFolder(path);
  return isNamed && roleOf(relativeTo(folderOf(tree, ownerOf(tree, file)), file)) === 'source';
}

function withoutSettings(own: OwnReferences): OwnReferences {
  return {
    ...own,
    packages: own.packages.filter(({ key }) => key === undefined),
    paths: own.paths.filter(({ key, form }) => key === undefined && form !== 'text'),
  };
}

/**
 * Returns what a reader of a root file reads through it. A root setting names its members, and a manifest is data for its readers, but the
 * base of a tsconfig is part of it.
 */
function followed(file: string, own: OwnReferences): OwnReferences {
  if (/(^|\/)package\.json$/.test(file)) return { ...own, packages: [], paths: [] };
  if (!/(^|\/)[jt]sconfig[^/]*$/.test(file)) return own;
  const isExtended = ({ key }: { readonly key?: string }): boolean => /^extends(\.\d+)?$/.test(key ?? '');
  return { ...own, packages: own.packages.filter(isExtended), paths: own.paths.filter(isExtended) };
}

/** `compilerOptions.paths.~lib/*.0` for the import of `~lib/a`. An alias for all names tells nothing. */
function isAliasOf(key: string, imported: OwnReferences['packages']): boolean {
  const [, start = '', star] = /^compilerOptions\.paths\.([^*]+)(\*?).*\.\d+$/.exec(key) ?? [];
  return (
    start !== '' &&
    imported.some(({ name }) => (star === '' ? name === start : `${name}/`.startsWith(start) || start.startsWith(`${name}/`)))
  );
}

function placeOfTask({ in: other = '', needs, file, line }: PlacedTask): Place & { readonly line: number } {
  return { file, line, specifier: `${other}#${needs}` };
}

function placeOfScript(tree: Tree, scripts: readonly ManifestFacts['scripts'][], { member, script, command }: MemberScript): Place {
  if (command !== undefined) return command;
  const folder = folderOf(tree, member);
  const known = scripts[member]?.find(({ name }) => name === script);
  return {
    file: (folder === '' ? 'package.json' : `${folder}/package.json`) as RepoPath,
    line: known?.line ?? 1,
    specifier: known?.text ?? '',
  };
}
