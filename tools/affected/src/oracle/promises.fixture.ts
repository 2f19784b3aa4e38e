import { posix } from 'node:path';
import { closureOf, extensionsOf } from './graph.fixture.js';
import { type OracleProject, ownerOf } from './project.fixture.js';
import { isForTests } from './reach.fixture.js';
import { matches, type OracleSettings, readRules } from './rules.fixture.js';
import { asObject, type Json, listIn, readJson, textsIn } from './side.fixture.js';

interface Change {
  readonly before: OracleProject;
  readonly after: OracleProject;
  readonly changed: ReadonlySet<string>;
  /** The settings of the base. */
  readonly settings: OracleSettings;
  /** Whether a changed file certainly reaches the dependents of its workspace. */
  readonly reaches: (path: string) => boolean;
  /** The changed files, and those that read one of them. */
  readonly touched: readonly string[];
}

/** The guides' promises beyond graph and lockfile. */
export interface Promises {
  /** Why everything is selected. */
  readonly all: string | undefined;
  /** Selected with all dependents: name → why. */
  readonly starts: ReadonlyMap<string, string>;
  /** Selected without dependents. */
  readonly ending: ReadonlyMap<string, string>;
}

export function promisesOf(change: Change): Promises {
  const { settings, before, after } = change;
  const all = [
    ...[...outside(change)].map((path) => fileForAll(change, path)),
    ...readForAll(change),
    ...lockfileForAll(change),
    ...rootManifestForAll(change),
    ...settingsForAll(change),
    ...ruleForAll(change),
    ...rootDependencyForAll(change),
    ...rootWorkspaceForAll(change),
  ];
  const starts = [
    ...namedByRules(change),
    ...callersOfScripts(change),
    ...usersOfCatalogs(change, false),
    ...usersOfPatches(change),
    ...usersOfExtensions(change),
    ...extendersOfSettings(change),
    ...readersByEdges(change),
    ...importersOfRoot(change),
  ];
  const known = new Set([...before.members, ...after.members].map(({ name }) => name));
  const unknown = [...settings.always, ...settings.named].find((name) => !known.has(name));
  return {
    all: all.find((why) => why !== undefined) ?? (unknown === undefined ? undefined : `${unknown} in tributary.json is unknown`),
    starts: new Map(starts),
    ending: new Map([...rootTests(change), ...usersOfCatalogs(change, true), ...settings.always.map((name) => [name, 'always'] as const)]),
  };
}

/** Returns the changed paths that no workspace of either side holds. */
function outside({ before, after, changed }: Change): Set<string> {
  return new Set([...changed].filter((path) => ownerOf(before, path) === undefined && ownerOf(after, path) === undefined));
}

/** These files are compared by content, so rules do not apply to them. */
const COMPARED = new Set(['package.json', 'yarn.lock', '.yarnrc.yml']);

/** The files that the table "What is built in" of affected-rules.md gives to everybody, and folders that no workspace holds. */
const FOR_ALL = [
  '.nvmrc',
  '.npmrc',
  '.env*',
  '.yarn/{releases,plugins}/**',
  '{babel,jest}.config.*',
  'vitest.*',
  'turbo.json',
  '{data,shared,vendor}/**/!(*.md)',
];

function fileForAll({ before, after, settings }: Change, path: string): string | undefined {
  if (path === 'tributary.json') return differs(...settingsWithoutEdges(before, after)) ? 'tributary.json changed' : undefined;
  if (COMPARED.has(path)) return undefined;
  const rule = settings.ruleFor(path);
  if (rule !== undefined) return rule === 'all' ? `a rule says so of ${path}` : undefined;
  const globs = [before, after].flatMap(({ side }) => listIn(readJson(side.text('turbo.json'))?.['globalDependencies']));
  if (matches(globs, path)) return `turbo.json says so of ${path}`;
  if (matches(FOR_ALL, path)) return `${path} changed`;
  const isWorkflow = matches(['.github/workflows/*.{yml,yaml}', '.gitlab-ci.yml', '.circleci/config.yml'], path);
  // Of a workflow, what else changed may be of jobs without tests.
  const [old, now] = [before, after].map(({ side }) => linesWithTests(side.text(path)));
  return isWorkflow && differs(old, now) ? `${path} runs tests` : undefined;
}

/** Returns reasons for settings that tools find by themselves, and that read a changed file. */
function readForAll({ touched, settings, before, after, changed }: Change): (string | undefined)[] {
  const keys = Object.keys({ ...before.root.manifest, ...after.root.manifest }).filter((key) =>
    differs(before.root.manifest[key], after.root.manifest[key]),
  );
  return touched
    .filter((path) => ![before, after].every(({ side }) => readsOtherKeys(side.text(path) ?? '', keys)))
    .filter((path) => !changed.has(path) && matches(['{babel,jest}.config.*', 'vitest.*'], path))
    .filter((path) => settings.ruleFor(path) === undefined && [before, after].every((project) => ownerOf(project, path) === undefined))
    .map((path) => `${path} reads what changed`);
}

/** Tells whether a text names no other file than the root's manifest, whose changed keys it does not name. */
function readsOtherKeys(text: string, changed: readonly string[]): boolean {
  const [file, ...others] = [...text.matchAll(/['"](\.\.?\/[^'"]*)['"]/g)].map(([, path]) => path);
  const [, name = ''] = /\b(\w+) = require\('\.\/package\.json'\)/.exec(text) ?? [];
  const uses = text.split(name).slice(2);
  const isOnly = file === './package.json' && others.length === 0 && name !== '' && uses.every((use) => use.startsWith('.'));
  return isOnly && changed.every((key) => !text.includes(key));
}

/** Returns the root if tests outside of workspaces changed. */
function rootTests(change: Change): (readonly [string, string])[] {
  const test = [...outside(change)].find((path) => /^(e2e|tests)\/.*\.js$/.test(path) && change.settings.ruleFor(path) === undefined);
  return test === undefined ? [] : [[change.after.root.name, `${test} changed`]];
}

/** Returns the settings without edges. The edges of both sides are followed, so a change of them alone does not affect everybody. */
function settingsWithoutEdges(...projects: readonly [OracleProject, OracleProject]): [unknown, unknown] {
  const [old, now] = projects.map(({ side }) => {
    const { affected, ...others } = readJson(side.text('tributary.json')) ?? {};
    const { edges: _, ...settings } = asObject(affected) ?? {};
    return { ...others, affected: settings };
  });
  return [old, now];
}

function linesWithTests(workflow = ''): readonly string[] {
  const line = /^.*\b(?:run|script|command): *(?:- )?(?:yarn (?:run )?test|yarn turbo run test|turbo run test|npx affected|affected ).*$/gm;
  return [...workflow.matchAll(line)].map(([text]) => text.trim());
}

function ruleForAll({ changed, settings }: Change): (string | undefined)[] {
  const found = [...changed].find((path) => !COMPARED.has(path) && settings.ruleFor(path) === 'all');
  return [found === undefined ? undefined : `a rule says so of ${found}`];
}

function lockfileForAll({ before, after, changed }: Change): (string | undefined)[] {
  if (!changed.has('yarn.lock')) return [];
  const [old, now] = [before.lock, after.lock];
  if (old === 'missing' || now === 'missing') return ['yarn.lock was added or removed'];
  if (old === 'broken' || now === 'broken') return ['yarn.lock cannot be read'];
  return [old.kind === now.kind ? undefined : 'yarn.lock became one of another Yarn'];
}

const KEYS_FOR_ALL = ['packageManager', 'type', 'engines', 'jest', 'babel', 'unheardOf'];
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];

function rootManifestForAll(change: Change): (string | undefined)[] {
  const { before, after, changed } = change;
  if (!changed.has('package.json')) return [];
  const keys = KEYS_FOR_ALL.filter((key) => differs(before.root.manifest[key], after.root.manifest[key]));
  const scripts = changedScripts(change).filter((name) => INSTALL_SCRIPTS.includes(name) || dependedOnByTasks(change).has(name));
  return [...keys, ...scripts].map((key) => `${key} of the root package.json changed`);
}

const SETTINGS_FOR_ALL = ['nodeLinker', 'yarnPath', 'plugins', 'unheardOf'];

function settingsForAll({ before, after, changed }: Change): (string | undefined)[] {
  if (!changed.has('.yarnrc.yml')) return [];
  return SETTINGS_FOR_ALL.filter((key) => differs(before.settings[key], after.settings[key])).map((key) => `${key} of .yarnrc.yml changed`);
}

function namedByRules({ changed, settings }: Change): [string, string][] {
  return [...changed].flatMap((path) => {
    const rule = COMPARED.has(path) ? undefined : settings.ruleFor(path);
    return rule === undefined || typeof rule === 'string' ? [] : rule.map((name): [string, string] => [name, `a rule of ${path} names it`]);
  });
}

/** Returns the changed scripts of the root, and those of the root that call them. */
function changedScripts({ before, after }: Change): string[] {
  const [old, now] = [scriptsOf(before.root.manifest), scriptsOf(after.root.manifest)];
  const changed = new Set([...old.keys(), ...now.keys()].filter((name) => old.get(name) !== now.get(name)));
  for (const name of changed) {
    for (const scripts of [old, now]) {
      for (const [caller, text] of scripts) if (callsAtRoot(text, name)) changed.add(caller);
    }
  }
  return [...changed];
}

function scriptsOf(manifest: Json): Map<string, string> {
  return new Map(textsIn(manifest['scripts']));
}

/** Returns whether a script of the root calls another one. */
function callsAtRoot(text: string, name: string): boolean {
  return text.split(/ *&& */).some((part) => [`yarn ${name}`, `yarn run ${name}`, `yarn run -T ${name}`].includes(part));
}

/**
 * Returns whether a script of a workspace calls one of the root. A name with a colon is found from everywhere, unless the workspace has
 * such a script.
 */
function callsFromWorkspace(text: string, name: string): boolean {
  const calls = [`yarn run -T ${name}`, `turbo run //#${name}`, ...(name.includes(':') ? [`yarn ${name}`, `yarn run ${name}`] : [])];
  return text.split(/ *&& */).some((part) => calls.includes(part));
}

function callersOfScripts(change: Change): [string, string][] {
  if (!change.changed.has('package.json')) return [];
  const names = changedScripts(change);
  return [change.before, change.after].flatMap(({ members, root }) => {
    const taken = new Set(members.filter((member) => member !== root).flatMap(({ manifest }) => [...scriptsOf(manifest).keys()]));
    return members.flatMap((member): [string, string][] => {
      if (member === root) return [];
      const called = names.find((name) =>
        [...scriptsOf(member.manifest).values()].some((text) => callsFromWorkspace(text, name) && !(name.includes(':') && taken.has(name))),
      );
      return called === undefined ? [] : [[member.name, `its scripts call "${called}" of the root`]];
    });
  });
}

function dependedOnByTasks({ before, after }: Change): Set<string> {
  const tasks = [before, after].flatMap(({ side }) => Object.values(asObject(readJson(side.text('turbo.json'))?.['tasks']) ?? {}));
  const names = tasks.flatMap((task) => listIn(asObject(task)?.['dependsOn']));
  return new Set(names.filter((name) => name.startsWith('//#')).map((name) => name.slice('//#'.length)));
}

function usersOfCatalogs(change: Change, isTest: boolean): [string, string][] {
  const { before, after, changed } = change;
  if (!changed.has('.yarnrc.yml')) return [];
  return after.members.flatMap((member): [string, string][] => {
    const asked = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((field) => textsIn(member.manifest[field]));
    const moved = asked.find(
      ([name, range]) =>
        range === 'catalog:' && differs(inCatalog(before, name), inCatalog(after, name)) && isForTests(member, name) === isTest,
    );
    return moved === undefined || member === after.root || isLeftOut(change, member.path)
      ? []
      : [[member.name, `the catalog's entry of ${moved[0]} changed`]];
  });
}

/** Returns whether a list of files leaves out a changed manifest. Such a list is trusted: the guide names that limit. */
function isLeftOut({ before, after, changed }: Change, folder: string): boolean {
  const path = `${folder}/package.json`;
  return before.side.text(path) !== after.side.text(path) && !changed.has(path);
}

function inCatalog({ settings }: OracleProject, name: string): unknown {
  return asObject(settings['catalog'])?.[name];
}

function usersOfPatches({ before, after, changed, settings }: Change): [string, string][] {
  const patches = [...changed].filter((path) => path.startsWith('.yarn/patches/') && settings.ruleFor(path) === undefined);
  if (patches.length === 0) return [];
  return [before, after].flatMap((project) =>
    project.members.flatMap((member): [string, string][] => {
      const resolutions = [...closureOf(project, member, changed).packages.keys()];
      const patch = patches.find((path) => resolutions.some((resolution) => resolution.includes(`#~/${path}`)));
      return patch === undefined ? [] : [[member.name, `${patch} patches what it uses`]];
    }),
  );
}

function usersOfExtensions({ before, after, changed }: Change): [string, string][] {
  if (!changed.has('.yarnrc.yml')) return [];
  return after.members.flatMap((member): [string, string][] => {
    const moved = [...closureOf(after, member, changed).packages.keys()].find((resolution) => {
      const at = resolution.indexOf('@', 1);
      const [name, version] = [resolution.slice(0, at), resolution.slice(at + 1).replace(/^npm:/, '')];
      return differs(extensionsOf(before, name, version), extensionsOf(after, name, version));
    });
    return moved === undefined ? [] : [[member.name, `packageExtensions of ${moved} changed`]];
  });
}

/** Returns the workspaces whose tsconfig.json extends a changed file of the root. */
function extendersOfSettings(change: Change): [string, string][] {
  const roots = [...outside(change)].filter((path) => /^tsconfig[^/]*\.json$/.test(path) && change.settings.ruleFor(path) === undefined);
  if (roots.length === 0) return [];
  return [change.before, change.after].flatMap((project) =>
    project.members.flatMap((member): [string, string][] => {
      const found =
        member === project.root ? undefined : extendedBy(project, `${member.path}/tsconfig.json`).find((one) => roots.includes(one));
      return found === undefined ? [] : [[member.name, `its tsconfig.json extends ${found}`]];
    }),
  );
}

function extendedBy({ side }: OracleProject, file: string): string[] {
  const found: string[] = [];
  for (let next: string | undefined = file; next !== undefined; ) {
    const target: unknown = readJson(side.text(next))?.['extends'];
    next = typeof target === 'string' && target.startsWith('.') ? posix.normalize(posix.join(posix.dirname(next), target)) : undefined;
    if (next === undefined || found.includes(next)) break;
    found.push(next);
  }
  return found;
}

/** Returns the workspaces that read a changed file, according to `affected.edges` of base and head. */
function readersByEdges({ after, changed, settings }: Change): [string, string][] {
  return [...settings.edges, ...readRules(after.side).edges].flatMap(({ from, files }): [string, string][] => {
    const read = files.find((file) => changed.has(file));
    return read === undefined ? [] : [[from, `an edge says that it reads ${read}`]];
  });
}

/** Returns reasons for packages of the root that a workspace's script starts, and that the workspace does not declare. */
function rootDependencyForAll({ before, after, changed, settings }: Change): (string | undefined)[] {
  if (!changed.has('yarn.lock') || typeof before.lock === 'string' || typeof after.lock === 'string') return [];
  const members = after.members.filter((member) => member !== after.root);
  return dependenciesIn(after.root.manifest)
    .filter((name) => members.some(({ manifest }) => starts(manifest, name) && !dependenciesIn(manifest).includes(name)))
    .filter((name) => !matches(settings.rootOnly, name))
    .filter((name) => differs(packagesOf(before, name, changed), packagesOf(after, name, changed)))
    .map((name) => `${name} of the root resolves differently, and scripts of workspaces start it`);
}

function packagesOf(project: OracleProject, name: string, changed: ReadonlySet<string>): [string, string][] {
  return [...closureOf(project, project.root, changed, name).packages].toSorted();
}

function dependenciesIn(manifest: Json): string[] {
  return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((field) => textsIn(manifest[field]).map(([name]) => name));
}

function starts(manifest: Json, program: string): boolean {
  return [...scriptsOf(manifest).values()].some((text) => text.split(/ *&& */).some((part) => part.split(' ')[0] === program));
}

/** Returns reasons for workspaces that the root depends on, and that the root's test script or a shared configuration uses. */
function rootWorkspaceForAll({ before, after, changed, settings, reaches }: Change): (string | undefined)[] {
  return [before, after].flatMap((project) => {
    const used = project.members.filter(({ name }) => dependenciesIn(project.root.manifest).includes(name) && isSharedTool(project, name));
    const touched = [...changed].map((path) =>
      settings.ruleFor(path) === undefined && project.side.files.has(path) && reaches(path) ? ownerOf(project, path) : undefined,
    );
    return used.filter((member) => touched.includes(member)).map(({ name }) => `${name} runs everybody's tests`);
  });
}

function isSharedTool({ root, side }: OracleProject, name: string): boolean {
  const test = scriptsOf(root.manifest).get('test') ?? '';
  return (
    test.split(' ').includes(name) || ['babel.config.js', 'jest.config.mjs'].some((file) => side.text(file)?.includes(`'${name}'`) === true)
  );
}

/** Returns the root itself if a change is visible to its importers. */
function importersOfRoot({ before, after, changed }: Change): [string, string][] {
  if (!changed.has('package.json')) return [];
  const seen = ['name', 'main', 'exports', 'bin', 'files', 'types'].some((key) =>
    differs(before.root.manifest[key], after.root.manifest[key]),
  );
  return seen ? [[after.root.name, 'what its importers see changed']] : [];
}

function differs(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
