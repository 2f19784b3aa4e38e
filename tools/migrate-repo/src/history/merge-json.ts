import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '@tributary/model/plain-object';
import { readLooseJson, setJson } from '../edit/edit-json.js';

/** The texts of the three sides. */
export interface JsonSides {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Merges a package.json key by key, so that lines that Yarn has sorted, and neighbours of a changed line, do not
 * conflict. `ours` keeps its layout. Returns `undefined` if both sides changed a value differently, or a side is not an
 * object.
 */
export function mergeJson({ base, ours, theirs }: JsonSides): string | undefined {
  const [from, one, other] = [base, ours, theirs].map(readLooseJson);
  if (!isPlainObject(from) || !isPlainObject(one) || !isPlainObject(other)) return undefined;
  const changes = changesOf({ from, one, other }, []);
  return changes?.reduce((text, { path, value }) => setJson(text, [...path], value), ours);
}

interface Change {
  readonly path: readonly string[];
  /** `undefined` removes the key. */
  readonly value: unknown;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Returns the changes of theirs that ours lacks; `undefined` for a conflict. */
function changesOf(
  { from, one, other }: { readonly from: JsonObject; readonly one: JsonObject; readonly other: JsonObject },
  path: readonly string[],
): readonly Change[] | undefined {
  const changes: Change[] = [];
  for (const key of new Set([...Object.keys(other), ...Object.keys(from)])) {
    const [before, ours, theirs] = [own(from, key), own(one, key), own(other, key)];
    if (isDeepStrictEqual(before, theirs) || isDeepStrictEqual(ours, theirs)) continue;
    const here = [...path, key];
    if (isDeepStrictEqual(before, ours)) changes.push({ path: here, value: theirs });
    else {
      const below =
        isPlainObject(ours) && isPlainObject(theirs)
          ? changesOf({ from: isPlainObject(before) ? before : {}, one: ours, other: theirs }, here)
          : undefined;
      if (below === undefined) return undefined;
      changes.push(...below);
    }
  }
  return changes;
}

function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
