/** What the output of failing tests points at. */
export interface Evidence {
  /** Packages that are named by a path into a `node_modules` where nothing lies. */
  readonly modulePaths: readonly string[];
  /** Packages that were not found by their name. */
  readonly missingModules: readonly string[];
  /** The line that shows it, by package. */
  readonly lines: ReadonlyMap<string, string>;
}

const NAME = String.raw`((?:@[\w.-]+\/)?[\w][\w.-]*)`;
const PATH = new RegExp(String.raw`(?:ENOENT|Cannot find module|ENOTDIR)[^\n]*?node_modules\/${NAME}`, 'g');
const MISSING = new RegExp(String.raw`Cannot find (?:module|package) '${NAME}(?:\/[^']*)?'`, 'g');

/** Reads evidence out of an output. Names are each told once, in their order. */
export function readEvidence(output: string): Evidence {
  const lines = new Map<string, string>();
  const namesIn = (pattern: RegExp): readonly string[] => {
    const found = [...output.matchAll(pattern)].map((match) => {
      const name = match[1] ?? '';
      if (!lines.has(name)) lines.set(name, lineAt(output, match.index));
      return name;
    });
    return [...new Set(found)];
  };
  return { modulePaths: namesIn(PATH), missingModules: namesIn(MISSING), lines };
}

/** Whether one line of an output shows something. */
export function isEvidence(line: string): boolean {
  return line.search(PATH) >= 0 || line.search(MISSING) >= 0;
}

function lineAt(output: string, at: number): string {
  const start = output.lastIndexOf('\n', at) + 1;
  const end = output.indexOf('\n', at);
  return output.slice(start, end === -1 ? undefined : end).trim();
}
