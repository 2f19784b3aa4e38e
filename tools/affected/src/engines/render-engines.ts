import type { CiEngine } from './engine.js';

/** Returns the documentation page about the CI engines, in Markdown. `filesOf`: the globs of an engine's files, by its name. */
export function renderEngines(engines: readonly CiEngine[], filesOf: Readonly<Record<string, readonly string[]>>): string {
  const rows = engines.map(({ name, title, setup }) => {
    const files = (filesOf[name] ?? []).map((glob) => `\`${glob}\``).join(' ');
    return `| ${title} | \`${name}\` | ${files} | ${setup.require.replaceAll('<', '&lt;')} |`;
  });
  return `${HEAD}\n\n| engine | name | files | to require the gate |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

const HEAD = `# CI engines

\`affected init --engine <name>\` writes the templates of an engine, and \`affected emit <name>\` prints a plan for it. In its jobs, affected finds the base by
itself. The files are those that the engine runs, and those that they include: [rules](../guides/affected-rules.md#ci-files) say what a change of them selects.
[The guide](../guides/tests-on-ci.md) sets one up, and [Contribute](../../CONTRIBUTING.md#add-a-ci-engine) says how to add one.`;
