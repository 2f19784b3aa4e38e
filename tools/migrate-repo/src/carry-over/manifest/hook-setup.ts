/** A command that sets up hooks: `husky`, `npx husky install .husky || true`, `is-ci || husky`, `lefthook install`. */
const SETUP =
  /^(?:is-ci\s*\|\|\s*)?(?:(?:npx|yarn|pnpm|npm exec|pinst)\s+(?:--no(?:-install)?\s+)?)?(?:husky(?:\s+install)?(?:\s+[\w./-]+)?|lefthook install(?:\s+-f)?|simple-git-hooks)(?:\s*\|\|\s*(?:true|exit 0|echo\b.*))?$/;

/**
 * Returns a script without the commands that set up hooks; empty if it has no others. A script that sets them up
 * differently is unchanged.
 */
export function withoutHookSetup(script: string): string {
  const commands = script.split('&&').map((command) => command.trim());
  const kept = commands.filter((command) => !SETUP.test(command));
  return kept.length === commands.length ? script : kept.join(' && ');
}
