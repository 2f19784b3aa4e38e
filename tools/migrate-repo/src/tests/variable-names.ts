import { isPlainObject } from '@tributary/model/plain-object';
import { readYaml } from '../edit/edit-yaml.js';

/** Returns the environment variables that JavaScript reads by name. Computed names are not found. */
export function variablesRead(lines: string): ReadonlySet<string> {
  const single = [...lines.matchAll(/\bprocess\.env(?:\??\.|\??\.?\[\s*['"`])([A-Za-z_]\w*)/g)].map(([, name = '']) => name);
  const taken = [...lines.matchAll(/\{([^{}]*)\}\s*=\s*process\.env\b/g)].flatMap(([, names = '']) =>
    [...names.matchAll(/(?:^|,)\s*([A-Za-z_]\w*)/g)].map(([, name = '']) => name),
  );
  return new Set([...single, ...taken]);
}

/**
 * Returns the variables that CI settings of GitHub (`env`) and GitLab (`variables`) set to a literal, each with its
 * first value. Invalid YAML sets none.
 */
export function literalVariables(texts: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isPlainObject(value)) return;
    for (const [key, child] of Object.entries(value)) {
      if ((key === 'env' || key === 'variables') && isPlainObject(child)) addLiterals(child, found);
      visit(child);
    }
  };
  for (const text of texts) visit(readYaml(text)?.toJS({ maxAliasCount: 100 }));
  return found;
}

function addLiterals(block: Readonly<Record<string, unknown>>, found: Map<string, string>): void {
  for (const [name, value] of Object.entries(block)) {
    const isLiteral = typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && !value.includes('$'));
    if (/^[A-Za-z_]\w*$/.test(name) && isLiteral && !found.has(name)) found.set(name, String(value));
  }
}
