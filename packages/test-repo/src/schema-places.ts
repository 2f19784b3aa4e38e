import { Ajv } from 'ajv';

/** As much of JSON Schema as the published ones use. */
export interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly const?: string | number;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  /** A schema: of the values of an object whose keys are names. */
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
 * All places that a schema names: `.edges[].from`, `.counts{}` where keys are names, for a fixed set of words `.edges[].field = dev`, and for shapes that are told apart by
 * their kind `<cycle>.dev`. A definition is one place, wherever it is used.
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

/** The places of `listPromised` that a valid value fills. */
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

/** Where the keys are names. */
function valuesOf({ additionalProperties }: Schema): readonly Schema[] {
  return typeof additionalProperties === 'object' ? [additionalProperties] : [];
}

/** Shapes that are told apart by their `kind` have places of their own. */
function labelOf(schema: Schema): string {
  const kind = schema.properties?.['kind']?.const;
  return kind === undefined ? '' : `<${kind}>`;
}

/** Fields without a description. */
export function undescribed(schema: Schema, at: string): string[] {
  const below = [schema.items, ...valuesOf(schema), ...choicesOf(schema), ...Object.values(schema.definitions ?? {})];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, field]) => [
      ...('description' in field || field.$ref !== undefined ? [] : [`${at}.${key}`]),
      ...undescribed(field, `${at}.${key}`),
    ]),
    ...below.flatMap((one) => (one === undefined ? [] : undescribed(one, at))),
  ];
}
