import { expect, test } from '@jest/globals';
import { lockedTurbo } from './locked-turbo.js';

const entry = (descriptors: string, version: string): string =>
  `"${descriptors}":\n  version: ${version}\n  resolution: "turbo@npm:${version}"\n\n`;
const asked = (range: string): object => ({ devDependencies: { turbo: range } });
const OTHER = `"turbo-other@npm:^1.0.0":\n  version: 1.0.0\n\n"@x/turbo@npm:1":\n  version: 1.0.0\n\n`;

test.each<[lock: string | undefined, manifest: object, version: string | undefined]>([
  [undefined, asked('^2.0.0'), undefined],
  [OTHER, asked('^2.0.0'), undefined],
  [`${OTHER}${entry('turbo@npm:^2.0.0', '2.11.9')}`, asked('^2.0.0'), '2.11.9'],
  // `resolutions` make another descriptor of it.
  [entry('turbo@npm:2.4.0', '2.4.0'), asked('^2.0.0'), '2.4.0'],
  [`${entry('turbo@npm:^1.0.0', '1.9.0')}${entry('turbo@npm:2.x, turbo@npm:^2.0.0', '2.1.0')}`, asked('^2.0.0'), '2.1.0'],
  [`${entry('turbo@npm:^1.0.0', '1.9.0')}${entry('turbo@npm:3.0.0', '3.0.0')}`, asked('catalog:'), undefined],
  [entry('turbo@npm:^2.0.0', '2.11.9').replaceAll('\n', '\r\n'), asked('^2.0.0'), '2.11.9'],
  ['"turbo@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "turbo@workspace:."\n', asked('workspace:^'), undefined],
  ['"turbo@npm:turbo-canary@1":\n  version: 1.4.0\n  resolution: "turbo-canary@npm:1.4.0"\n', asked('npm:turbo-canary@1'), undefined],
  ['turbo@^2.0.0:\n  version "2.3.0"\n', asked('^2.0.0'), '2.3.0'],
])('%#', (lock, manifest, version) => expect(lockedTurbo(lock, { ...manifest })).toBe(version));
