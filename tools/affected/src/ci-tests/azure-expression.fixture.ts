/** The values that an expression of Azure Pipelines can read. */
export interface Facts {
  /** `variables['Build.Reason']`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** `dependencies.plan.outputs['emit.legs']`: by job, then by step and name. */
  readonly outputs?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** `succeeded()`. */
  readonly succeeded?: 'yes' | 'no';
}

type Value = string | boolean | null;

/**
 * Returns the value of an expression. It knows the functions that the template uses, and a missing value is null. It throws an `Error` for
 * everything else, so that a template with an unknown expression fails. Source: learn.microsoft.com, "Expressions".
 */
export function evaluate(text: string, facts: Facts): Value {
  const trimmed = text.trim();
  const [, name = '', inner = ''] = /^(\w+)\((.*)\)$/s.exec(trimmed) ?? [];
  const values = (): readonly Value[] => splitArguments(inner).map((argument) => evaluate(argument, facts));
  switch (name) {
    case 'always':
      return true;
    case 'succeeded':
      return facts.succeeded === 'yes';
    case 'and':
      return values().every((value) => value === true);
    case 'eq':
      return equal(values());
    case 'ne':
      return !equal(values());
    case '':
      return literal(trimmed, facts);
    default:
      throw new Error(`a function that the template did not use: ${trimmed}`);
  }
}

/** Compares texts case-insensitively. */
function equal([one = null, other = null]: readonly Value[]): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

function literal(text: string, { variables = {}, outputs = {} }: Facts): Value {
  const quoted = /^'([^']*)'$/.exec(text);
  if (quoted !== null) return quoted[1] ?? '';
  const variable = /^variables\['([\w.]+)'\]$/.exec(text);
  if (variable !== null) return variables[variable[1] ?? ''] ?? null;
  const output = /^dependencies\.(\w+)\.outputs\['([\w.]+)'\]$/.exec(text);
  if (output !== null) return outputs[output[1] ?? '']?.[output[2] ?? ''] ?? null;
  throw new Error(`an expression that the template did not use: ${text}`);
}

/** Splits at the commas outside of brackets. */
function splitArguments(text: string): readonly string[] {
  if (text.trim() === '') return [];
  const parts: string[] = [''];
  let depth = 0;
  for (const letter of text) {
    if (letter === '(' || letter === '[') depth += 1;
    if (letter === ')' || letter === ']') depth -= 1;
    if (letter === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${letter}`);
  }
  return parts;
}
