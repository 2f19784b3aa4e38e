import { isPlainObject } from '@tributary/model/plain-object';

/**
 * Returns what a workflow needs and a repository may lack: secrets, environments, own runners, permissions, lockfiles.
 * They are clauses to follow "uses".
 */
export function workflowNeeds(text: string, value: Readonly<Record<string, unknown>>): readonly string[] {
  const jobs = Object.values(isPlainObject(value['jobs']) ? value['jobs'] : {}).filter((job) => isPlainObject(job));
  const secrets = found(text, /\bsecrets\.(\w+)/g).filter((name) => name !== 'GITHUB_TOKEN');
  const variables = found(text, /\bvars\.(\w+)/g);
  const environments = unique(jobs.flatMap((job) => nameOf(job['environment'])));
  const isOwnRunner = jobs.some((job) => JSON.stringify(job['runs-on'] ?? '').includes('self-hosted'));
  const rights = unique([value, ...jobs].flatMap((one) => rightsOf(one['permissions'])));
  const locks = found(
    text,
    /\b(package-lock\.json|pnpm-lock\.yaml|yarn\.lock|npm ci|npm i(?:nstall)?\b(?!\s+(?:-g\b|--global\b))|pnpm i(?:nstall)?\b(?!\s+(?:-g\b|--global\b))|yarn install(?! --immutable)|yarn --frozen-lockfile)/g,
  );
  const caches = found(text, /^\s+cache:\s*["']?(npm|pnpm)\b/gm).map((name) => `the cache of ${name}`);
  return [
    ...(secrets.length === 0 ? [] : [`the secrets ${secrets.join(', ')}`]),
    ...(variables.length === 0 ? [] : [`the variables ${variables.join(', ')}`]),
    ...(environments.length === 0 ? [] : [`the environments ${environments.join(', ')}`]),
    ...(isOwnRunner ? ['self-hosted runners'] : []),
    ...(rights.length === 0 ? [] : [`the right to write ${rights.join(', ')}`]),
    ...(locks.length + caches.length === 0 ? [] : [[...locks, ...caches].join(', ')]),
  ];
}

function nameOf(environment: unknown): readonly string[] {
  const name = isPlainObject(environment) ? environment['name'] : environment;
  return typeof name === 'string' ? [name] : [];
}

function rightsOf(permissions: unknown): readonly string[] {
  return Object.entries(isPlainObject(permissions) ? permissions : {}).flatMap(([name, right]) => (right === 'write' ? [name] : []));
}

function found(text: string, pattern: RegExp): readonly string[] {
  return unique([...text.matchAll(pattern)].map(([, name = '']) => name));
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
