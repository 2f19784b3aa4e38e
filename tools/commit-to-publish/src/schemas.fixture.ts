import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import type { Schema } from '@tributary/test-repo/schema-places';
import { Ajv } from 'ajv';

/** Reads a schema by its name, such as `report-result`. */
export function readSchema(name: string): Schema {
  return JSON.parse(readFileSync(join(findProjectRoot(), 'tools/commit-to-publish/schema', `${name}.schema.json`), 'utf8')) as Schema;
}

/** Compiles a schema together with the other schemas, which it may refer to. */
export function compileSchema(name: string): ReturnType<Ajv['compile']> {
  const ajv = new Ajv({ allErrors: true });
  ajv.addSchema(readSchema('event'), 'event.schema.json');
  return ajv.compile(readSchema(name));
}
