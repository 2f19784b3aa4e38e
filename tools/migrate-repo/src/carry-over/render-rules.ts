import type { CarryOverRule } from './rule.js';

/** The page of the documentation about the rules, in Markdown: which files, what becomes of them, and why. */
export function renderRules(rules: readonly CarryOverRule[]): string {
  const rows = rules.map(({ title, matches, action, reason }) => {
    const files = matches.map((glob) => `\`${glob.replaceAll('|', '\\|')}\``).join(' ');
    return `| ${title} | ${files} | ${action} | ${reason} |`;
  });
  return `${HEAD}\n\n| what | files | action | because |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

const HEAD = `# What becomes of which files

Many files work at the root of a repository alone, and a package that joins a monorepo is no root any more. \`migrate-repo\` decides about every file at the top of the
package, and about those in folders that are named here, by the first rule that matches. What lies in other folders stays as it is.

- **keep**: it stays in the package. Where its paths, its reader or its place need a look, the report says so.
- **merge**: what it says goes into a file of the root, for the package alone, and it is taken away where it would not be read any more. In a file of lines that is a
  block between \`# begin <package> (migrate-repo)\` and \`# end <package>\`; in JSON and YAML an entry that is known by its key. A second run changes nothing.
- **drop**: it is taken away. Its history stays.

A rule may do less than its action says, if there is nothing to merge with, or the file says something that the root does not; the report tells what was done to each file
and what a person must decide. Patterns are globs from the folder of the package; capitals do not count.`;
