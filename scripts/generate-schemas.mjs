// Writes `schema/<name>.schema.json` of the tool in the current folder, one for each property of `Documents` in its `src/documents.ts`. The
// types are the only source: their comments become descriptions, and tags such as `@pattern` rules that TypeScript does not have.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGenerator } from 'ts-json-schema-generator';

const folder = process.cwd();
const documents = join(folder, 'src/documents.ts');
const generator = createGenerator({
  path: documents,
  tsconfig: join(folder, 'tsconfig.json'),
  expose: 'export',
  topRef: false,
  jsDoc: 'extended',
  // A document with `@unknown is null` has null where a value of its type is undefined.
  extraTags: ['unknown'],
  additionalProperties: false,
  // `tsc` has checked the types. This is an older TypeScript, which the generator brings.
  skipTypeCheck: true,
});
const { properties, definitions } = generator.createSchema('Documents');

const out = join(folder, 'schema');
rmSync(out, { recursive: true, force: true });
mkdirSync(out);
for (const [name, { unknown, ...property }] of Object.entries(properties)) {
  const schema = withoutReference(property);
  const used = reachableFrom(schema);
  const all = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...schema,
    ...(used.size > 0 && { definitions: Object.fromEntries(used) }),
  };
  writeFileSync(join(out, `${name}.schema.json`), `${JSON.stringify(unknown === undefined ? all : withNulls(all), null, 2)}\n`);
}

/** A schema that is only a reference becomes what it refers to, so that the root of a document is not one step away. */
function withoutReference({ $ref, description: title, ...schema }) {
  const document = $ref === undefined ? schema : definitions[nameIn($ref)];
  // A type that was not found is `any`, which allows everything.
  if (document.type === undefined && document.anyOf === undefined) throw new Error(`${documents} has no type for "${title}".`);
  return { title, ...document };
}

/** Returns the definitions that a schema uses at any depth, by name. */
function reachableFrom(schema) {
  const found = new Map();
  const visit = (value) => {
    if (typeof value !== 'object' || value === null) return;
    if (typeof value.$ref === 'string' && !found.has(nameIn(value.$ref))) {
      found.set(nameIn(value.$ref), definitions[nameIn(value.$ref)]);
      visit(definitions[nameIn(value.$ref)]);
    }
    for (const below of Object.values(value)) visit(below);
  };
  visit(schema);
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function nameIn(reference) {
  return decodeURIComponent(reference.replace('#/definitions/', ''));
}

/** Lets each property that may be missing, or has the tag itself, be null. */
function withNulls(schema) {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(withNulls);
  const all = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withNulls(value)]));
  if (schema.type !== 'object' || schema.properties === undefined) return all;
  const properties = Object.entries(all.properties).map(([name, { description, unknown, ...property }]) => {
    const isKnown = schema.required?.includes(name) && unknown === undefined;
    const value = isKnown ? property : { anyOf: [property, { type: 'null' }] };
    return [name, description === undefined ? value : { description, ...value }];
  });
  return { ...all, properties: Object.fromEntries(properties) };
}
