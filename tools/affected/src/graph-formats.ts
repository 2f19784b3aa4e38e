import { showInvisible } from '@tributary/terminal/invisible';
import type { GraphEdge, GraphResult } from './result.js';

/** Renders a Mermaid flowchart, which GitHub, GitLab and many editors draw. An arrow leads from the dependent to the dependency. */
export function renderMermaid({ workspaces, edges }: GraphResult): string {
  const ids = new Map(workspaces.map(({ name }, at) => [name, `w${at}`]));
  const nodes = workspaces.map(
    ({ name, affected }) => `  ${ids.get(name)}["${escapeMermaid(name)}"]${affected === true ? ':::affected' : ''}`,
  );
  const arrows = drawn(edges).map(({ from, to, field }) => `  ${ids.get(from)} ${ARROWS[field]} ${ids.get(to)}`);
  const classes = workspaces.some(({ affected }) => affected === true) ? ['  classDef affected stroke:#d33,stroke-width:3px'] : [];
  return ['graph LR', ...nodes, ...arrows, ...classes].join('\n');
}

const ARROWS = { dependency: '-->', dev: '-. dev .->', peer: '-- peer -->', optional: '-- optional -->', read: '-. read .->' } as const;

/** Renders a graph for Graphviz. */
export function renderDot({ workspaces, edges }: GraphResult): string {
  const nodes = workspaces.map(({ name, affected }) => `  ${quoteDot(name)}${affected === true ? ' [color="#dd3333", penwidth=3]' : ''};`);
  const arrows = drawn(edges).map(({ from, to, field }) => {
    const style = field === 'dependency' ? '' : ` [label="${field}"${STYLES[field] ?? ''}]`;
    return `  ${quoteDot(from)} -> ${quoteDot(to)}${style};`;
  });
  return ['digraph workspaces {', '  rankdir=LR; node [shape=box];', ...nodes, ...arrows, '}'].join('\n');
}

const STYLES: Readonly<Partial<Record<GraphEdge['field'], string>>> = { dev: ', style=dashed', read: ', style=dotted' };

/** Removes duplicates: one arrow per field between two workspaces is enough. */
function drawn(edges: readonly GraphEdge[]): readonly GraphEdge[] {
  return [...new Map(edges.map((edge) => [`${edge.from}\0${edge.to}\0${edge.field}`, edge])).values()];
}

function escapeMermaid(text: string): string {
  return showInvisible(text).replaceAll('&', '#amp;').replaceAll('"', '#quot;').replaceAll('<', '#lt;');
}

function quoteDot(text: string): string {
  return `"${showInvisible(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
