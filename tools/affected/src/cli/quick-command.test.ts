import { afterAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@tributary/terminal/clock';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import { cases } from '@tributary/test-repo/cases';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import fc from 'fast-check';
import type { AffectedRequest } from '../run/request.js';
import { readRequest } from './change-options.js';
import { buildProgram } from './program.js';
import { readQuickCommand } from './quick-command.js';

const folder = cleanUpIn(afterAll).add(new TempFolder()).path;

/** Returns commander's reading of a command line. */
async function readWithCommander(argv: readonly string[]): Promise<{ request: AffectedRequest; format: string }> {
  const flags = { quiet: false, verbose: false, color: 'never', input: 'never', json: argv.includes('--json') } as const;
  const services = { ui: new Ui(recordStreams(), {}, flags), clock: systemClock, signal: new AbortController().signal };
  const program = buildProgram(services).exitOverride();
  const select = program.commands.find((command) => command.name() === 'select');
  let read: { request: AffectedRequest; format: string } | undefined;
  select?.action((options) => {
    read = { request: readRequest(select, options), format: flags.json ? 'json' : String(options.format) };
  });
  await program.parseAsync([...argv], { from: 'user' });
  if (read === undefined) throw new Error('commander took it for something else');
  return read;
}

describe('a plain command line', () => {
  test.each([
    [['--base', 'main', '--json']],
    [['--json', '--base', 'origin/main', '--head', 'HEAD~1', '--cwd', folder]],
    [['--format', 'names', '--base', 'v1.0^2']],
    [['--format', 'json', '--json', '--base', 'a@b']],
    [['--base', 'main', '--json', '--task', 'test']],
  ])('means the same to commander: %j', async (argv) => {
    const quick = readQuickCommand(argv);
    expect(quick).toEqual(await readWithCommander(argv));
  });

  test('whatever it is made of', async () => {
    const word = fc.constantFrom(
      '--base',
      '--head',
      '--json',
      '--format',
      '--cwd',
      '--task',
      'main',
      'HEAD',
      'names',
      'json',
      'text',
      folder,
      '-x',
      'a..b',
      '',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 8 }), async (argv) => {
        const quick = readQuickCommand(argv);
        if (quick !== undefined) expect(quick).toEqual(await readWithCommander(argv));
      }),
      { numRuns: cases(2000) },
    );
  });
});

test.each([
  [[]],
  [['--base', 'main']],
  [['--json']],
  [['--base', 'main', '--format', 'text']],
  [['--base', 'main', '--json', '--json']],
  [['--base=main', '--json']],
  [['--base', 'main', '--json', '--quiet']],
  [['--base', '--json']],
  [['--base', 'a..b', '--json']],
  [['--base', 'main', '--json', '--cwd', '/nowhere/at/all']],
  [['why', 'lib', '--base', 'main', '--json']],
  [['--base', 'main', '--json', '--help']],
  [['--base', 'main', '--json', '--format', 'names']],
])('every other one is left to commander: %j', (argv) => {
  expect(readQuickCommand(argv)).toBeUndefined();
});
