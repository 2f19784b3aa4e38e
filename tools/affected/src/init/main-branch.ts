/**
 * Returns a template for a repository whose main branch has another name; `undefined` if the name has characters that would need quotes in
 * one of the templates.
 */
export function withMainBranch(template: string, branch: string): string | undefined {
  if (branch === 'main') return template;
  if (!/^[A-Za-z][\w/-]*$/.test(branch)) return undefined;
  return template.replace(/(\[|MAIN: |BRANCH: |refs\/heads\/|== ['"])main(?=[\]'" ]|$)/gm, (_, before: string) => before + branch);
}
