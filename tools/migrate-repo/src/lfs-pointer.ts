/** Returns the id that a pointer of Git LFS has; `undefined` for any other content. Source: the Git LFS specification, v1. */
export function pointedTo(content: string): string | undefined {
  return /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n/.exec(content)?.[1];
}
