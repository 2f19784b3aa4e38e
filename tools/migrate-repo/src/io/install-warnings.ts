import type { LockIndex } from '@tributary/lockfile/lock-index';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { type MayAsk, type PackageDependent, whoAsks } from '../align/who-asks.js';
import { folderOf } from './explain-peers.js';
import type { YarnMessage } from './yarn.js';
import { readError, shownPackage } from './yarn-error.js';

/** A warning of Yarn that concerns an imported package. */
export interface InstallWarning {
  readonly importedPackage: WorkspaceName;
  /** `peer`: a peer is missing, or does not match; `build`: a build script is not run; `deprecated`; `other`. */
  readonly kind: 'peer' | 'build' | 'deprecated' | 'other';
  /** The package with the build script, or the deprecated one: `canvas@2.11.2`; empty for other kinds. */
  readonly package: string;
  /** A clause without a full stop. For `build`, it names the dependent; empty if that is the imported package itself. */
  readonly words: string;
}

/** A completed installation. */
export interface WarningContext {
  readonly importedPackages: readonly MayAsk[];
  readonly lock: LockIndex | undefined;
  /** The result of `explainPeers`. */
  readonly peerOwners: ReadonlyMap<string, RepoFolder>;
}

/**
 * Returns the warnings about imported packages and their dependencies, not those that the monorepo had before. Each is
 * listed once, in order of appearance.
 */
export function warningsOf(messages: readonly YarnMessage[], context: WarningContext): readonly InstallWarning[] {
  const found = messages.filter(({ type, code }) => type === 'warning' && !SILENT.has(code)).flatMap((message) => judge(message, context));
  const byText = new Map(found.map((warning) => [JSON.stringify(warning), warning]));
  return [...byText.values()];
}

/**
 * Messages without information: ends and summaries, a step that was not requested, a disabled network, and workspace
 * fields that only count at the root, which the settings report.
 */
const SILENT = new Set(['YN0000', 'YN0073', 'YN0086', 'YN0090']);

function judge(message: YarnMessage, context: WarningContext): readonly InstallWarning[] {
  switch (message.code) {
    case 'YN0002':
    case 'YN0060':
      return judgePeer(message.text, context);
    case 'YN0004':
      return judgePackage(message, 'build', context);
    case 'YN0061':
      return judgePackage(message, 'deprecated', context);
    default:
      return judgeOther(message.text, context);
  }
}

const MISSING = /^\S+?@workspace:(\S+)(?: \[\w+\])? doesn't provide (\S+)(?: \(\w+\))?, requested by (.*?)\.?$/;
const WRONG = /^(\S+) is listed by your project with version (\S+?)(?: \((\w+)\))?, which doesn't satisfy what (.*) requests? \((.*)\)\.?$/;
/** The form of Yarn 3. */
const WRONG_BEFORE =
  /^\S+?@workspace:(\S+)(?: \[\w+\])? provides (\S+)(?: \(\w+\))? with version (\S+?),? which doesn't satisfy what (.*) requests?\.?$/;

function judgePeer(text: string, context: WarningContext): readonly InstallWarning[] {
  const missing = MISSING.exec(text);
  if (missing !== null) return ofPeer(folderOf(missing[1] ?? ''), { peer: `${missing[2]} is not provided`, by: missing[3] ?? '' }, context);
  const before = WRONG_BEFORE.exec(text);
  if (before !== null) return ofPeer(folderOf(before[1] ?? ''), { peer: `${before[2]} is ${before[3]}`, by: before[4] ?? '' }, context);
  const [, name, version, hash = '', by = '', range] = WRONG.exec(text) ?? [];
  const owner = context.peerOwners.get(hash);
  return owner === undefined
    ? judgeOther(text, context)
    : ofPeer(owner, { peer: `${name} is ${version}`, by: `${by} (${range})` }, context);
}

/** Returns the warnings of imported packages that lack the peer, or require it of others. */
function ofPeer(
  owner: RepoFolder,
  { peer, by }: { peer: string; by: string },
  { importedPackages }: WarningContext,
): readonly InstallWarning[] {
  const own = importedPackages.find(({ lockFolder }) => lockFolder === owner);
  const asking = importedPackages.filter(({ member }) => names(by, member.name));
  if (own !== undefined) return [warning(own, 'peer', { words: `${peer}, required by ${by}` })];
  return asking.map((one) => warning(one, 'peer', { words: `${peer} by ${owner === '' ? 'the root' : owner}, required by ${by}` }));
}

function judgePackage(
  message: YarnMessage,
  kind: 'build' | 'deprecated',
  { importedPackages, lock }: WarningContext,
): readonly InstallWarning[] {
  const { about, words } = readError(message, []);
  if (about === undefined) return [];
  return importedPackages.flatMap((importedPackage) => {
    const asker = whoAsks(about, { workspaces: [importedPackage], lock });
    const message = kind === 'deprecated' ? words.replace(/^is deprecated: /, '') : pathOf(asker);
    return asker === undefined ? [] : [warning(importedPackage, kind, { package: shownPackage(about), words: message })];
  });
}

function pathOf(asker: PackageDependent | undefined): string {
  return asker === undefined || asker.through.length === 0 ? '' : `through ${asker.through.join(', ')}`;
}

function judgeOther(text: string, { importedPackages }: WarningContext): readonly InstallWarning[] {
  if (/ will be ignored\.?$/.test(text)) return [];
  const line = (text.split('\n')[0] ?? '').replace(/\.$/, '');
  return importedPackages.filter(({ member }) => names(line, member.name)).map((one) => warning(one, 'other', { words: line }));
}

function warning(
  { member }: MayAsk,
  kind: InstallWarning['kind'],
  detail: { readonly package?: string; readonly words: string },
): InstallWarning {
  return { importedPackage: member.name, kind, package: '', ...detail };
}

/** Whether a text contains a name as a word. */
function names(text: string, name: string): boolean {
  const at = text.indexOf(name);
  return at !== -1 && !/[\w@/.-]/.test(text.charAt(at - 1)) && !/[\w/-]/.test(text.charAt(at + name.length));
}
