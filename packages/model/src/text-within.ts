/** In bytes. No answer of a server is nearly as large. */
const LARGEST = 256 * 1024 * 1024;

/** Returns the body of a response. Rejects for one that is too large: packed, a few kilobytes stand for gigabytes. */
export function textWithin({ body }: Pick<Response, 'body'>, most: number = LARGEST): Promise<string> {
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, queue) => {
      bytes += piece.length;
      if (bytes > most) queue.error(new Error(`an answer of more than ${most / 1024 / 1024} MB`));
      else queue.enqueue(piece);
    },
  });
  return new Response(body?.pipeThrough(limit) ?? null).text();
}
