import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import { nearestCommand } from './nearest-command.js';

const program = new Command();
for (const name of ['migrate', 'status', 'sync', 'why', 'plan']) program.command(name);

test.each([
  ['statsu', 'status'],
  ['migrat', 'migrate'],
  ['plna', 'plan'],
  ['wy', 'why'],
  ['wyh', 'why'],
  ['PLAN', 'plan'],
  ['hlep', 'help'],
  ['vue', undefined],
  ['left-pad', undefined],
  ['@acme/sync', undefined],
  ['', undefined],
])('"%s" was meant for %s', (word, command) => expect(nearestCommand(program, word)).toBe(command));
