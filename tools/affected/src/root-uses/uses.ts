import type { RepoPath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import type { Workspace } from '@tributary/workspaces/discover';
import type { FileRules } from '@tributary/workspaces/file-rules';
import type { Manifest } from '@tributary/workspaces/manifest';
import { countsForNobody } from '@tributary/workspaces/root-manifest-diff';
import { findScriptCallers, withScriptCallers } from '@tributary/workspaces/root-scripts';
import { isApart, mayTest } from '@tributary/workspaces/script-kinds';
import type { TaskKind } from '@tributary/workspaces/task-kinds';
import { parse } from 'jsonc-parser';
import { isPipeline } from './pipeline-files.js';
import { fileSubject, type Mention, type SearchSubject, scriptSubject } from './subject.js';

/** The commit whose texts are searched. */
export interface UseScene {
  readonly graph: DependencyGraph;
  readonly rootManifest: Manifest;
  readonly rules: FileRules;
  readonly kind: TaskKind;
}

/** What a mention of a root subject means for the workspaces. */
export type Bearing =
  | { readonly kind: 'everybody' }
  /** It is in the definition of a pipeline, or in a Makefile or script that does not run tests by its name. */
  | { readonly kind: 'pipeline' | 'command' }
  | { readonly kind: 'workspace'; readonly member: number }
  /** As far as this root file is used. */
  | { readonly kind: 'file'; readonly file: RepoPath }
  /** As far as this root script is called; by itself it takes no part in tests and builds. */
  | { readonly kind: 'script'; readonly script: string };

/** One use, with its place. */
export interface RootUse {
  readonly file: RepoPath;
  readonly line: number | undefined;
  /** For messages: `scripts.docs`, or the file itself. */
  readonly what: string;
  readonly bearing: Bearing;
}

const EVERYBODY: Bearing = { kind: 'everybody' };

/**
 * Returns what a mention means; nothing if tasks of the kind do not read it. `manifest`: that of the workspace with the file. Throws
 * `MANIFEST_INVALID`.
 */
export function weigh(scene: UseScene, mention: Mention, manifest: Manifest | undefined): readonly RootUse[] {
  const { file, line } = mention;
  if (file === 'package.json') return weighRootManifest(scene, mention);
  const member = workspaceOf(scene, file);
  const use = (bearing: Bearing): readonly RootUse[] => [{ file, line, what: file, bearing }];
  if (line !== undefined && isTypeScriptConfig(file) && mention.subject.find(withoutPaths(mention.text), file) < 0) return [];
  const byRule = ruleBearing(scene, file, member === undefined);
  if (byRule !== undefined) return byRule === 'nobody' ? [] : use(byRule);
  if (member !== undefined && manifest !== undefined) return weighInWorkspace(scene, mention, { member, manifest });
  // A pipeline that starts the tests may also start a linter.
  if (isPipeline(file)) return mention.subject.kind === 'script' ? [] : use({ kind: 'pipeline' });
  if (/^(GNUm|M|m)akefile$/.test(file)) return use(isMadeForTests(scene) ? EVERYBODY : { kind: 'command' });
  return use(isFoundByTools(file) ? EVERYBODY : { kind: 'file', file });
}

/** Returns the index of the workspace that contains a file; `undefined` for the root. */
export function workspaceOf({ graph }: Pick<UseScene, 'graph'>, file: RepoPath): number | undefined {
  const member = owningMember(graph, file);
  return member === graph.byPath.get('') ? undefined : member;
}

/** Returns the effect of rules: settings of linters select nothing, those of compilers and test runners select everything. */
function ruleBearing({ rules }: UseScene, file: RepoPath, isOutside: boolean): Bearing | 'nobody' | undefined {
  const match = rules(file, isOutside ? 'outside' : 'workspace');
  // Settings of a linter mean the same in a workspace as at the root.
  const asAtRoot = isOutside ? match : rules(file.slice(file.lastIndexOf('/') + 1), 'outside');
  if (match?.affects === 'none' || (asAtRoot?.source === 'built-in' && asAtRoot.affects === 'none')) return 'nobody';
  return match?.affects === 'all' && !isPipeline(file) ? EVERYBODY : undefined;
}

function isTypeScriptConfig(file: string): boolean {
  return /(^|\/)[jt]sconfig[^/]*\.json$/.test(file);
}

/** Omits references, which order builds, and `paths`, which only say where a name leads. */
function withoutPaths(text: string): string {
  const value: unknown = parse(text, [], { allowTrailingComma: true });
  if (!isPlainObject(value)) return text;
  const { references: _, compilerOptions, ...rest } = value;
  const { paths: __, ...options } = isPlainObject(compilerOptions) ? compilerOptions : {};
  return JSON.stringify({ ...rest, options });
}

/** Tells whether a root script that may run tests starts `make`. */
function isMadeForTests({ rootManifest: { raw }, kind }: UseScene): boolean {
  const scripts = isPlainObject(raw['scripts']) ? Object.entries(raw['scripts']) : [];
  return scripts.some(([name, text]) => typeof text === 'string' && /\bmake\b/.test(text) && (kind !== 'test' || mayTest(name, text)));
}

/** Tells whether a tool finds the file by itself, so that nothing names it. Websites have their own tools. */
export function isFoundByTools(file: string): boolean {
  if (/^(\.storybook|\.chromatic|docs?|website|site)[^/]*\//.test(file)) return false;
  return file.startsWith('.') || (!file.includes('/') && /(config|conf|rc|file|setup|preset)(\.|$)/i.test(file));
}

interface Holder {
  readonly member: number;
  readonly manifest: Manifest;
}

function weighInWorkspace(scene: UseScene, mention: Mention, { member, manifest }: Holder): readonly RootUse[] {
  const { subject, file, line } = mention;
  const owner = scene.graph.members[member];
  if (owner === undefined) return [];
  // The workspace's own edge covers a change of that.
  if (subject.kind === 'workspace' && declares(manifest, subject.name)) return [];
  if (subject.kind === 'script' && !callsRootScript(scene, mention, { ...owner, manifest })) return [];
  const what = file === `${owner.path}/package.json` ? keyThatNames(manifest, subject, file) : file;
  return what === undefined ? [] : [{ file, line, what, bearing: { kind: 'workspace', member } }];
}

/** Tells whether a mention is a call of the root's script: most workspaces have a `clean` of their own. */
function callsRootScript({ rootManifest }: UseScene, { subject, file, text }: Mention, workspace: Workspace): boolean {
  if (!file.endsWith('/package.json')) return /(?:^|\s)(?:-T|--top-level)\s|\/\/#/.test(text);
  return findScriptCallers([subject.name], { base: rootManifest, head: rootManifest, workspaces: [workspace] }).length > 0;
}

/** Excludes peer dependencies, which the root may provide. */
function declares({ raw }: Manifest, name: string): boolean {
  return ['dependencies', 'devDependencies', 'optionalDependencies'].some((block) => {
    const names = raw[block];
    return isPlainObject(names) && Object.hasOwn(names, name);
  });
}

/** Returns the key of a workspace's manifest; `undefined` if only descriptive fields name the subject. */
function keyThatNames({ raw }: Manifest, subject: SearchSubject, file: RepoPath): string | undefined {
  const key = Object.keys(raw).find(
    (one) => !countsForNobody(one, 'test') && one !== 'eslintConfig' && namedIn(raw, one, { subject, file }),
  );
  return key === undefined ? undefined : `${key} of ${file}`;
}

function namedIn(raw: Manifest['raw'], key: string, { subject, file }: Pick<Mention, 'subject' | 'file'>): boolean {
  // A pattern in a tool's settings selects the files it works on.
  return subject.find(JSON.stringify(raw[key]) ?? '', file, key === 'scripts' ? 'all' : 'names') >= 0;
}

const DECLARATIONS: ReadonlySet<string> = new Set([
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
  'dependenciesMeta',
  'resolutions',
  'workspaces',
]);

/** Weighs the root's scripts one by one, and other keys as a whole. */
function weighRootManifest({ rootManifest, kind }: UseScene, { subject, file, line }: Mention): readonly RootUse[] {
  const { raw } = rootManifest;
  const keys = Object.keys(raw).filter((key) => key !== 'scripts' && !DECLARATIONS.has(key) && !countsForNobody(key, kind));
  const scripts = isPlainObject(raw['scripts']) ? Object.entries(raw['scripts']) : [];
  return [
    ...keys
      .filter((key) => namedIn(raw, key, { subject, file }))
      .map((key) => ({ file, line, what: `${key} of ${file}`, bearing: EVERYBODY })),
    ...scripts
      .filter(([name, text]) => typeof text === 'string' && subject.find(text, file) >= 0 && !isItself(subject, name))
      .map(([name]) => ({ file, line, what: `scripts.${name} of ${file}`, bearing: scriptBearing(name, rootManifest, kind) })),
  ];
}

function isItself(subject: SearchSubject, script: string): boolean {
  return subject.kind === 'script' && subject.name === script;
}

/** Returns whether a script is apart, which it is only if all its callers are. */
function scriptBearing(name: string, manifest: Manifest, kind: TaskKind): Bearing {
  const callers = withScriptCallers([name], [manifest]);
  if (callers.every((caller) => isApart(caller, kind))) return { kind: 'script', script: name };
  return kind !== 'test' || callers.some((caller) => mayTest(caller, scriptText(manifest, caller))) ? EVERYBODY : { kind: 'command' };
}

function scriptText({ raw }: Manifest, name: string): string {
  const text = isPlainObject(raw['scripts']) ? raw['scripts'][name] : undefined;
  return typeof text === 'string' ? text : '';
}

/** Describes for a message where the root uses it. */
export function describeUses(uses: readonly RootUse[]): string {
  const [first, ...others] = [...new Set(uses.map(({ what }) => what))];
  if (first === undefined) return 'nothing names it';
  return others.length === 0 ? `only ${first} uses it` : `only ${first} and ${others.length} more of the root use it`;
}

/** The users of a root subject, as far as texts tell. */
export interface Users {
  /** A use that may take part in the tests of every workspace. */
  readonly everybody: RootUse | undefined;
  /** By index, the workspaces that name it without declaring it. */
  readonly workspaces: ReadonlyMap<number, RootUse>;
  /** The uses by the root itself. */
  readonly root: readonly RootUse[];
  /** Whether the search was given up, so that there may be others. */
  readonly isPartial: boolean;
}

export function subjectOf(bearing: RootUse['bearing']): SearchSubject | undefined {
  if (bearing.kind === 'file') return fileSubject(bearing.file);
  return bearing.kind === 'script' ? scriptSubject(bearing.script) : undefined;
}

/** Tells whether a use concerns every workspace. Building, generating or releasing a workspace is no reason to test the others. */
export function isForEverybody({ kind }: Bearing, { kind: of }: SearchSubject): boolean {
  return kind === 'everybody' || ((kind === 'pipeline' || kind === 'command') && of !== 'workspace');
}

/** Returns the uses of a subject, and the uses of those users, transitively. */
export function reachedFrom(subject: SearchSubject, known: ReadonlyMap<string, readonly RootUse[]>): readonly RootUse[] {
  const ids = new Set([subject.id]);
  const uses: RootUse[] = [];
  for (const id of ids) {
    for (const use of known.get(id) ?? []) {
      uses.push(use);
      const next = subjectOf(use.bearing);
      if (next !== undefined) ids.add(next.id);
    }
  }
  return uses;
}

export function collectUsers(subject: SearchSubject, known: ReadonlyMap<string, readonly RootUse[]>): Users {
  const uses = reachedFrom(subject, known);
  const workspaces = new Map<number, RootUse>();
  for (const use of uses) {
    if (use.bearing.kind === 'workspace' && !workspaces.has(use.bearing.member)) workspaces.set(use.bearing.member, use);
  }
  return {
    everybody: uses.find(({ bearing }) => isForEverybody(bearing, subject)),
    workspaces,
    root: uses.filter(({ bearing }) => bearing.kind === 'file' || bearing.kind === 'script'),
    isPartial: false,
  };
}

/** Adds a possible use by every workspace, for a search that was incomplete. */
export function unknownUsers(users: Users): Users {
  const what = 'maybe a file that was not searched';
  const everybody: RootUse = { file: 'package.json' as RepoPath, line: undefined, what, bearing: { kind: 'everybody' } };
  return { ...users, everybody: users.everybody ?? everybody, isPartial: true };
}
