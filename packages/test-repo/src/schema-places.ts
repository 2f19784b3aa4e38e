import { Ajv } from 'ajv';

/** The part of JSON Schema that the published schemas use. */
export interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly const?: string | number;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  /** A schema applies to the values of an object whose keys are names. */
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly definitions?: Readonly<Record<string, Schema>>;
}

interface At {
  readonly schema: Schema;
  readonly at: string;
}

/**
 * Returns all places that a schema names. `.edges[].from` is a field, `.counts{}` an object whose keys are names, and `.edges[].field =
 * dev` a value of a fixed set. `<cycle>.dev` is a field of a shape that its kind identifies. A definition is one place, wherever it is
 * used.
 */
export function listPromised(root: Schema): string[] {
  const definitions = Object.entries(root.definitions ?? {}).map(([name, schema]) => ({ schema, at: `#/definitions/${name}` }));
  return [{ schema: root, at: '' }, ...definitions].flatMap(promisedBelow);
}

function promisedBelow({ schema, at }: At): string[] {
  const { type, $ref, properties = {}, items, enum: words = [], const: word } = schema;
  if ($ref !== undefined) return [];
  const choices = choicesOf(schema);
  return [
    ...(choices.length > 0 ? [] : [type === 'null' ? `${at} = null` : at]),
    ...words.map((one) => `${at} = ${one}`),
    ...(word === undefined ? [] : [`${at} = ${word}`]),
    ...choices.flatMap((choice) => promisedBelow({ schema: choice, at: at + labelOf(choice) })),
    ...Object.entries(properties).flatMap(([key, below]) => promisedBelow({ schema: below, at: `${at}.${key}` })),
    ...(items === undefined ? [] : promisedBelow({ schema: items, at: `${at}[]` })),
    ...valuesOf(schema).flatMap((values) => promisedBelow({ schema: values, at: `${at}{}` })),
  ];
}

/** Collects the places of `listPromised` that a valid value fills. */
export class Seen {
  readonly places = new Set<string>();
  private readonly root: Schema;
  private readonly validators = new Map<Schema, (value: unknown) => boolean>();

  constructor(root: Schema) {
    this.root = root;
  }

  add({ schema, at, value }: At & { readonly value: unknown }): void {
    const { $ref, properties = {}, items } = schema;
    if ($ref !== undefined) return this.add({ schema: this.definition($ref), at: $ref, value });
    this.places.add(at).add(`${at} = ${String(value)}`);
    const choice = choicesOf(schema).find((one) => this.isValid(one, value));
    if (choice !== undefined) this.add({ schema: choice, at: at + labelOf(choice), value });
    for (const [key, below] of Object.entries(properties)) {
      const inside = (value as Readonly<Record<string, unknown>>)[key];
      if (inside !== undefined) this.add({ schema: below, at: `${at}.${key}`, value: inside });
    }
    if (items !== undefined && Array.isArray(value)) for (const one of value) this.add({ schema: items, at: `${at}[]`, value: one });
    for (const values of valuesOf(schema))
      for (const one of Object.values(value as Readonly<Record<string, unknown>>)) this.add({ schema: values, at: `${at}{}`, value: one });
  }

  private definition($ref: string): Schema {
    return this.root.definitions?.[$ref.replace('#/definitions/', '')] ?? {};
  }

  private isValid(schema: Schema, value: unknown): boolean {
    const known = this.validators.get(schema) ?? new Ajv().compile({ ...schema, definitions: this.root.definitions });
    this.validators.set(schema, known);
    return known(value);
  }
}

function choicesOf({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] {
  return [...anyOf, ...oneOf];
}

/** Returns the schema of the values if the keys are names. */
function valuesOf({ additionalProperties }: Schema): readonly Schema[] {
  return typeof additionalProperties === 'object' ? [additionalProperties] : [];
}

/** Returns a label for shapes that their `kind` identifies; each has separate places. */
function labelOf(schema: Schema): string {
  const kind = schema.properties?.['kind']?.const;
  return kind === undefined ? '' : `<${kind}>`;
}

/** Returns the fields without a description. */
export function undescribed(root: Schema): string[] {
  return partsOf(root, '').flatMap(({ schema: { properties = {} }, at }) =>
    Object.entries(properties).flatMap(([key, field]) => ('description' in field || field.$ref !== undefined ? [] : [`${at}.${key}`])),
  );
}

/** Returns the objects that may have any field. */
export function openObjects(root: Schema): string[] {
  return partsOf(root, '').flatMap(({ schema, at }) => (schema.type === 'object' && schema.additionalProperties === undefined ? [at] : []));
}

/** Returns a schema and all that it contains. */
function partsOf(schema: Schema, at: string): readonly At[] {
  const { items, definitions = {}, properties = {} } = schema;
  const same = [...(items === undefined ? [] : [items]), ...valuesOf(schema), ...choicesOf(schema), ...Object.values(definitions)];
  const below = Object.entries(properties).flatMap(([key, field]) => partsOf(field, `${at}.${key}`));
  return [{ schema, at }, ...below, ...same.flatMap((one) => partsOf(one, at))];
}
