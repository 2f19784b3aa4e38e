import { showInvisible } from '@tributary/terminal/invisible';
import type { GraphEdge, GraphResult } from './result.js';

/** Renders a Mermaid flowchart, which GitHub, GitLab and many editors draw. An arrow leads from the dependent to the dependency. */
export function renderMermaid({ workspaces, edges }: GraphResult): string {
  const ids = new Map(workspaces.map(({ name }, at) => [name, `w${at}`]));
  const nodes = workspaces.map(
    ({ name, affected }) => `  ${ids.get(name)}["${escapeMermaid(name)}"]${affected === true ? ':::affected' : ''}`,
  );
  const arrows = drawn(edges).map((edge) => `  ${ids.get(edge.from)} ${ARROWS[labelOf(edge)]} ${ids.get(edge.to)}`);
  const classes = workspaces.some(({ affected }) => affected === true) ? ['  classDef affected stroke:#d33,stroke-width:3px'] : [];
  return ['graph LR', ...nodes, ...arrows, ...classes].join('\n');
}

const ARROWS = {
  dependency: '-->',
  dev: '-. dev .->',
  peer: '-- peer -->',
  optional: '-- optional -->',
  read: '-. read .->',
  undeclared: '-. undeclared .->',
} as const;

/** Renders a graph for Graphviz. */
export function renderDot({ workspaces, edges }: GraphResult): string {
  const nodes = workspaces.map(({ name, affected }) => `  ${quoteDot(name)}${affected === true ? ' [color="#dd3333", penwidth=3]' : ''};`);
  const arrows = drawn(edges).map((edge) => {
    const label = labelOf(edge);
    const style = label === 'dependency' ? '' : ` [label="${label}"${STYLES[label] ?? ''}]`;
    return `  ${quoteDot(edge.from)} -> ${quoteDot(edge.to)}${style};`;
  });
  return ['digraph workspaces {', '  rankdir=LR; node [shape=box];', ...nodes, ...arrows, '}'].join('\n');
}

const STYLES: Readonly<Partial<Record<Label, string>>> = { dev: ', style=dashed', read: ', style=dotted', undeclared: ', style=dashed' };

type Label = keyof typeof ARROWS;

function labelOf({ field, kind }: GraphEdge): Label {
  return kind === 'undeclared' ? kind : field;
}

/** Removes duplicates: one arrow per label between two workspaces is enough. */
function drawn(edges: readonly GraphEdge[]): readonly GraphEdge[] {
  return [...new Map(edges.map((edge) => [`${edge.from}\0${edge.to}\0${labelOf(edge)}`, edge])).values()];
}

function escapeMermaid(text: string): string {
  return showInvisible(text).replaceAll('&', '#amp;').replaceAll('"', '#quot;').replaceAll('<', '#lt;');
}

function quoteDot(text: string): string {
  return `"${showInvisible(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
