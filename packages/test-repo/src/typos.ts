/** Returns a word with each fault of one letter: left out, doubled, mistyped, or swapped with the next. */
export function typosOf(word: string): readonly string[] {
  const faults = word.split('').flatMap((letter, at) => {
    const [before, after] = [word.slice(0, at), word.slice(at + 1)];
    return [
      `${before}${after}`,
      `${before}${letter}${letter}${after}`,
      `${before}x${after}`,
      `${before}${after[0] ?? ''}${letter}${after.slice(1)}`,
    ];
  });
  return [...new Set(faults)].filter((fault) => fault !== word);
}
