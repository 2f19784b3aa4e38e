import { shellWord } from '@tributary/model/shell-word';

/** If there are more names, a pattern is used if one fits. */
const FEW = 5;

/**
 * Returns the command that pushes the tags of packages; `undefined` if there are none. `groups`: the tags of each
 * package. A pattern replaces many tags only if no other tag of the clone, `known`, has the same prefix.
 */
export function pushTagsCommand(remote: string, groups: readonly (readonly string[])[], known: readonly string[]): string | undefined {
  const specs = groups.flatMap((tags) => specsOf(tags, known));
  return specs.length === 0 ? undefined : `git push ${shellWord(remote)} ${specs.join(' ')}`;
}

function specsOf(tags: readonly string[], known: readonly string[]): readonly string[] {
  const names = tags.map((tag) => shellWord(`refs/tags/${tag}`));
  if (tags.length <= FEW) return names;
  const prefix = commonPrefix(tags);
  const own = new Set(tags);
  const isExact = prefix !== '' && known.every((tag) => own.has(tag) || !tag.startsWith(prefix));
  return isExact ? [`'refs/tags/${prefix.replaceAll("'", "'\\''")}*'`] : names;
}

function commonPrefix(names: readonly string[]): string {
  const [first = '', ...rest] = names;
  return rest.reduce((prefix, name) => {
    let length = 0;
    while (length < prefix.length && prefix[length] === name[length]) length++;
    return prefix.slice(0, length);
  }, first);
}
