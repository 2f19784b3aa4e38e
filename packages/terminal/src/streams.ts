/** A stream for text: `process.stdout` or one of a test. `columns` exists only on terminals. */
export type OutputStream = { write(text: string): boolean; readonly isTTY?: boolean; readonly columns?: number };

export type InputStream = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/** The three streams of a program. */
export interface Streams {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}
