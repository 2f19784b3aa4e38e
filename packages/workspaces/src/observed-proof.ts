const RUN = 'an observed run at ';

/** Returns the proof of an edge that an observation shows, instead of a place in a source. */
export function observedProof(commit: string): string {
  return `${RUN}${commit.slice(0, 10)}`;
}

export function isObservedProof(proof: string | undefined): boolean {
  return proof?.startsWith(RUN) === true;
}
