import { posix } from 'node:path';
import semver from 'semver';
import type { Entry } from './lock.fixture.js';
import { type OracleMember, type OracleProject, type OracleTarget, ownerOf } from './project.fixture.js';
import { asObject } from './side.fixture.js';

/** The workspace or package with the dependency. */
export interface OracleAsker {
  readonly name: string;
  readonly version: string;
  /** The folder of a workspace: paths in its ranges start there. */
  readonly folder?: string;
  /** The lockfile's name of the asker. */
  readonly locator: string;
  /** Whether the lockfile must have the range. Otherwise the lockfile is older than the manifest. */
  readonly locked: boolean;
}

/** Returns the target of a dependency on this side; `undefined` if it is not certain. */
export function resolve(project: OracleProject, name: string, range: string, asker: OracleAsker): OracleTarget | undefined {
  const byPath = asker.folder === undefined ? undefined : memberByPath(project, range, asker.folder);
  if (byPath !== undefined) return { member: byPath };
  const asked = resolutionFor(project, name, range, asker) ?? catalogRange(project, name, range) ?? range;
  const entry = findEntry(project, name, asked, asker);
  if (entry !== undefined) {
    const member = memberOfEntry(project, entry);
    return member === undefined ? { entry } : { member };
  }
  // A lockfile of Yarn 1 has no entries for workspaces.
  if (asker.locked && typeof project.lock !== 'string' && project.lock.kind === 'berry') return undefined;
  // Yarn 1 links workspaces that fit the ranges of packages, without an entry for them.
  const member = memberByRange(project, name, asked);
  return member === undefined ? undefined : { member };
}

/** Returns the owner of the folder or file that `link:`, `portal:` and `file:` lead to. */
function memberByPath(project: OracleProject, range: string, folder: string): OracleMember | undefined {
  const [, path] = /^(?:link|portal|file):([^#:]+)$/.exec(range) ?? [];
  return path === undefined || path.startsWith('/') ? undefined : ownerOf(project, posix.normalize(posix.join(folder, path)));
}

function resolutionFor({ resolutions, lock }: OracleProject, name: string, range: string, asker: OracleAsker): string | undefined {
  if (lock === 'missing' || lock === 'broken' || lock.kind === 'classic') return undefined;
  const fitting = resolutions.find(({ from, descriptor }) => {
    if (descriptor.fullName !== name) return false;
    if (descriptor.description !== undefined && plain(descriptor.description) !== plain(range)) return false;
    if (from !== undefined && from.fullName !== asker.name) return false;
    return from?.description === undefined || plain(from.description) === asker.version;
  });
  return fitting?.value;
}

function catalogRange({ settings }: OracleProject, name: string, range: string): string | undefined {
  if (!range.startsWith('catalog:')) return undefined;
  const catalog = range.slice('catalog:'.length);
  const ranges = catalog === '' ? settings['catalog'] : asObject(settings['catalogs'])?.[catalog];
  const found = asObject(ranges)?.[name];
  return typeof found === 'string' ? found : undefined;
}

function findEntry({ lock }: OracleProject, name: string, range: string, { locator }: OracleAsker): Entry | undefined {
  if (lock === 'missing' || lock === 'broken') return undefined;
  const { entries, patched } = lock;
  const locked = patched.get(`${name}@npm:${plain(range)}`) ?? entries.get(`${name}@${range}`) ?? entries.get(`${name}@npm:${range}`);
  return locked ?? entries.get(`${name}@${range}::locator=${encodeURIComponent(locator)}`);
}

function memberOfEntry({ members }: OracleProject, { resolution }: Entry): OracleMember | undefined {
  const [, path] = /@workspace:([^:]+)$/.exec(resolution) ?? [];
  return path === undefined ? undefined : members.find((member) => member.path === path);
}

/** Returns the workspace of a range: `workspace:` by name or folder; a plain range, also after `npm:` and another name, by version. */
function memberByRange(project: OracleProject, name: string, range: string): OracleMember | undefined {
  const { members, settings } = project;
  if (range.startsWith('workspace:')) {
    const rest = range.slice('workspace:'.length);
    const byFolder = members.find(({ path }) => path === posix.normalize(rest));
    return byFolder ?? (/^[\^~*]$/.test(rest) || semver.validRange(rest) !== null ? members.find((one) => one.name === name) : undefined);
  }
  if (settings['enableTransparentWorkspaces'] === 'false') return undefined;
  if (project.resolutions.some(({ descriptor }) => descriptor.fullName === name)) return undefined;
  const [, other = name, wanted = range] = /^npm:(?:((?:@[^/@]+\/)?[^/@]+)@)?(.*)$/.exec(range) ?? [];
  const member = members.find((one) => one.name === other);
  const version = member?.manifest['version'];
  if (typeof version !== 'string' || semver.valid(version) === null || semver.validRange(wanted) === null) return undefined;
  return semver.satisfies(version, wanted) ? member : undefined;
}

function plain(range: string): string {
  return range.replace(/^npm:/, '');
}
