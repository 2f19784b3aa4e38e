import picomatch from 'picomatch';

/** Returns a function that finds the team of a package: the first one with a matching glob. */
export function teamFinder(teams: ReadonlyMap<string, readonly string[]>): (packageName: string) => string | undefined {
  const tests = [...teams].map(([team, globs]) => ({ team, matches: picomatch([...globs], { dot: true }) }));
  const known = new Map<string, string | undefined>();
  return (name) => {
    if (!known.has(name)) known.set(name, tests.find(({ matches }) => matches(name))?.team);
    return known.get(name);
  };
}
