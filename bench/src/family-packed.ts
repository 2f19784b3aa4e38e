import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Environment } from '@tributary/process/environment';
import { runProgram } from '@tributary/process/spawn';

/** The fields in which two package.json differ, and each dependency that differs. */
export type ComparedManifest = readonly string[];

/** Compares the package.json in npm's archives of a package, from its own repository and from a clone of the monorepo; no script runs. */
export async function comparePacked(
  { source, sourceCommit }: { readonly source: string; readonly sourceCommit: string },
  place: { readonly migrated: string; readonly copy: string; readonly env: Environment },
): Promise<ComparedManifest> {
  const { migrated, copy, env } = place;
  await runProgram({ program: 'git', args: ['clone', '--quiet', '--no-local', '--no-tags', source, copy], env });
  await runProgram({ program: 'git', args: ['checkout', '--quiet', '--detach', sourceCommit], cwd: copy, env });
  const [before, after] = [await packedManifest(copy, `${copy}-packed`, env), await packedManifest(migrated, `${copy}-packed-again`, env)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((field) => differences(field, before[field], after[field]));
}

async function packedManifest(cwd: string, folder: string, env: Environment): Promise<Record<string, unknown>> {
  mkdirSync(folder);
  const args = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', folder];
  const packed = JSON.parse((await runProgram({ program: 'npm', args, cwd, env })).toString('utf8')) as { filename: string }[];
  const file = join(folder, (packed[0]?.filename ?? '').replace('@', '').replace('/', '-'));
  const text = await runProgram({ program: 'tar', args: ['-xOzf', file, 'package/package.json'], env });
  return JSON.parse(text.toString('utf8')) as Record<string, unknown>;
}

function differences(field: string, was: unknown, is: unknown): string[] {
  if (isDeepStrictEqual(was, is)) return [];
  if (typeof was !== 'object' || typeof is !== 'object' || was === null || is === null) return [field];
  const [old, now] = [was as Record<string, unknown>, is as Record<string, unknown>];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => !isDeepStrictEqual(old[name], now[name]));
  return names.map((name) => `${field} ${name} ${JSON.stringify(old[name] ?? null)} -> ${JSON.stringify(now[name] ?? null)}`);
}
