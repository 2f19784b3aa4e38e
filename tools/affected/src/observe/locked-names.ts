/** What two lockfiles of Yarn 2 or later have differently. */
export interface LockedDifference {
  /** Names of packages that may resolve differently, or lie elsewhere. */
  readonly names: ReadonlySet<string>;
  /** Programs that came, went or may be others. */
  readonly programs: ReadonlySet<string>;
}

/** One entry of a lockfile. */
interface Block {
  readonly text: string;
  /** As it is asked for, and as it is called itself. */
  readonly names: readonly string[];
  readonly isWorkspace: boolean;
  /** `react: "npm:^18"` */
  readonly dependencies: readonly string[];
  readonly programs: readonly string[];
}

/**
 * The packages of the entries that differ, and all that these lead to in either lockfile: where a package is put depends on who asks for it.
 * Of a workspace only the dependencies that differ. `undefined`: one of the two is no lockfile of this kind.
 */
export function lockedDifference(before: string | undefined, after: string | undefined): LockedDifference | undefined {
  if (before === after) return { names: new Set(), programs: new Set() };
  const [one, other] = [before, after].map(readBlocks);
  // Another format, or another key of the cache, is about every entry.
  if (one === undefined || other === undefined || one.metadata !== other.metadata) return undefined;
  const changed = [...without(one.blocks, other.blocks), ...without(other.blocks, one.blocks)];
  const packages = changed.filter(({ isWorkspace }) => !isWorkspace);
  const asked = changed.filter(({ isWorkspace }) => isWorkspace).flatMap((block) => askedDifferently(block, changed));
  const leadsTo = new Map<string, string[]>();
  for (const { names, dependencies, isWorkspace } of [...one.blocks.values(), ...other.blocks.values()])
    if (!isWorkspace) for (const name of names) leadsTo.set(name, [...(leadsTo.get(name) ?? []), ...dependencies.map(nameOf)]);
  const found = new Set([...packages.flatMap(({ names }) => names), ...asked]);
  for (const name of found) for (const next of leadsTo.get(name) ?? []) found.add(next);
  return { names: found, programs: new Set(packages.flatMap(({ programs }) => programs)) };
}

interface Lockfile {
  readonly metadata: string;
  readonly blocks: ReadonlyMap<string, Block>;
}

function readBlocks(text: string | undefined): Lockfile | undefined {
  const texts = (text ?? '')
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map((block) => block.trimEnd())
    .filter((block) => block !== '' && !block.startsWith('#'));
  const metadata = texts.find((block) => block.startsWith('__metadata:'));
  if (metadata === undefined) return undefined;
  return { metadata, blocks: new Map(texts.filter((block) => block !== metadata).map((block) => [block, readBlock(block)])) };
}

function readBlock(text: string): Block {
  const lines = text.split('\n');
  const head = (lines[0] ?? '').replace(/^(\? )?"?|"?:?$/g, '');
  const resolution = /^ {2}resolution: "(.*)"$/m.exec(text)?.[1] ?? '';
  return {
    text,
    names: [...new Set([...head.split(', '), resolution].map(packageOf))].filter((name) => name !== ''),
    isWorkspace: /@workspace:/.test(resolution),
    dependencies: sectionOf(lines, /^ {2}(dependencies|optionalDependencies|peerDependencies):$/),
    programs: sectionOf(lines, /^ {2}bin:$/).map(nameOf),
  };
}

/** The lines below a heading, up to the next. */
function sectionOf(lines: readonly string[], heading: RegExp): readonly string[] {
  let isIn = false;
  return lines.filter((line) => {
    if (/^ {2}\S/.test(line)) isIn = heading.test(line);
    return isIn && line.startsWith('    ');
  });
}

function askedDifferently({ names, dependencies }: Block, changed: readonly Block[]): readonly string[] {
  const others = changed.filter(
    (one) => one.dependencies !== dependencies && one.isWorkspace && one.names.some((name) => names.includes(name)),
  );
  const known = new Set(others.flatMap((one) => one.dependencies));
  return dependencies.filter((line) => !known.has(line)).map(nameOf);
}

function without(one: ReadonlyMap<string, Block>, other: ReadonlyMap<string, Block>): readonly Block[] {
  return [...one].flatMap(([text, block]) => (other.has(text) ? [] : [block]));
}

/** `react` of `react@npm:^18`, `@types/node` of `@types/node@npm:*`. */
function packageOf(descriptor: string): string {
  return /^@?[^@]+/.exec(descriptor.trim())?.[0] ?? '';
}

function nameOf(line: string): string {
  return /^ {4}"?(@?[^":]+)"?:/.exec(line)?.[1] ?? '';
}
