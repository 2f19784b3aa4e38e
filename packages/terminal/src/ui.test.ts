import type { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { type RecordingStreams, recordStreams } from './recording-streams.js';
import { Ui, type UiFlags } from './ui.js';

const plain: UiFlags = { quiet: false, verbose: false, color: 'auto', input: 'auto', json: false };

function create(
  flags: Partial<UiFlags> = {},
  streams: RecordingStreams = recordStreams(),
  environment = {},
): { ui: Ui; streams: RecordingStreams } {
  return { ui: new Ui(streams, environment, { ...plain, ...flags }), streams };
}

function sayEverything(ui: Ui): void {
  ui.data('data');
  ui.status('status');
  ui.warning('careful');
  ui.hint('do this');
  ui.verbose('detail');
  ui.error('It failed.', { code: 'GIT_FAILED', hint: 'do that' });
}

test('data goes to stdout and talk to stderr', () => {
  const { ui, streams } = create();
  sayEverything(ui);
  expect(streams.stdoutText()).toBe('data\n');
  expect(streams.stderrText()).toBe('status\nwarning: careful\nhint: do this\nerror: It failed. [GIT_FAILED]\nhint: do that\n');
});

test('--quiet keeps warnings, errors and data', () => {
  const { ui, streams } = create({ quiet: true });
  sayEverything(ui);
  expect(streams.stdoutText()).toBe('data\n');
  expect(streams.stderrText()).toBe('warning: careful\nerror: It failed. [GIT_FAILED]\nhint: do that\n');
});

test('--verbose adds detail', () => {
  const { ui, streams } = create({ verbose: true });
  ui.verbose('detail');
  expect(streams.stderrText()).toBe('detail\n');
});

test('a newline is added once', () => {
  const { ui, streams } = create();
  ui.data('one\n');
  ui.data('two');
  ui.document({ three: 3 });
  expect(streams.stdoutText()).toBe('one\ntwo\n{\n  "three": 3\n}\n');
});

test('no credential gets out by talk', () => {
  const { ui, streams } = create({ verbose: true });
  const secret = 'https://me:s3cret@example.com/x.git?token=s3cret';
  ui.status(secret);
  ui.warning(secret);
  ui.hint(secret);
  ui.verbose(secret);
  ui.error(secret, { hint: secret });
  expect(streams.stderrText()).not.toContain('s3cret');
  expect(streams.stderrText()).toContain('https://example.com/x.git');
});

test('a stranger whose name is shown gives the log of a CI job no commands', () => {
  const { ui, streams } = create();
  const evil = '::add-mask::a\n##vso[task.complete result=Succeeded;]';
  const shown = ': :add-mask::a\n# #vso[task.complete result=Succeeded;]';
  for (const say of ['status', 'warning', 'hint', 'error'] as const) ui[say](`b\n${evil}`);
  ui.page(evil);
  expect(streams.stderrText().split(shown)).toHaveLength(5);
  expect(streams.stdoutText()).toBe(`${shown}\n`);
  ui.document({ name: evil });
  expect(streams.stdoutText()).not.toContain('##');
});

test('a stranger whose name is shown gives the terminal no commands', async () => {
  const { ui, streams } = create({ verbose: true }, recordStreams('terminal'));
  const evil = 'a\x1b]0;title\x07b\x1b[2J\r\x9b1A\x7f\tc\n\x1b[32md\x1b[39m https://me:s3\x0bcret@example.com';
  const shown = 'a]0;titleb[2J1A\tc\n\x1b[32md\x1b[39m';
  for (const say of ['status', 'warning', 'hint', 'verbose', 'error'] as const) ui[say](evil);
  expect(streams.stderrText().split(shown)).toHaveLength(6);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  expect(streams.stderrText()).not.toMatch(/\x1b(?!\[\d+m)|[\x07\x0b\r\x7f\x9b]|cret/);
  ui.page(evil);
  expect(streams.stdoutText()).toContain(shown);
  ui.data('a\x1b[2J\r');
  expect(streams.stdoutText()).toContain('a\x1b[2J\r\n');
});

test('each stream has its own colors', () => {
  const streams = { ...recordStreams('terminal'), stdout: recordStreams().stdout };
  const { ui } = create({}, streams);
  expect(ui.styleData('red', 'x')).toBe('x');
  ui.warning('x');
  expect(streams.stderrText()).toContain('\x1b[33mwarning:');
});

test.each([
  ['a terminal', recordStreams('terminal'), {}, 80],
  ['a pipe', recordStreams(), {}, Number.POSITIVE_INFINITY],
  ['a pipe with COLUMNS', recordStreams(), { COLUMNS: '100' }, 100],
  ['a pipe with a COLUMNS that is none', recordStreams(), { COLUMNS: 'wide' }, Number.POSITIVE_INFINITY],
])('the width of data on %s', (_name, streams, environment, width) => {
  expect(create({}, streams, environment).ui.dataWidth()).toBe(width);
});

test.each([
  ['a terminal', recordStreams('terminal'), { LANG: 'en_US.UTF-8' }, 'unicode'],
  ['a terminal that says nothing', recordStreams('terminal'), {}, 'unicode'],
  ['a terminal with another charset', recordStreams('terminal'), { LANG: 'en_US.UTF-8', LC_ALL: 'C' }, 'ascii'],
  ['the console of the kernel', recordStreams('terminal'), { TERM: 'linux', LANG: 'en_US.UTF-8' }, 'ascii'],
  ['a pipe', recordStreams(), { LC_ALL: 'C' }, 'unicode'],
])('the signs for data on %s', (_name, streams, environment, signs) => {
  expect(create({}, streams, environment).ui.dataSigns()).toBe(signs);
});

test.each([
  ['without a terminal', {}, recordStreams(), {}],
  ['with --no-input', { input: 'never' as const }, recordStreams('terminal'), {}],
  ['on a dumb terminal', {}, recordStreams('terminal'), { TERM: 'dumb' }],
])('nobody is asked %s', async (_name, flags, streams, environment) => {
  const { ui } = create(flags, streams, environment);
  expect(await ui.confirm('Sure?')).toBe('cannot-ask');
  expect(streams.stderrText()).toBe('');
});

test.each([
  ['y', 'yes'],
  ['n', 'no'],
  ['\r', 'no'],
])('on a terminal %p means %s', async (key, answer) => {
  const { ui, streams } = create({}, recordStreams('terminal'));
  const asked = ui.confirm('Import from https://me:s3cret@example.com/x now?');
  setTimeout(() => streams.type(key), 100);
  expect(await asked).toBe(answer);
  expect(streams.stderrText()).toContain('Import from https://example.com/x now?');
  expect(streams.stdoutText()).toBe('');
});

test.each([
  ['Ctrl-C', (streams: RecordingStreams) => streams.type('\x03')],
  ['Escape', (streams: RecordingStreams) => streams.type('\x1b')],
  ['Ctrl-D', (streams: RecordingStreams) => streams.type('\x04')],
  ['the end of the input', (streams: RecordingStreams) => (streams.stdin as PassThrough).end()],
])('%s at a question is an interruption', async (_, end) => {
  const { ui, streams } = create({}, recordStreams('terminal'));
  const asked = ui.confirm('Sure?');
  setTimeout(() => end(streams), 100);
  await expect(asked).rejects.toMatchObject({ code: 'INTERRUPTED' });
});

test.each([
  ['silent without a terminal', {}, recordStreams(), {}, ''],
  ['silent with --quiet', { quiet: true }, recordStreams('terminal'), {}, ''],
  ['a line for each phase with --verbose and no terminal', { verbose: true }, recordStreams(), {}, 'Reading (3)\n'],
  ['no drawing on the terminal of a CI job', {}, recordStreams('terminal'), { CI: 'true' }, ''],
])('progress is %s', async (_name, flags, streams, environment, expected) => {
  const { ui } = create(flags, streams, environment);
  const progress = ui.progress();
  progress.phase('Reading', 3);
  progress.step('x');
  await new Promise((resolve) => setTimeout(resolve, 200));
  progress.done();
  expect(streams.stderrText()).toBe(expected);
});

test.each([
  ['without a terminal', {}, 'Installing: Link step of https://example.com/x\n'],
  ['with --quiet', { quiet: true }, ''],
])('what a program says is told %s, without credentials', (_name, flags, expected) => {
  const { ui, streams } = create(flags, recordStreams());
  const progress = ui.progress();
  progress.phase('Installing');
  progress.message('Link step of https://me:s3cret@example.com/x', 'plain');
  progress.message('x', 'aside');
  expect(streams.stderrText()).toBe(expected);
});

test('a line that does not fit goes on below, indented as it is', () => {
  const { ui, streams } = create({}, recordStreams('terminal'));
  const words = 'word '.repeat(16).trimEnd();
  ui.page(`A title\n     ${words} more\n\n  ${words}`);
  const start = words.slice(0, -5);
  expect(streams.stdoutText()).toBe(`A title\n     ${start}\n     word more\n\n  ${start}\n  word\n`);
  const { ui: other, streams: lines } = create({}, recordStreams('terminal'));
  other.page(`  10. ${words}\n  - ${words}\n-`);
  expect(lines.stdoutText()).toBe(`  10. ${start}\n      word\n  - ${start}\n    word\n-\n`);
});
