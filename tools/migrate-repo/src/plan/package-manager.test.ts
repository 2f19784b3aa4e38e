import { describe, expect, test } from '@jest/globals';
import { parseManifest } from '@tributary/workspaces/manifest';
import { refuseOtherManager } from './package-manager.js';

const CLASSIC = '# yarn lockfile v1\n\n\nlib@^1.0.0:\n  version "1.0.0"\n';
const BERRY =
  '__metadata:\n  version: 8\n  cacheKey: 10c0\n\n"root@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "root@workspace:."\n';

interface Root {
  readonly manifest?: object;
  readonly files?: readonly string[];
  readonly lock?: string;
}

function judge({ manifest = {}, files = [], lock }: Root): string {
  try {
    refuseOtherManager({ manifest: parseManifest(JSON.stringify(manifest), 'package.json'), files: new Set(files), yarnLock: lock });
    return 'accepted';
  } catch (error) {
    return error instanceof Error ? (/uses (.*?) \(see its (.*?)\)/.exec(error.message)?.slice(1).join(', ') ?? error.message) : '';
  }
}

describe('a monorepo of another package manager is refused', () => {
  const cases: readonly (readonly [string, Root, string])[] = [
    ['npm', { files: ['package-lock.json'] }, 'npm, package-lock.json'],
    ['npm with a shrinkwrap', { files: ['npm-shrinkwrap.json'] }, 'npm, npm-shrinkwrap.json'],
    ['pnpm', { files: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'] }, 'pnpm, pnpm-lock.yaml'],
    ['pnpm without a lockfile', { files: ['pnpm-workspace.yaml'] }, 'pnpm, pnpm-workspace.yaml'],
    ['Bun', { files: ['bun.lock'] }, 'Bun, bun.lock'],
    ['Bun before 1.2', { files: ['bun.lockb'] }, 'Bun, bun.lockb'],
    ['Yarn 1', { lock: CLASSIC }, 'Yarn 1, yarn.lock'],
    ['Yarn 1 that names Yarn 4', { lock: CLASSIC, manifest: { packageManager: 'yarn@4.1.0' } }, 'Yarn 1, yarn.lock'],
    ['npm by name', { manifest: { packageManager: 'npm@10.2.0' } }, 'npm, "packageManager"'],
    ['pnpm by name', { manifest: { packageManager: 'pnpm@9.0.0+sha512.aa' } }, 'pnpm, "packageManager"'],
    ['Bun by name', { manifest: { packageManager: 'bun@1.1.0' } }, 'bun, "packageManager"'],
    ['Yarn 1 by name', { manifest: { packageManager: 'yarn@1.22.22' } }, 'Yarn 1, "packageManager"'],
    ['npm by its newer name', { manifest: { devEngines: { packageManager: { name: 'npm' } } } }, 'npm, "devEngines.packageManager"'],
  ];
  test.each(cases)('%s', (_, root, expected) => expect(judge(root)).toBe(expected));
});

describe('one of Yarn 2 or later, or of nobody yet, is accepted', () => {
  const cases: readonly (readonly [string, Root])[] = [
    ['a new one', {}],
    ['a lockfile of Yarn 4', { lock: BERRY }],
    ['a lockfile of Yarn 4 beside one that npm has left', { lock: BERRY, files: ['package-lock.json'] }],
    ['an empty lockfile', { lock: '\n', files: ['package-lock.json'] }],
    ['Yarn by name', { manifest: { packageManager: 'yarn@4.1.0' }, files: ['package-lock.json'] }],
    ['Yarn by a name without a number', { manifest: { packageManager: 'yarn@berry' } }],
    ['settings of Yarn', { files: ['.yarnrc.yml'] }],
    ['something that names nobody', { manifest: { packageManager: 7, devEngines: { packageManager: [] } } }],
    // The alignment reports what is wrong with it.
    ['a lockfile that nobody can read', { lock: '<<<<<<< HEAD\n' }],
  ];
  test.each(cases)('%s', (_, root) => expect(judge(root)).toBe('accepted'));
});
