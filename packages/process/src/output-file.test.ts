import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { mountDisk } from '@tributary/test-repo/small-disk';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { appendOutput, checkOutput, isOutputStream, outputPath, writeOutput } from './output-file.js';

const cleanUp = cleanUpIn(afterEach);
let outer: TempFolder;
/** The folder that the user names. Links must not reach the files beside it. */
let folder: string;

beforeEach(() => {
  outer = cleanUp.add(new TempFolder());
  folder = outer.join('work');
  mkdirSync(folder);
});

const inFolder = (name: string): string => outer.join('work', name);
const read = (name: string): string => readFileSync(inFolder(name), 'utf8');

const BOTH = [
  ['writing', writeOutput],
  ['appending', appendOutput],
] as const;

function unusable(path: string, why: string): unknown {
  return expect.objectContaining({ code: 'FILE_UNUSABLE', message: `${path} cannot be written, because ${why}.` });
}

function leaves(path: string, target: string): unknown {
  return unusable(path, `it is a link to ${target}, which is outside of its folder: a link in a checkout could redirect the output`);
}

/**
 * Creates a device, never the real one: replacing a device by a file would break the machine. `undefined` if this user may not create
 * devices.
 */
function makeDevice(name: string, kind: 'null' | 'full'): string | undefined {
  const path = inFolder(name);
  return spawnSync('mknod', [path, 'c', '1', kind === 'null' ? '3' : '7']).status === 0 ? path : undefined;
}

function makePipe(name: string): string {
  const path = inFolder(name);
  expect(spawnSync('mkfifo', [path]).status).toBe(0);
  return path;
}

/** Returns what `write` writes to a pipe. The pipe is opened for reading and writing, so that neither side waits for the other. */
function throughPipe(pipe: string, write: () => void): string {
  const reader = openSync(pipe, 'r+');
  try {
    write();
    const bytes = Buffer.alloc(1000);
    return bytes.subarray(0, readSync(reader, bytes)).toString();
  } finally {
    closeSync(reader);
  }
}

describe('a regular file', () => {
  test('is made, with the folders above it', () => {
    writeOutput(inFolder('a/b/new'), 'x');
    appendOutput(inFolder('c/new'), 'y');
    expect([read('a/b/new'), read('c/new')]).toEqual(['x', 'y']);
    expect(readdirSync(inFolder('a/b'))).toEqual(['new']);
  });

  test('is replaced as a whole: who has opened it, or has another name for it, keeps the old one', () => {
    outer.write('work/file', 'old and long');
    linkSync(inFolder('file'), inFolder('same'));
    writeOutput(inFolder('file'), 'new');
    expect([read('file'), read('same')]).toEqual(['new', 'old and long']);
    expect(readdirSync(folder)).toEqual(['file', 'same']);
  });

  test('is added to', () => {
    for (const text of ['one\n', 'two\n']) appendOutput(inFolder('file'), text);
    expect(read('file')).toBe('one\ntwo\n');
  });

  test.each([0o600, 0o755, 0o666, 0o444])('keeps its mode %o', (mode) => {
    outer.write('work/file', 'old');
    chmodSync(inFolder('file'), mode);
    writeOutput(inFolder('file'), 'new');
    expect([read('file'), statSync(inFolder('file')).mode & 0o7777]).toEqual(['new', mode]);
  });

  test('may have the longest name that a file can have', () => {
    const longest = 'n'.repeat(255);
    writeOutput(inFolder(longest), 'x');
    expect(read(longest)).toBe('x');
    expect(() => writeOutput(inFolder(`${longest}n`), 'x')).toThrow(
      unusable(inFolder(`${longest}n`), 'its name is too long (ENAMETOOLONG)'),
    );
    expect(readdirSync(folder)).toEqual([longest]);
  });

  test('that does not fit on the disk is as it was, and nothing lies beside it', async () => {
    const disk = await mountDisk(cleanUp, 'size=64k');
    if (disk === undefined) return;
    const file = join(disk, 'file');
    writeOutput(file, 'old');
    expect(() => writeOutput(file, 'x'.repeat(100_000))).toThrow(expect.objectContaining({ code: 'DISK_FULL' }));
    expect([readdirSync(disk), readFileSync(file, 'utf8')]).toEqual([['file'], 'old']);
  });
});

describe.each(BOTH)('a place that is no file, %s', (_, write) => {
  test('is a folder, also behind a link, or where its name ends like one', () => {
    mkdirSync(inFolder('sub'));
    symlinkSync('sub', inFolder('link'));
    for (const path of [folder, inFolder('sub'), inFolder('link')])
      expect(() => write(path, 'x')).toThrow(unusable(path, 'it is a folder (EISDIR)'));
    for (const named of ['new/', 'new/.', 'new/..', '.', '']) {
      const path = outputPathOf(named);
      expect(() => outputPath(folder, named)).toThrow(unusable(path, 'it is a folder (EISDIR)'));
    }
    expect(readdirSync(folder)).toEqual(['link', 'sub']);
  });

  test('is below a file', () => {
    outer.write('work/file', 'x');
    for (const path of [inFolder('file/new'), inFolder('file/sub/new')])
      expect(() => write(path, 'x')).toThrow(
        expect.objectContaining({ code: 'FILE_UNUSABLE', message: expect.stringContaining('a part of its path is not a folder') }),
      );
    expect(read('file')).toBe('x');
  });

  test('is a socket, which only a server reads', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(inFolder('socket'), resolve));
    cleanUp.defer(() => new Promise((resolve) => server.close(resolve)));
    expect(() => write(inFolder('socket'), 'x')).toThrow(unusable(inFolder('socket'), 'nothing reads from it (ENXIO)'));
    expect(lstatSync(inFolder('socket')).isSocket()).toBe(true);
  });

  test('is a disk, which would lose everything on it', () => {
    // Device numbers that no driver uses.
    if (spawnSync('mknod', [inFolder('disk'), 'b', '254', '250']).status !== 0) return;
    expect(() => write(inFolder('disk'), 'x')).toThrow(unusable(inFolder('disk'), 'it is a disk'));
    expect(lstatSync(inFolder('disk')).isBlockDevice()).toBe(true);
  });
});

function outputPathOf(named: string): string {
  return named.startsWith('new') && !named.endsWith('..') ? inFolder('new') : folder;
}

describe.each(BOTH)('a link, %s', (_, write) => {
  test.each([
    ['a file beside it', 'file', 'file'],
    ['a file below', 'sub/file', 'sub/file'],
    ['a file by its whole name', '/file', 'file'],
    ['a file that is not there yet', 'new', 'new'],
    ['a file below that is not there yet', 'sub/new', 'sub/new'],
  ])('to %s stays, and its target is written', (_title, target, file) => {
    outer.write('work/file', 'x');
    outer.write('work/sub/file', 'x');
    symlinkSync(target.startsWith('/') ? `${folder}${target}` : target, inFolder('link'));
    const before = existsSync(inFolder(file)) && write === appendOutput ? 'x' : '';
    write(inFolder('link'), 'new');
    expect([lstatSync(inFolder('link')).isSymbolicLink(), read(file)]).toEqual([true, `${before}new`]);
    expect(readdirSync(inFolder('sub')).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('to links is followed to its end', () => {
    outer.write('work/sub/file', '');
    for (const [target, link] of [
      ['file', 'sub/last'],
      ['sub/last', 'second'],
      ['second', 'first'],
    ] as const)
      symlinkSync(target, inFolder(link));
    write(inFolder('first'), 'new');
    expect([read('sub/file'), readlinkSync(inFolder('first')), readlinkSync(inFolder('second'))]).toEqual(['new', 'second', 'sub/last']);
  });

  test('to itself is no place', () => {
    symlinkSync('b', inFolder('a'));
    symlinkSync('a', inFolder('b'));
    expect(() => write(inFolder('a'), 'x')).toThrow(unusable(inFolder('a'), 'its links form a loop (ELOOP)'));
  });

  test.each([
    ['beside the folder', '../secret', 'secret'],
    ['by its whole name', 'WHOLE/secret', 'secret'],
    ['in a folder whose name begins like it', '../work2/file', 'work2/file'],
    ['that is not there yet', '../new', 'new'],
    ['over a link that looks like a folder inside', 'out/secret', 'secret'],
    ['over a link inside and up again', 'sub/out/../secret', 'secret'],
    ['over another link', 'out/through', 'secret'],
  ])('to a file outside, %s, is refused', (_title, target, file) => {
    outer.write('secret', 'kept');
    outer.write('work2/file', 'kept');
    mkdirSync(inFolder('sub'));
    mkdirSync(outer.join('deep'));
    symlinkSync('secret', outer.join('through'));
    symlinkSync('..', inFolder('out'));
    symlinkSync('../../deep', inFolder('sub/out'));
    symlinkSync(target.replace('WHOLE', outer.path), inFolder('link'));
    expect(() => write(inFolder('link'), 'x')).toThrow(leaves(inFolder('link'), outer.join(file)));
    expect(file === 'new' ? existsSync(outer.join(file)) : readFileSync(outer.join(file), 'utf8')).toBe(file === 'new' ? false : 'kept');
    expect(lstatSync(inFolder('link')).isSymbolicLink()).toBe(true);
  });

  test('on the way to the file is no matter', () => {
    symlinkSync(folder, outer.join('alias'));
    symlinkSync('target', inFolder('link'));
    write(outer.join('alias', 'file'), 'a');
    write(outer.join('alias', 'link'), 'b');
    expect([read('file'), read('target')]).toEqual(['a', 'b']);
  });

  test('into a folder that is not there is refused', () => {
    symlinkSync('gone/file', inFolder('link'));
    expect(() => write(inFolder('link'), 'x')).toThrow(expect.objectContaining({ code: 'FILE_UNUSABLE' }));
    expect(readdirSync(folder)).toEqual(['link']);
  });
});

test('a link that lies where half of a file would be is not written through', () => {
  outer.write('secret', 'kept');
  symlinkSync('../secret', inFolder('plan.json.part'));
  writeOutput(inFolder('plan.json'), 'x');
  expect([readFileSync(outer.join('secret'), 'utf8'), read('plan.json')]).toEqual(['kept', 'x']);
});

describe.each(BOTH)('what is no regular file, %s', (_, write) => {
  test('a device takes the text and stays, also behind a link from elsewhere', () => {
    const device = makeDevice('null', 'null');
    if (device === undefined) return;
    mkdirSync(inFolder('sub'));
    symlinkSync('../null', inFolder('sub/link'));
    for (const path of [device, inFolder('sub/link')]) write(path, 'x');
    expect([lstatSync(device).isCharacterDevice(), readFileSync(device, 'utf8')]).toEqual([true, '']);
    expect([readdirSync(folder), lstatSync(inFolder('sub/link')).isSymbolicLink()]).toEqual([['null', 'sub'], true]);
  });

  test('a full device has its own name', () => {
    const device = makeDevice('full', 'full');
    if (device === undefined) return;
    expect(() => write(device, 'x')).toThrow(
      expect.objectContaining({ code: 'DISK_FULL', message: `There is no space left on the disk for ${device}.` }),
    );
  });

  test('a named pipe takes the text and stays, also behind a link', () => {
    const pipe = makePipe('pipe');
    mkdirSync(inFolder('sub'));
    symlinkSync('../pipe', inFolder('sub/link'));
    for (const path of [pipe, inFolder('sub/link')]) expect(throughPipe(pipe, () => write(path, 'text'))).toBe('text');
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  test('a descriptor is written where it stands, also behind a link', () => {
    outer.write('log', '');
    symlinkSync('/dev/fd', inFolder('descriptors'));
    const log = openSync(outer.join('log'), 'w');
    try {
      symlinkSync(`/proc/self/fd/${log}`, inFolder('link'));
      for (const path of [`/dev/fd/${log}`, inFolder(`descriptors/${log}`), inFolder('link')]) write(path, `${basename(path)},`);
      expect(readFileSync(outer.join('log'), 'utf8')).toBe(`${log},${log},link,`);
    } finally {
      closeSync(log);
    }
    expect(() => write(`/dev/fd/${log}`, 'x')).toThrow(expect.objectContaining({ code: 'FILE_UNUSABLE' }));
  });
});

test('a named pipe without a reader is waited for', async () => {
  const late = makePipe('late');
  const reader = spawn('sh', ['-c', `sleep 0.5; cat '${late}' > '${inFolder('read')}'`]);
  const ended = new Promise((resolve) => reader.once('close', resolve));
  writeOutput(late, 'text');
  await ended;
  expect(read('read')).toBe('text');
});

test('a text that is larger than a pipe waits for its reader', async () => {
  const pipe = makePipe('pipe');
  const reader = spawn('sh', ['-c', `exec < '${pipe}'; sleep 0.3; wc -c > '${inFolder('size')}'`]);
  const ended = new Promise((resolve) => reader.once('close', resolve));
  writeOutput(pipe, 'x'.repeat(1_000_000));
  await ended;
  expect(read('size').trim()).toBe('1000000');
});

test('what can be no output is told before it is written', () => {
  outer.write('work/file', 'x');
  symlinkSync('../secret', inFolder('link'));
  expect(() => checkOutput(inFolder('link'))).toThrow(leaves(inFolder('link'), outer.join('secret')));
  expect(() => checkOutput(folder)).toThrow(unusable(folder, 'it is a folder (EISDIR)'));
  expect(() => checkOutput(inFolder('file/new'))).toThrow(unusable(inFolder('file/new'), 'a part of its path is not a folder (ENOTDIR)'));
  expect(() => checkOutput(inFolder('gone/new'))).toThrow(expect.objectContaining({ code: 'FILE_UNUSABLE' }));
  for (const name of ['file', 'new']) checkOutput(inFolder(name));
  checkOutput(makePipe('pipe'));
  expect(readdirSync(folder)).toEqual(['file', 'link', 'pipe']);
});

test('only what is no regular file is a stream', () => {
  outer.write('work/file', 'x');
  const streams = ['file', 'new', 'gone/new'].map((name) => isOutputStream(inFolder(name)));
  expect([...streams, isOutputStream(makePipe('pipe')), isOutputStream('/dev/fd/1')]).toEqual([false, false, false, true, true]);
});
