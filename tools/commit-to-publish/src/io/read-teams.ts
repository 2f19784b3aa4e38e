import { readNamedBlobs } from '@tributary/git/objects';
import type { PublishConfig } from '@tributary/model/publish-config';
import { CODE_OWNERS_FILES, ownerFinder } from '../collect/code-owners.js';
import { globTest } from '../collect/glob-test.js';
import type { MainLine } from '../collect/main-line.js';
import type { Clone } from './open-clone.js';

/**
 * Returns a function that finds the team of a package: from the configuration or, without one, from the CODEOWNERS file of the last commit,
 * by its folder.
 */
export async function readTeams(
  { git, head }: Clone,
  main: MainLine,
  teams: PublishConfig['teams'],
): Promise<(packageName: string) => string | undefined> {
  if (Object.keys(teams).length > 0) return teamFinder(new Map(Object.entries(teams)));
  const files = await readNamedBlobs(
    git,
    CODE_OWNERS_FILES.map((file) => `${head}:${file}`),
  );
  const text = files.find((file) => file !== undefined)?.toString('utf8');
  if (text === undefined) return () => undefined;
  const ownerOf = ownerFinder(text);
  const members = [...(main.steps.at(-1)?.layout.values() ?? [])];
  const byName = new Map(members.map(({ name, path }) => [name, ownerOf(path)]));
  return (packageName) => byName.get(packageName);
}

/** Returns a function that finds the team of a package: the first one with a matching glob. */
function teamFinder(teams: ReadonlyMap<string, readonly string[]>): (packageName: string) => string | undefined {
  const tests = [...teams].map(([team, globs]) => ({ team, matches: globTest(globs, { dot: true }) }));
  const known = new Map<string, string | undefined>();
  return (name) => {
    if (!known.has(name)) known.set(name, tests.find(({ matches }) => matches(name))?.team);
    return known.get(name);
  };
}
