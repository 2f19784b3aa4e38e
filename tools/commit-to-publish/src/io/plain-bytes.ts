import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ToolError } from '@tributary/model/errors';

const GZIP = [0x1f, 0x8b];
const UTF_16 = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];
const MARK = [0xef, 0xbb, 0xbf];

/**
 * Returns the bytes of a text stream: gzip is unpacked, and a UTF-8 byte order mark is removed. `name` is for messages. Throws
 * `FILE_UNUSABLE` for UTF-16, and for a truncated or damaged gzip file after everything that could be unpacked.
 */
export async function* plainBytes(input: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Buffer> {
  const chunks = buffersOf(input);
  const first = await readFirst(chunks);
  const all = prepend(first, chunks);
  if (startsWith(first, GZIP)) yield* plainBytes(unpack(all, name), name);
  else if (UTF_16.some((mark) => startsWith(first, mark))) throw isUtf16(name);
  else if (startsWith(first, MARK)) yield* prepend(first.subarray(MARK.length), chunks);
  else yield* all;
}

async function* buffersOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of input) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Reads enough bytes to detect the format: a pipe may deliver them one by one. */
async function readFirst(chunks: AsyncGenerator<Buffer>): Promise<Buffer> {
  let first: Buffer = Buffer.alloc(0);
  while (first.length < MARK.length) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    first = Buffer.concat([first, value]);
  }
  return first;
}

async function* prepend(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

async function* unpack(packed: AsyncGenerator<Buffer>, name: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 1 << 18 });
  pipeline(Readable.from(packed), gunzip, () => {}); // the loop below reports its failure
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw code.startsWith('Z_') ? isDamaged(name, error) : error;
  }
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte);
}

function isUtf16(name: string): ToolError {
  return new ToolError({
    code: 'FILE_UNUSABLE',
    message: `${name} is UTF-16.`,
    hint: 'Write it as UTF-8. An older PowerShell does so with "Out-File -Encoding utf8".',
    data: { file: name },
  });
}

function isDamaged(name: string, cause: unknown): ToolError {
  return new ToolError({
    code: 'FILE_UNUSABLE',
    message: `${name} cannot be fully unpacked: it is truncated or damaged.`,
    hint: 'The events before that point were kept. Create the file again and ingest it: no event is counted twice.',
    data: { file: name },
    cause,
  });
}
