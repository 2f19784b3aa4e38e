import type { VersionChoices } from './choices.js';
import { installedOf } from './declared.js';
import type { Monorepo } from './project.js';

/** A dependency that may have several ranges. */
export interface Exception {
  readonly name: string;
  /**
   * Its ranges in the workspaces, as written, sorted. Ranges that a constraint ignores are omitted. May be empty if
   * several ranges are allowed anyway.
   */
  readonly ranges: readonly string[];
  readonly because: 'it is configured' | 'it has several';
}

/**
 * Returns the dependencies that a one-range constraint must exempt to hold in a project: those that may have several
 * ranges, and those that do. Ordered by name.
 */
export function exceptionsOf({ workspaces }: Monorepo, { exceptions }: VersionChoices): readonly Exception[] {
  const ranges = new Map<string, Set<string>>();
  for (const [name, policy] of exceptions) if (policy === 'keep') ranges.set(name, new Set());
  for (const { name, range } of workspaces.flatMap(installedOf))
    if (COMPARED.test(range)) ranges.set(name, (ranges.get(name) ?? new Set()).add(range));
  return [...ranges]
    .map(([name, all]): Exception => {
      const because = exceptions.get(name) === 'keep' ? 'it is configured' : 'it has several';
      return { name, ranges: [...all].sort(), because };
    })
    .filter((one) => one.because === 'it is configured' || one.ranges.length > 1)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Version ranges. The same pattern is in the text below. */
const COMPARED = /^(npm:)?[\^~<>=*\d]/;

/**
 * Returns the text of a `yarn.config.cjs` that enforces one range of each dependency in all workspaces, with
 * exceptions. `yarn constraints` then fails if ranges differ, for example in CI. The user may adopt it or not.
 */
export function oneVersionConstraint(exceptions: readonly Exception[]): string {
  const lines = exceptions.map(
    ({ name, ranges, because }) =>
      `  ${quote(name)}, // ${because === 'it has several' ? ranges.map(comment).join(', ') : 'as tributary.json has it'}\n`,
  );
  return TEXT.replace('SEVERAL', () => (lines.length === 0 ? '' : `\n${lines.join('')}`));
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&').replace(LINE_BREAKS, ' ')}'`;
}

function comment(range: string): string {
  return range.replace(LINE_BREAKS, ' ');
}

/** JavaScript's line breaks. */
const LINE_BREAKS = /[\n\r\u2028\u2029]/g;

/** Each range is compared with all others, so that Yarn names both sides of a conflict. Otherwise the first one would hide the second. */
const TEXT = `/** Dependencies that may have several ranges. A line with ranges behind it can go when one of them is left. */
const several = new Set([SEVERAL]);

/** Ranges of versions; \`workspace:\`, \`catalog:\`, \`patch:\`, paths, addresses and the like say of themselves where they lead. */
const versions = /^(npm:)?[\\^~<>=*\\d]/;

/** What is installed for a workspace itself; peers are as wide as they can be. */
function isCompared(dependency) {
  return dependency.type !== 'peerDependencies' && !several.has(dependency.ident) && versions.test(dependency.range);
}

/** One range of each dependency in all workspaces. */
module.exports = {
  async constraints({ Yarn }) {
    const dependencies = Yarn.dependencies().filter(isCompared);
    for (const dependency of dependencies) {
      for (const other of dependencies) {
        if (other.ident === dependency.ident) other.update(dependency.range);
      }
    }
  },
};
`;
