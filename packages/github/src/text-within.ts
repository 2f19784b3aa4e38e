/** In bytes. No answer of a server is nearly as large. */
const LARGEST = 256 * 1024 * 1024;

/** Returns the body of a response. Throws for one that is too large: packed, a few kilobytes stand for gigabytes. */
export async function textWithin(response: Response, most: number = LARGEST): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > most) throw new Error(`an answer of more than ${most / 1024 / 1024} MB`);
    pieces.push(piece);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}
