import { gzipSync } from 'node:zlib';

/** Returns a gzipped tar archive (POSIX ustar) of plain files, in the given order. The same files give the same bytes. */
export function buildTarball(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const entries = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    return [header(name, content.length), content, Buffer.alloc(-content.length & 511)];
  });
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]));
}

function header(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for the short form of ustar.`);
  const block = Buffer.alloc(512);
  const put = (offset: number, text: string): void => void block.write(text, offset);
  put(0, name);
  put(100, '0000644\0');
  put(108, '0000000\0');
  put(116, '0000000\0');
  put(124, `${size.toString(8).padStart(11, '0')}\0`);
  put(136, `${(1_600_000_000).toString(8).padStart(11, '0')}\0`);
  // The checksum counts its own field as blanks.
  put(148, '        ');
  put(156, '0');
  put(257, 'ustar\0' + '00');
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `);
  return block;
}
