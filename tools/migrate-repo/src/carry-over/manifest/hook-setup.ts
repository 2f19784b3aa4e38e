/** What sets hooks up, as one command: `husky`, `npx husky install .husky || true`, `is-ci || husky`, `lefthook install`. */
const SETUP =
  /^(?:is-ci\s*\|\|\s*)?(?:(?:npx|yarn|pnpm|npm exec|pinst)\s+(?:--no(?:-install)?\s+)?)?(?:husky(?:\s+install)?(?:\s+[\w./-]+)?|lefthook install(?:\s+-f)?|simple-git-hooks)(?:\s*\|\|\s*(?:true|exit 0|echo\b.*))?$/;

/** A script without the commands that set hooks up; empty if it did nothing else. One that does it in another way stays as it is. */
export function withoutHookSetup(script: string): string {
  const commands = script.split('&&').map((command) => command.trim());
  const kept = commands.filter((command) => !SETUP.test(command));
  return kept.length === commands.length ? script : kept.join(' && ');
}
