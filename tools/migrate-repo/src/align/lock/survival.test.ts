import { expect, test } from '@jest/globals';
import type { WorkspaceName } from '@tributary/model/ids';
import type { Pin } from './pins.js';
import { compareLocks } from './survival.js';

/** `lockOf('lib@npm:^1.0.0 -> lib@npm:1.2.0')` */
function lockOf(...entries: readonly string[]): string {
  const blocks = entries.map((entry) => {
    const [key = '', resolution = ''] = entry.split(' -> ');
    const version = /@npm:([^:]+)/.exec(resolution)?.[1] ?? '0.0.0-use.local';
    return `"${key}":\n  version: ${version}\n  resolution: "${resolution}"\n  languageName: node\n  linkType: hard\n`;
  });
  return ['__metadata:\n  version: 8\n', ...blocks].join('\n');
}

function pin(descriptor: string, version: string): Pin {
  return { descriptor, version, resolution: `${descriptor.split('@')[0]}@npm:${version}`, by: ['app' as WorkspaceName] };
}

test('what became of the root: moved, gone, led to a workspace', () => {
  const before = lockOf('a@npm:^1.0.0 -> a@npm:1.0.0', 'b@npm:^1.0.0, b@npm:^1.1.0 -> b@npm:1.1.0', 'c@npm:^1.0.0 -> c@npm:1.0.0');
  const after = lockOf(
    'a@npm:^1.0.0 -> a@npm:1.9.0',
    'b@npm:^1.0.0 -> b@npm:1.1.0',
    'c@npm:^1.0.0, c@workspace:packages/c -> c@workspace:packages/c',
  );
  const { movedOfRoot, gone, toWorkspaces } = compareLocks(before, after, []);
  expect({ movedOfRoot, gone, toWorkspaces }).toEqual({
    movedOfRoot: [{ descriptor: 'a@npm:^1.0.0', from: '1.0.0', to: '1.9.0' }],
    gone: ['b@npm:^1.1.0'],
    toWorkspaces: ['c@npm:^1.0.0'],
  });
});

test('what became of pins: kept, moved, unneeded; conflicts do not count', () => {
  const before = lockOf('own@npm:^1.0.0 -> own@npm:1.5.0');
  const after = lockOf('own@npm:^1.0.0 -> own@npm:1.5.0', 'kept@npm:^1.0.0 -> kept@npm:1.0.0', 'moved@npm:^1.0.0 -> moved@npm:1.3.0');
  const pins = [
    pin('own@npm:^1.0.0', '1.0.0'),
    pin('kept@npm:^1.0.0', '1.0.0'),
    pin('moved@npm:^1.0.0', '1.0.0'),
    pin('none@npm:^1.0.0', '1.0.0'),
  ];
  const { kept, moved, unneeded } = compareLocks(before, after, pins);
  expect([kept, moved, unneeded]).toEqual([1, [{ descriptor: 'moved@npm:^1.0.0', from: '1.0.0', to: '1.3.0' }], ['none@npm:^1.0.0']]);
});

test('the host of an archive that was not there before is told', () => {
  const from = (host: string) => `x@npm:^1.0.0 -> x@npm:1.0.0::__archiveUrl=${encodeURIComponent(`https://${host}/x.tgz`)}`;
  expect(compareLocks(lockOf(), lockOf(from('r.example')), []).newHosts).toEqual(['r.example']);
  expect(compareLocks(lockOf(from('r.example')), lockOf(from('r.example')), []).newHosts).toEqual([]);
});
