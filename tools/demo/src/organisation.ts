import type { PublishedPackage } from '@tributary/test-repo/local-registry';

/** A person who commits, with the time zone where they are, in git's format. */
export interface CommitAuthor {
  readonly name: string;
  readonly email: string;
  readonly zone: string;
}

export const mara: CommitAuthor = { name: 'Mara Lindqvist', email: 'mara@harbor.example', zone: '+0100' };
export const tom: CommitAuthor = { name: 'Tom Okafor', email: 'tom@harbor.example', zone: '+0000' };
export const ines: CommitAuthor = { name: 'Inês Carvalho', email: 'ines@harbor.example', zone: '+0000' };
export const yuki: CommitAuthor = { name: 'Yuki Tanabe', email: 'yuki@harbor.example', zone: '+0900' };
export const bot: CommitAuthor = { name: 'harbor-bot', email: 'bot@harbor.example', zone: '+0000' };

/** Returns the environment for git, for a commit that they make at `seconds` since 1970. */
export function signatureOf({ name, email, zone }: CommitAuthor, seconds: number): Readonly<Record<string, string>> {
  const date = `@${seconds} ${zone}`;
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
}

/** The folder of each package's repository, by name. */
export const SOURCES = { '@harbor/geo': 'geo', '@harbor/fares': 'fares', '@harbor/docks': 'docks' } as const;

/** The folder of the app's monorepo. */
export const MONOREPO = 'harbor';

/** The company's own registry. The domain is reserved, so an install in the demo can never download a stranger's package. */
export const COMPANY_REGISTRY = 'http://npm.harbor.example';

interface ThirdParty {
  readonly versions: readonly string[];
  readonly code: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Fictional packages of others, with the same code in all versions. */
const THIRD_PARTIES: Readonly<Record<string, ThirdParty>> = {
  plumbob: {
    versions: ['1.2.0', '1.4.1', '2.0.0', '2.3.0', '3.0.1'],
    code: "exports.number = (value, name) => {\n  if (Number.isFinite(value)) return value;\n  throw new TypeError(name + ' must be a number');\n};\n",
  },
  ledgerly: {
    versions: ['1.0.3', '1.2.0', '2.1.0'],
    code: 'exports.total = (amounts) => amounts.reduce((sum, amount) => sum + amount, 0);\n',
  },
  driftwood: { versions: ['1.0.0', '2.0.0'], code: 'exports.empty = () => new Map();\n' },
  saltbox: {
    versions: ['1.3.0', '2.0.0'],
    dependencies: { driftwood: '^1.0.0' },
    code: "const { empty } = require('driftwood');\n\nexports.keep = (work, kept = empty()) => (key) => kept.get(key) ?? kept.set(key, work(key)).get(key);\n",
  },
  mooring: {
    versions: ['1.0.0', '2.0.0'],
    code: 'exports.near = (actual, expected, within = 1e-6) => Math.abs(actual - expected) <= within;\n',
  },
};

/** Returns every version of every third-party package, older versions first. */
export function thirdPartyPackages(): PublishedPackage[] {
  return Object.entries(THIRD_PARTIES).flatMap(([name, { versions, code, dependencies = {} }]) =>
    versions.map((version) => ({
      manifest: { name, version, license: 'MIT', main: 'index.js', dependencies },
      files: { 'index.js': code },
    })),
  );
}
