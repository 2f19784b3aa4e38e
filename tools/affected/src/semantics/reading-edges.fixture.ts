import type { Files } from '@tributary/test-repo/temp-repo';

interface Reads {
  readonly workspaces?: readonly string[];
  readonly files?: readonly string[];
}

/** FOR TESTS. Returns a tributary.json with these edges and other keys. */
export function edges(readers: Readonly<Record<string, Reads>>, more: object = {}): Files {
  const proofs = (names: readonly string[] = []): object => Object.fromEntries(names.map((name) => [name, 'packages/a/a.test.js:1']));
  const written = Object.fromEntries(
    Object.entries(readers).map(([name, { workspaces, files }]) => [name, { workspaces: proofs(workspaces), files: proofs(files) }]),
  );
  return { 'tributary.json': `${JSON.stringify({ affected: { ...more, edges: written } }, null, 2)}\n` };
}

/** FOR TESTS. Returns files with a new text. */
export function touched(...files: readonly string[]): Files {
  return Object.fromEntries(files.map((file) => [file, 'changed\n']));
}
