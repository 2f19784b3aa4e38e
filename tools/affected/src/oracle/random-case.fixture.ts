import { Dice } from '@tributary/test-repo/dice';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import { CHANGES } from './random-changes.fixture.js';
import { writeLock } from './random-lock.fixture.js';
import { disturbLock } from './random-noise.fixture.js';
import { addRoles } from './random-reads.fixture.js';
import { createWorld, type Mutable, type World } from './random-world.fixture.js';
import type { WrittenReads } from './reads.fixture.js';
import { asObject, textOf } from './side.fixture.js';

export type PlainFiles = Readonly<Record<string, string>>;

/** Two states of a random monorepo. */
export interface RandomCase {
  readonly seed: number;
  readonly base: PlainFiles;
  readonly head: PlainFiles;
  /** Another state after the base, without the changes of the head. */
  readonly later: PlainFiles;
  readonly changes: readonly string[];
  /** What files read, in all states. */
  readonly reads: readonly WrittenReads[];
  /** Whether a refusal is correct, because something in it is broken. */
  readonly isBroken: boolean;
}

/** Returns the case of a seed. */
export function makeCase(seed: number): RandomCase {
  const dice = new Dice(seed);
  const world = createWorld(dice);
  addRoles(world);
  const isNoisy = dice.chance(20);
  const base = write(world, isNoisy);
  const beside: World = { ...world, files: new Map(world.files) };
  beside.files.set(`${dice.pick([...world.members.keys()])}/src/later.js`, 'later\n');
  const later = write(beside, false);
  const changes = [`lockfile: ${world.lock}${isNoisy ? ', disturbed' : ''}`];
  for (let count = 1 + dice.below(3); count > 0; count--) changes.push(change(world));
  const head = write(world, isNoisy);
  const names = [...world.members.values()].map(({ name }) => String(name));
  const isForeign = head['yarn.lock'] === undefined && ['bun.lock', 'pnpm-lock.yaml'].some((file) => head[file] !== undefined);
  const isBroken = isForeign || new Set(names).size < names.length;
  return {
    seed,
    base,
    later: { ...later, ...(isNoisy ? { 'yarn.lock': base['yarn.lock'] ?? '' } : {}) },
    changes,
    reads: world.reads,
    isBroken,
    ...disturb(dice, head),
  };
}

function change(world: World): string {
  // Some of them are what most real commits do.
  const name = world.dice.chance(50)
    ? world.dice.pick(['a source file', 'an upgrade', 'a new dependency', 'a file with a role', 'a file with a role', 'a release'])
    : world.dice.pick(Object.keys(CHANGES));
  CHANGES[name]?.(world);
  return name;
}

/** Breaks a few heads. */
function disturb(dice: Dice, head: PlainFiles): { head: PlainFiles; isBroken?: true } {
  const lock = head['yarn.lock'];
  if (lock === undefined || !dice.chance(3)) return { head };
  const marked = lock.replace(/^ {2}version.*$/m, (line) => `<<<<<<< ours\n${line}\n=======\n${line}0\n>>>>>>> theirs`);
  return { head: { ...head, 'yarn.lock': marked } };
}

function write(world: World, isNoisy: boolean): PlainFiles {
  const { dice, lock, root, members, files, settings, affected, turbo } = world;
  const manifests = [...members].map(([folder, manifest]) => [`${folder}/package.json`, manifestText(world, manifest)]);
  const text = world.staleLock ?? (lock === 'none' ? undefined : writeLock(world));
  return {
    ...Object.fromEntries(files),
    ...Object.fromEntries(manifests),
    'package.json': formatManifest(root),
    '.yarnrc.yml': `${yaml(settings, '')}\n`,
    ...(text === undefined ? {} : { 'yarn.lock': isNoisy && lock === 'berry' ? disturbLock(text, dice) : text }),
    ...(affected === undefined ? {} : { 'tributary.json': formatManifest({ affected }) }),
    ...(turbo === undefined ? {} : { 'turbo.json': formatManifest(turbo) }),
  };
}

function manifestText({ dice }: World, manifest: Mutable): string {
  return dice.chance(3) ? JSON.stringify(manifest) : formatManifest(manifest);
}

function yaml(value: Mutable, indent: string): string {
  return Object.entries(value)
    .map(([key, inner]) => {
      const map = asObject(inner);
      return map === undefined ? `${indent}"${key}": "${textOf(inner)}"` : `${indent}"${key}":\n${yaml(map, `${indent}  `)}`;
    })
    .join('\n');
}
