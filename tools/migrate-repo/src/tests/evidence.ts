/** Causes that the output of failing tests hints at. */
export interface Evidence {
  /** Packages named by a path into a `node_modules` folder where they are missing. */
  readonly modulePaths: readonly string[];
  /** Packages that could not be resolved by name. */
  readonly missingModules: readonly string[];
  /** The line of the output that shows it, by package. */
  readonly lines: ReadonlyMap<string, string>;
}

const NAME = String.raw`((?:@[\w.-]+\/)?[\w][\w.-]*)`;
const PATH = new RegExp(String.raw`(?:ENOENT|Cannot find module|ENOTDIR)[^\n]*?node_modules\/${NAME}`, 'g');
const MISSING = new RegExp(String.raw`Cannot find (?:module|package) '${NAME}(?:\/[^']*)?'`, 'g');

/** Reads evidence from an output. Each name is listed once, in order of appearance. */
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

/** Whether a line of an output is evidence. */
export function isEvidence(line: string): boolean {
  return line.search(PATH) >= 0 || line.search(MISSING) >= 0;
}

function lineAt(output: string, at: number): string {
  const start = output.lastIndexOf('\n', at) + 1;
  const end = output.indexOf('\n', at);
  return output.slice(start, end === -1 ? undefined : end).trim();
}
