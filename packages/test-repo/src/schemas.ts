import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { findProjectRoot } from './project-root.js';
import { listPromised, openObjects, type Schema, Seen, undescribed } from './schema-places.js';

/** What a published schema and the answers of its tool say differently. Every list is empty if they agree. */
export interface SchemaFaults {
  readonly invalid: readonly unknown[];
  /** Places of the schema that no answer has. */
  readonly unseen: readonly string[];
  /** Fields without a description. */
  readonly undescribed: readonly string[];
  /** Objects that may have any field. */
  readonly open: readonly string[];
}

export const NO_FAULTS: SchemaFaults = { invalid: [], unseen: [], undescribed: [], open: [] };

/** Reads a schema that a tool publishes, such as `report-result`. */
export function readSchema(tool: string, name: string): Schema {
  return JSON.parse(readFileSync(join(schemaFolder(tool), `${name}.schema.json`), 'utf8')) as Schema;
}

/** Compiles it together with the other schemas of the tool, which it may refer to. */
export function compileSchema(tool: string, name: string): ValidateFunction {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  const others = readdirSync(schemaFolder(tool)).map((file) => file.replace('.schema.json', ''));
  for (const other of others.filter((one) => one !== name)) ajv.addSchema(readSchema(tool, other), `${other}.schema.json`);
  return ajv.compile(readSchema(tool, name));
}

/** Returns the answers, as they are after printing, that a schema does not allow, with the reasons. */
export function invalidAnswers([tool, name]: readonly [tool: string, name: string], answers: readonly unknown[]): readonly unknown[] {
  const validate = compileSchema(tool, name);
  const printed = answers.map((answer): unknown => JSON.parse(JSON.stringify(answer)));
  return printed.flatMap((answer) => (validate(answer) ? [] : [{ answer, errors: validate.errors }]));
}

/** Compares a schema with answers, as they are after printing. `isExempt`: places that these answers need not have. */
export function compareWithSchema(
  [tool, name]: readonly [tool: string, name: string],
  answers: readonly unknown[],
  isExempt: (place: string) => boolean = () => false,
): SchemaFaults {
  const schema = readSchema(tool, name);
  const validate = compileSchema(tool, name);
  const printed = answers.map((answer): unknown => JSON.parse(JSON.stringify(answer)));
  const seen = new Seen(schema);
  for (const value of printed) seen.add({ schema, value, at: '' });
  return {
    invalid: printed.flatMap((answer) => (validate(answer) ? [] : [{ answer, errors: validate.errors }])),
    unseen: listPromised(schema).filter((place) => !seen.places.has(place) && !isExempt(place)),
    undescribed: undescribed(schema),
    open: openObjects(schema),
  };
}

function schemaFolder(tool: string): string {
  return join(findProjectRoot(), 'tools', tool, 'schema');
}
