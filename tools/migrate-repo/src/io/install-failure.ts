import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexLock, type LockIndex } from '@tributary/lockfile/lock-index';
import { plainRange } from '@tributary/lockfile/lockfile';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { redactUrls } from '@tributary/model/repo-url';
import { diskFull } from '@tributary/process/spawn';
import { readTextFile } from '@tributary/process/unusable-file';
import type { WorkspaceLocation } from '../align/declared.js';
import { type MayAsk, type NamedPackage, type PackageDependent, whoAsks } from '../align/who-asks.js';
import { causeOf, type ScriptLog } from './failure-causes.js';
import type { YarnMessage } from './yarn.js';
import { readError, shownPackage, type YarnError } from './yarn-error.js';

/** Where Yarn failed. */
export interface InstalledProject {
  readonly folder: AbsolutePath;
  /** Workspaces that may require the failed package, the imported packages first. */
  readonly workspaces: readonly MayAsk[];
}

/** Returns the failure of an installation as one sentence: the package, its dependent, the step and the cause. */
export function installFailure(messages: readonly YarnMessage[], place: InstalledProject): ToolError {
  const errors = messages.filter(({ type, text }) => type === 'error' && !text.startsWith('Failed with errors')).map(inPlace(place.folder));
  const text = errors.map(({ text }) => text).join('\n');
  if (/\bENOSPC\b|No space left on device|\bEDQUOT\b/.test(text)) return diskFull(text);
  const first = errors.findIndex(({ code }) => code !== 'YN0000' && code !== 'YN0001');
  const at = Math.max(first, 0);
  const error = readError(errors[at] ?? NOTHING_SAID, detailsAfter(errors, at));
  const log = readLog(errors[at]?.text ?? '');
  const network = messages.some(({ code }) => code === 'YN0090') ? 'off' : 'on';
  const subject = subjectOf(error, place);
  const { code, why, hint = subject.hint ?? hintFor(error, place) } = causeOf({ ...error, network, log });
  return new ToolError({
    code,
    message: `${subject.text} (${describeStep(error)}): ${why}.`,
    hint,
    data: {
      code: error.code,
      package: error.about && shownPackage(error.about),
      workspace: subject.member,
      step: error.step,
      messages: errors.slice(0, 20).map(({ text }) => text),
      ...(log === undefined ? {} : { log: log.text }),
    },
  });
}

/** Returns the hint. Yarn resolves every request, so even a package that no machine needs must exist. */
function hintFor({ about }: YarnError, { workspaces }: InstalledProject): string {
  const isOptional =
    about !== undefined && workspaces.some(({ manifest }) => manifest.optionalDependencies.get(about.name) === plainRange(about.reference));
  const mend = 'Nothing was changed. Correct it in the source or in the monorepo, commit, and run the same command again.';
  return isOptional
    ? `Yarn must resolve even optional dependencies; it skips only those for other platforms, after resolving them. ${mend}`
    : mend;
}

/** As of `rollup` 4, whose releases have a package for each platform, and no registry must have them all. */
const INCOMPLETE_RELEASE =
  'Nothing was changed. A dependency of the source, in the release that is locked or else the newest, needs what the registry lacks. Lock it to another release in the source, by its lockfile or its range, commit, and run the same command again.';

const NOTHING_SAID: YarnMessage = { type: 'error', code: 'YN0000', text: '', step: '' };

/** Removes the folder from a message: it is temporary and means nothing to the user. */
function inPlace(folder: AbsolutePath): (message: YarnMessage) => YarnMessage {
  return (message) => ({ ...message, text: message.text.replaceAll(`${folder}/`, '').replaceAll(folder, 'the monorepo') });
}

function detailsAfter(errors: readonly YarnMessage[], at: number): readonly YarnMessage[] {
  const rest = errors.slice(at + 1);
  const end = rest.findIndex(({ text }) => !/^\s/.test(text));
  return end === -1 ? rest : rest.slice(0, end);
}

interface Subject {
  readonly text: string;
  /** The workspace that failed, or that requires what failed. */
  readonly member: WorkspaceLocation | undefined;
  /** What is better advice than the usual one. */
  readonly hint?: string;
}

function subjectOf({ about }: YarnError, place: InstalledProject): Subject {
  if (about === undefined) return { text: 'The monorepo cannot be installed', member: undefined };
  const folder = /^workspace:(.*)$/.exec(about.reference)?.[1];
  const itself = place.workspaces.find(({ lockFolder }) => folder !== undefined && lockFolder === (folder === '.' ? '' : folder));
  if (itself !== undefined) return { text: `${shownMember(itself.member)} cannot be installed`, member: itself.member };
  const asker = whoAsks(about, { workspaces: place.workspaces, lock: readLock(place.folder) });
  if (asker === undefined) return behindImportedPackages(about, place.workspaces);
  return { text: `${describeDependent(shownPackage(about), asker)}cannot be installed`, member: asker.member };
}

/**
 * Returns the subject for a package that no manifest and no lockfile has. It must be an indirect dependency of the
 * imported packages, because the root's lockfile has all those of the others.
 */
function behindImportedPackages(about: NamedPackage, workspaces: readonly MayAsk[]): Subject {
  const shown = shownPackage(about);
  const [first, ...others] = workspaces.filter(({ isNew }) => isNew).map(({ member }) => member);
  // A path is only required by its own workspace.
  if (first === undefined || !/^(?:npm:|git|https?:)/.test(about.reference))
    return { text: `${shown} cannot be installed`, member: undefined };
  const whose = others.length === 0 ? shownMember(first) : `${shownMember(first)} or of ${others.length} more`;
  return {
    text: `${shown}, which a dependency of ${whose} requires, cannot be installed`,
    member: others.length === 0 ? first : undefined,
    hint: INCOMPLETE_RELEASE,
  };
}

function describeDependent(shown: string, asker: PackageDependent): string {
  const { member, asks, through } = asker;
  if (asks === 'itself') return `${shownMember(member)} requires ${shown}, which `;
  return `${shown}, which ${shownMember(member)} needs${through.length === 0 ? '' : ` through ${through.join(', ')}`}, `;
}

function shownMember({ name, path }: WorkspaceLocation): string {
  return `${name} (${path === '' ? 'the root' : path})`;
}

function readLock(folder: AbsolutePath): LockIndex | undefined {
  const file = join(folder, 'yarn.lock');
  const index = existsSync(file) ? indexLock(readFileSync(file, 'utf8')) : undefined;
  return index?.kind === 'berry' ? index : undefined;
}

function describeStep({ step, code }: YarnError): string {
  const where = step === '' ? 'before the first step' : step.toLowerCase();
  return code === 'YN0000' || code === 'YN0001' ? where : `${where}, ${code}`;
}

/** Returns the output of a build script, which Yarn writes to a file. */
function readLog(text: string): ScriptLog | undefined {
  const [, file] = /logs can be found here: (.+?)\)/.exec(text) ?? [];
  if (file === undefined || !existsSync(file)) return undefined;
  const whole = redactUrls(readTextFile(file));
  return {
    script: /^# Script name: (.*)$/m.exec(whole)?.[1] ?? '',
    text: whole
      .replace(/^# .*$/gm, '')
      .trim()
      .slice(-4000),
  };
}
