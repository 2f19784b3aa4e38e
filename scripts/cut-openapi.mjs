// Creates packages/github/src/testing/github-openapi.json, and github-pull-requests-openapi.json beside it: GitHub's own description of its
// REST API, reduced to what @tributary/github reads and writes. The full description takes 385 MB and is not a dependency. To create them
// again: `npm pack @octokit/openapi@23.0.2`, unpack it, and
//   node scripts/cut-openapi.mjs <folder>/package && npm run format
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The fields of an entry, by path. `in`: the key of the list in the response. `one`: the response is this schema instead of a list, with
 * the example of this name.
 */
const USED = {
  '/repos/{owner}/{repo}/actions/runs': {
    in: 'workflow_runs',
    fields: ['id', 'head_sha', 'name', 'path', 'run_attempt', 'created_at', 'run_started_at', 'conclusion'],
  },
  '/repos/{owner}/{repo}/actions/runs/{run_id}/jobs': {
    in: 'jobs',
    fields: ['name', 'run_attempt', 'created_at', 'started_at', 'completed_at', 'conclusion'],
  },
  '/orgs/{org}/repos': { fields: ['name', 'full_name', 'clone_url', 'ssh_url', 'archived', 'fork'] },
  '/users/{username}/repos': { fields: ['name', 'full_name', 'clone_url', 'ssh_url', 'archived', 'fork'] },
  '/repos/{owner}/{repo}/contents/{path}': {
    one: 'content-file',
    example: 'response-if-content-is-a-file',
    fields: ['type', 'encoding', 'size', 'name', 'path', 'content'],
  },
  '/repos/{owner}/{repo}/releases': { fields: ['tag_name', 'published_at', 'draft', 'prerelease', 'html_url'] },
};
/** The same for writes, by method and path. `fields`: those of the response, or of an entry if it is a list. */
const PULL = {
  number: true,
  html_url: true,
  state: true,
  draft: true,
  title: true,
  body: true,
  user: { login: true },
  created_at: true,
  merged_at: true,
  labels: { name: true },
  base: { ref: true },
  head: { ref: true, sha: true, repo: { full_name: true } },
};
const WRITTEN = {
  'GET /repos/{owner}/{repo}': { default_branch: true, allow_merge_commit: true, parent: { full_name: true } },
  'GET /repos/{owner}/{repo}/branches/{branch}': { protected: true },
  'GET /repos/{owner}/{repo}/branches/{branch}/protection': { required_linear_history: { enabled: true } },
  'GET /repos/{owner}/{repo}/rules/branches/{branch}': { type: true, parameters: { allowed_merge_methods: true, merge_method: true } },
  'GET /repos/{owner}/{repo}/pulls': PULL,
  'POST /repos/{owner}/{repo}/pulls': PULL,
  'PATCH /repos/{owner}/{repo}/pulls/{pull_number}': PULL,
};
const KEPT = ['type', 'format', 'nullable', 'minimum', 'maximum', 'items'];

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node scripts/cut-openapi.mjs <folder of @octokit/openapi>');
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const whole = JSON.parse(readFileSync(join(folder, 'generated/api.github.com.json'), 'utf8'));

const source = `@octokit/openapi ${version} (MIT, Copyright (c) 2020 Octokit contributors), cut by scripts/cut-openapi.mjs`;
const paths = Object.fromEntries(Object.entries(USED).map(([path, used]) => [path, cutPath(whole.paths[path].get, used)]));
const target = fileURLToPath(new URL('../packages/github/src/testing/github-openapi.json', import.meta.url));
writeFileSync(target, `${JSON.stringify({ source, paths }, null, 2)}\n`);

const written = Object.fromEntries(Object.entries(WRITTEN).map(([call, fields]) => [call, cutCall(call, fields)]));
writeFileSync(target.replace('github-openapi', 'github-pull-requests-openapi'), `${JSON.stringify({ source, calls: written }, null, 2)}\n`);

function cutCall(call, fields) {
  const [method, path] = call.split(' ');
  const { parameters, responses, requestBody } = whole.paths[path][method.toLowerCase()];
  const answer = (responses['201'] ?? responses['200']).content['application/json'].schema;
  const asked = parameters.map(resolved).filter((parameter) => parameter.in === 'query');
  return {
    status: '201' in responses ? 201 : 200,
    query: Object.fromEntries(asked.map((parameter) => [parameter.name, kept(parameter.schema)])),
    ...(requestBody === undefined ? {} : { body: bare(requestBody.content['application/json'].schema) }),
    answer: cutDeep(answer, fields),
  };
}

function cutDeep(schema, fields) {
  const found = resolved(schema);
  if (fields === true) return kept(found);
  if (found.type === 'array') return { type: 'array', items: cutDeep(found.items, fields) };
  // The part that each has in addition comes first.
  if ('oneOf' in found) return { oneOf: found.oneOf.map((one) => cutDeep(resolved(one).allOf?.[0] ?? one, fields)) };
  const known = Object.entries(fields).filter(([name]) => name in found.properties);
  const properties = known.map(([name, below]) => [name, cutDeep(found.properties[name], below)]);
  const required = (found.required ?? []).filter((name) => name in fields);
  // A deleted fork is null, which the description does not mention.
  const isNullable = found.nullable === true || 'full_name' in fields;
  return { type: 'object', ...(isNullable ? { nullable: true } : {}), properties: Object.fromEntries(properties), required };
}

/** Returns a schema without texts for people. */
function bare(schema) {
  if (Array.isArray(schema)) return schema.map(bare);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(
    ([key, value]) => key !== 'example' && key !== 'examples' && !(key === 'description' && typeof value === 'string'),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, bare(value)]));
}

function cutPath({ parameters, responses }, { in: key, fields, one, example: exampleName = 'default' }) {
  const { schema, examples } = responses['200'].content['application/json'];
  const example = resolved(examples[exampleName]).value;
  const query = Object.fromEntries(
    parameters
      .map(resolved)
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => [parameter.name, kept(parameter.schema)]),
  );
  if (one !== undefined) {
    const cut = cutObject({ $ref: `#/components/schemas/${one}` }, Object.fromEntries(fields.map((field) => [field, kept])));
    return { query, answer: cut, example: cutEntries([example], fields)[0] };
  }
  return {
    query,
    answer: key === undefined ? cutList(schema, fields) : cutObject(schema, { total_count: kept, [key]: (list) => cutList(list, fields) }),
    example:
      key === undefined ? cutEntries(example, fields) : { total_count: example.total_count, [key]: cutEntries(example[key], fields) },
  };
}

function cutList(list, fields) {
  return { type: 'array', items: cutObject(list.items, Object.fromEntries(fields.map((field) => [field, kept]))) };
}

function cutObject(schema, cuts) {
  const { properties, required = [] } = resolved(schema);
  const entries = Object.entries(cuts).map(([name, cut]) => [name, cut(properties[name])]);
  return { type: 'object', properties: Object.fromEntries(entries), required: required.filter((name) => name in cuts) };
}

function cutEntries(entries, fields) {
  return entries.map((entry) => Object.fromEntries(fields.filter((field) => field in entry).map((field) => [field, entry[field]])));
}

function kept(schema) {
  const { enum: choices, ...rest } = resolved(schema);
  const all = Object.fromEntries(KEPT.filter((key) => key in rest).map((key) => [key, rest[key]]));
  if (choices === undefined) return all;
  // If it may be null, the list of its values omits that.
  return { ...all, enum: rest.nullable ? [...choices, null] : choices };
}

function resolved(schema) {
  if (schema.$ref === undefined) return schema;
  return schema.$ref
    .split('/')
    .slice(1)
    .reduce((part, name) => part[name], whole);
}
