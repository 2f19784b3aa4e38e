import type { VersionChoices } from './choices.js';

/**
 * The text of a `yarn.config.cjs` that keeps one range of each dependency in all workspaces, apart from those that may have several:
 * `yarn constraints` then fails where ranges differ, in continuous integration for example. For a person to take over or not.
 */
export function oneVersionConstraint(choices: VersionChoices): string {
  const several = [...choices.exceptions].filter(([, policy]) => policy === 'keep').map(([name]) => name);
  return TEXT.replace('SEVERAL', () => several.sort().map(quote).join(', '));
}

function quote(name: string): string {
  return `'${name.replace(/['\\]/g, '\\$&')}'`;
}

/** Each range is asked of all, so that Yarn names both sides of a conflict; the first one would hide the second. */
const TEXT = `/** Dependencies that may have several versions. */
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
