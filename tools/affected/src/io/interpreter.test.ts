import { symlinkSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { findInterpreter } from './interpreter.js';

const cleanUp = cleanUpIn(afterEach);

test.each<[string, string | undefined]>([
  ['#!/bin/sh\n', '/bin/sh'],
  ['#! \t../own -x\nrest', '../own'],
  ['#!/usr/bin/env', '/usr/bin/env'],
  ['#!\n', undefined],
  ['echo\n', undefined],
  ['', undefined],
])('of a file %j', (text, interpreter) => {
  const file = cleanUp.add(new TempFolder()).write('file', text);
  expect(findInterpreter(file)).toEqual({ interpreter, end: file });
});

test('of a link, and of a name that is not ASCII', () => {
  const folder = cleanUp.add(new TempFolder());
  const file = folder.write('ä', '#!/bin/sh\n');
  symlinkSync('ä', folder.join('link'));
  const end = Buffer.from(file, 'utf8').toString('latin1');
  expect([findInterpreter(folder.join('link')), findInterpreter(end)]).toEqual(Array(2).fill({ interpreter: '/bin/sh', end }));
  expect(findInterpreter(folder.join('missing'))).toBeUndefined();
});

test('of a native program: its loader', () => {
  if (process.platform !== 'linux') return console.warn('left out: programs of other systems name no loader in this way');
  expect(findInterpreter(process.execPath)?.interpreter).toMatch(/^\/lib.*\/ld-/);
});
