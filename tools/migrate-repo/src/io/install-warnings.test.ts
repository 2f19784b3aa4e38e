import { describe, expect, test } from '@jest/globals';
import { indexLock } from '@tributary/lockfile/lock-index';
import type { RepoFolder } from '@tributary/model/paths';
import { parseManifest } from '@tributary/workspaces/manifest';
import type { MayAsk } from '../align/who-asks.js';
import { warningsOf } from './install-warnings.js';
import type { YarnMessage } from './yarn.js';

// Messages of Yarn 4.18.1, and of Yarn 3 where it differs. The long tests check with Yarn itself that it says so.

const LOCK = `__metadata:
  version: 8

"app@workspace:packages/app":
  version: 0.0.0-use.local
  resolution: "app@workspace:packages/app"
  dependencies:
    draw: "npm:^1.0.0"
  languageName: unknown
  linkType: soft

"canvas@npm:^2.0.0":
  version: 2.11.2
  resolution: "canvas@npm:2.11.2"
  languageName: node
  linkType: hard

"draw@npm:^1.0.0":
  version: 1.0.0
  resolution: "draw@npm:1.0.0"
  dependencies:
    canvas: "npm:^2.0.0"
  languageName: node
  linkType: hard
`;

const index = indexLock(LOCK);
const APP: MayAsk = {
  member: { name: 'app' as MayAsk['member']['name'], path: 'packages/app' as RepoFolder },
  manifest: parseManifest('{ "name": "app", "dependencies": { "draw": "^1.0.0" } }', 'package.json'),
  isNew: true,
  lockFolder: 'packages/app' as RepoFolder,
};

/** Returns the warnings for a monorepo in which `app` is imported beside `old`. */
function messagesOf(code: string, ...texts: readonly string[]): readonly string[] {
  const messages = texts.map((text): YarnMessage => ({ type: 'warning', code, step: 'Link step', text }));
  const peerOwners = new Map([
    ['pa42a62', 'packages/app' as RepoFolder],
    ['p04f89e', 'packages/old' as RepoFolder],
  ]);
  const fixture = { importedPackages: [APP], lock: index.kind === 'berry' ? index : undefined, peerOwners };
  return warningsOf(messages, fixture).map(({ importedPackage, kind, package: name, words }) =>
    [importedPackage, kind, name, words].join('|'),
  );
}

const CASES: readonly (readonly [string, string, string | undefined])[] = [
  [
    'YN0002',
    "app@workspace:packages/app doesn't provide eslint (p028d9f), requested by eslint-plugin-react.",
    'app|peer||eslint is not provided, required by eslint-plugin-react',
  ],
  [
    'YN0002',
    "app@workspace:packages/app [4c0c4] doesn't provide eslint (p028d9), requested by x",
    'app|peer||eslint is not provided, required by x',
  ],
  [
    'YN0002',
    "old@workspace:packages/old doesn't provide react (p04f89e), requested by app.",
    'app|peer||react is not provided by packages/old, required by app',
  ],
  [
    'YN0002',
    "root@workspace:. doesn't provide react (p04f89e), requested by app and other dependencies.",
    'app|peer||react is not provided by the root, required by app and other dependencies',
  ],
  ['YN0002', "old@workspace:packages/old doesn't provide react (p04f89e), requested by react-dom.", undefined],
  ['YN0002', "old@workspace:packages/old doesn't provide react (p04f89e), requested by app-kit.", undefined],
  [
    'YN0060',
    "react is listed by your project with version 17.0.2 (pa42a62), which doesn't satisfy what @testing-library/react and other dependencies request (^18.3.1).",
    'app|peer||react is 17.0.2, required by @testing-library/react and other dependencies (^18.3.1)',
  ],
  ['YN0060', "react is listed by your project with version 17.0.2 (p04f89e), which doesn't satisfy what x requests (^18.3.1).", undefined],
  [
    'YN0060',
    "app@workspace:packages/app [4c0c4] provides react (pa4) with version 17.0.2, which doesn't satisfy what x requests",
    'app|peer||react is 17.0.2, required by x',
  ],
  [
    'YN0004',
    'canvas@npm:2.11.2 lists build scripts, but all build scripts have been disabled.',
    'app|build|canvas@2.11.2|through draw@1.0.0',
  ],
  ['YN0004', 'esbuild@npm:0.20.0 lists build scripts, but all build scripts have been disabled.', undefined],
  ['YN0061', 'draw@npm:1.0.0 is deprecated: use another', 'app|deprecated|draw@1.0.0|use another'],
  ['YN0057', "app: Invalid meta field for '0", "app|other||app: Invalid meta field for '0"],
  ['YN0057', 'app: Resolutions field will be ignored', undefined],
  ['YN0068', 'x ➤ dependencies ➤ y: No matching package in the dependency tree', undefined],
  ['YN0086', 'Some peer dependencies are incorrectly met by your project; run yarn explain peer-requirements <hash>', undefined],
  ['YN0000', 'Done with warnings in app 3s', undefined],
];

describe('of the warnings of an installation', () => {
  test.each(CASES)('%s %s', (code, text, expected) => {
    expect(messagesOf(code, text)).toEqual(expected === undefined ? [] : [expected]);
  });

  test('the same is told once: both runs say it', () => {
    const text = "app@workspace:packages/app doesn't provide eslint (p028d9f), requested by x.";
    expect(messagesOf('YN0002', text, text)).toHaveLength(1);
  });
});
