import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { outputFolder } from './links-on-the-way.js';
import { outputPath } from './output-file.js';

const cleanUp = cleanUpIn(afterEach);
let top: string;
let outside: string;

beforeEach(() => {
  const folder = cleanUp.add(new TempFolder());
  top = folder.join('checkout');
  outside = folder.join('outside');
  for (const path of [join(top, '.git'), join(top, 'packages/a'), join(top, 'own/below'), outside]) mkdirSync(path, { recursive: true });
  symlinkSync('../outside', join(top, '.tributary'));
  symlinkSync(outside, join(top, 'own/absolute'));
  symlinkSync('packages', join(top, 'inside'));
  symlinkSync('nowhere', join(top, 'dangling'));
});

describe('a link of the checkout on the way is refused', () => {
  test.each(['.tributary', '.tributary/record', 'own/absolute/record', 'inside/a', 'dangling', 'own/../.tributary/x'])('%s', (path) => {
    const refused = expect.objectContaining({ code: 'FILE_UNUSABLE', message: expect.stringContaining('is a link to') });
    expect(() => outputFolder(top, path)).toThrow(refused);
    expect(() => outputPath(top, join(path, 'file'))).toThrow(refused);
    expect(() => outputFolder(join(top, 'packages/a'), join('../..', path))).toThrow(refused);
    expect(() => outputFolder(top, join(top, path))).toThrow(refused);
  });

  test('with the link and what it leads to', () => {
    expect(() => outputFolder(top, '.tributary/record')).toThrow(/\.tributary is a link to \.\.\/outside/);
  });
});

test.each(['record', 'own/below/record', '../outside', '..', '.', '..x'])('%s is no link', (path) => {
  expect(outputFolder(top, path)).toBe(join(top, path));
});

test('links outside of the checkout are of the user', () => {
  symlinkSync(top, join(outside, 'link'));
  expect(outputFolder(top, join(outside, 'link/x'))).toBe(join(outside, 'link/x'));
  expect(outputFolder(join(outside, 'link'), 'own/x')).toBe(join(outside, 'link/own/x'));
});

test('without a checkout, the working folder is the limit', () => {
  symlinkSync('.', join(outside, 'link'));
  expect(() => outputFolder(outside, 'link/x')).toThrow(/is a link to/);
  mkdirSync(join(outside, 'a'));
  expect(outputFolder(join(outside, 'a'), '../link/x')).toBe(join(outside, 'link/x'));
});
