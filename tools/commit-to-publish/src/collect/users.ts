import type { Layout } from './layout.js';

/**
 * Returns the packages of a repository that contain a package from elsewhere: those that name it, and those that need one of these. All, if
 * none names it, because it came with another package.
 */
export function usersOf(name: string, layout: Layout): ReadonlySet<string> {
  const members = [...layout.values()];
  const users = new Set<string>();
  for (let before = -1; before < users.size; ) {
    before = users.size;
    for (const member of members) if ([name, ...users].some((needed) => member.needs.has(needed))) users.add(member.name);
  }
  return users.size === 0 ? new Set(members.map((member) => member.name)) : users;
}
