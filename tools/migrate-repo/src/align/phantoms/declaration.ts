import { parseSemverRange } from '@tributary/workspaces/ranges';
import type { InternalChoices } from '../choices.js';
import type { OldLock } from '../project.js';
import { diffVersions, type VersionChange } from '../version-change.js';
import { type Missing, needsDependency } from './missing.js';
import type { PhantomDeclaration } from './phantom.js';
import type { Surroundings } from './surroundings.js';

/**
 * What to declare for something missing. A third party: the version that undeclared imports got. A workspace: itself, unless the old
 * lockfile had another version that its own does not go with. Nothing without an old lockfile,
 * and nothing for fixtures alone.
 */
export function declarationOf(missing: Missing, around: Surroundings, choices: InternalChoices): PhantomDeclaration | undefined {
  if (missing.problem === 'development only' || missing.use.usedIn === 'fixture' || around.lock === undefined) return undefined;
  const range = rangeOf(missing.name, around, { lock: around.lock, choices });
  if (range === undefined) return undefined;
  // For those who install the package a peer is theirs to bring.
  const isForAll = needsDependency(missing.use, around) && !around.workspace.manifest.peerDependencies.has(missing.name);
  return { block: isForAll ? 'dependencies' : 'devDependencies', range };
}

/** What to declare for a package that is needed here, and whose users need not know of it; `undefined` without an old lockfile that has it. */
export function developmentDeclaration(name: string, around: Surroundings, choices: InternalChoices): PhantomDeclaration | undefined {
  const range = around.lock === undefined ? undefined : rangeOf(name, around, { lock: around.lock, choices });
  return range === undefined ? undefined : { block: 'devDependencies', range };
}

/** What a declared workspace puts in the place of another version that was locked. */
export function replacedBy({ range }: PhantomDeclaration, name: string, { lock, neighbour }: Surroundings): VersionChange | undefined {
  return range.startsWith('workspace:') ? diffVersions(lock?.topVersionOf(name), neighbour(name)?.manifest.version) : undefined;
}

interface DeclarationContext {
  readonly lock: OldLock;
  readonly choices: InternalChoices;
}

function rangeOf(name: string, around: Surroundings, { lock, choices }: DeclarationContext): string | undefined {
  const locked = lockedRange(name, lock);
  const neighbour = around.neighbour(name);
  if (neighbour === undefined) return locked;
  const { version } = neighbour.manifest;
  const goesWith = locked === undefined || version === undefined || parseSemverRange(locked)?.test(version) === true;
  if (around.packer === 'npm') return locked ?? (version === undefined ? undefined : `^${version}`);
  return goesWith || choices.convert === 'all' ? choices.range : locked;
}

/** A package that was there under another name is asked for as it was. */
function lockedRange(name: string, lock: OldLock): string | undefined {
  const version = lock.topVersionOf(name) ?? lock.versionsOf(name).at(-1);
  if (version === undefined) return undefined;
  const alias = lock.requests.find((one) => one.name === name && one.version === version && one.range.startsWith('npm:'));
  return alias === undefined ? `^${version}` : alias.range.replace(/(?<=.)@[^@]*$/, `@^${version}`);
}
