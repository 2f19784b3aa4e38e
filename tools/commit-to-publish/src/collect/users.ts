import type { Layout } from './layout.js';

/** The packages of a repository that come out with a package from elsewhere in them: those that name it, and those that need one of these. All, where nobody names it: it came with something else. */
export function usersOf(name: string, layout: Layout): ReadonlySet<string> {
  const members = [...layout.values()];
  const users = new Set<string>();
  for (let before = -1; before < users.size; ) {
    before = users.size;
    for (const member of members) if ([name, ...users].some((needed) => member.needs.has(needed))) users.add(member.name);
  }
  return users.size === 0 ? new Set(members.map((member) => member.name)) : users;
}
