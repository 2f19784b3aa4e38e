import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { findProjectRoot } from './project-root.js';

/** Compiles a schema that a tool publishes, such as `report-result`. The build makes them, so only tests of the longer rings may ask. */
export function compileSchema(tool: string, name: string): ValidateFunction {
  const file = join(findProjectRoot(), 'tools', tool, 'schema', `${name}.schema.json`);
  return new Ajv({ allErrors: true, allowUnionTypes: true, strictTypes: false }).compile(JSON.parse(readFileSync(file, 'utf8')) as object);
}

/** Returns the answers, as they are after printing, that a schema does not allow, with the reasons. */
export function invalidAnswers([tool, name]: readonly [tool: string, name: string], answers: readonly unknown[]): readonly unknown[] {
  const validate = compileSchema(tool, name);
  const printed = answers.map((answer): unknown => JSON.parse(JSON.stringify(answer)));
  return printed.flatMap((answer) => (validate(answer) ? [] : [{ answer, errors: validate.errors }]));
}
