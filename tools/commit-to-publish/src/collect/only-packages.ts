import { ToolError } from '@tributary/model/errors';
import { listNames } from '../report/list-names.js';
import type { JoinedHistory, OwnHistory } from './lineage.js';

/** Tells whether a package is asked for. No name asks for all of them. */
export type PackageTest = (packageName: string) => boolean;

type Told = Omit<OwnHistory, keyof JoinedHistory> & JoinedHistory & { readonly unknown: readonly string[] };

const SHOWN = 8;

/** Throws `NOT_RECORDED` for a name that no package of the repositories has, with the known ones in the hint. */
export function packageTest(asked: readonly string[], repositories: readonly Pick<OwnHistory, 'main'>[]): PackageTest {
  if (asked.length === 0) return () => true;
  const known = [...new Set(repositories.flatMap(({ main }) => [...main.published]))].sort();
  const stray = asked.find((name) => !known.includes(name));
  if (stray === undefined) return (name) => asked.includes(name);
  throw new ToolError({
    code: 'NOT_RECORDED',
    message: `No repository here publishes a package ${stray}.`,
    hint: known.length === 0 ? 'See what "commit-to-publish collect" says about it.' : `Published are ${listNames(known, SHOWN)}.`,
    data: { package: stray },
  });
}

/** Returns what a repository tells of the packages that are asked for. */
export function onlyOf<T extends Told>(repository: T, isAsked: PackageTest): T {
  const among = <Value>(map: ReadonlyMap<string, Value>): Map<string, Value> => new Map([...map].filter(([name]) => isAsked(name)));
  const ofPackage = <One extends { readonly package: string }>(all: readonly One[]): readonly One[] =>
    all.filter((one) => isAsked(one.package));
  return {
    ...repository,
    main: { ...repository.main, leftOut: new Set([...repository.main.leftOut].filter(isAsked)) },
    changes: repository.changes.filter(({ packages }) => packages.some(isAsked)),
    publications: among(repository.publications),
    releases: among(repository.releases),
    apart: ofPackage(repository.apart),
    departures: ofPackage(repository.departures),
    moves: ofPackage(repository.moves),
    withoutFormer: ofPackage(repository.withoutFormer),
    unreleased: among(repository.unreleased),
    former: Object.fromEntries(Object.entries(repository.former).filter(([name]) => isAsked(name))),
    unknown: repository.unknown.filter(isAsked),
  };
}
