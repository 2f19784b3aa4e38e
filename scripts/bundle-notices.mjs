// The packages whose code a bundle holds, and their notices.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns whether a module belongs to a third-party package. Such a package has a separate file: short names make yaml a third smaller, and
 * only its authors read its stack traces.
 */
export function isForeign(module) {
  return /[\\/]node_modules[\\/]/.test(module);
}

/** Returns the nearest package.json with a name: one without a name only sets the module format of a folder. */
export function packageOf(file) {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = existsSync(join(folder, 'package.json')) ? JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) : {};
    if (manifest.name !== undefined) return { folder, manifest };
  }
  throw new Error(`${file} belongs to no package`);
}

/**
 * Returns name, version, licence and notice of every package with at least one byte in `out` of a tool's folder. `shipped`: the bundled files,
 * relative to the folder.
 */
export function thirdPartyNotices(folder, shipped) {
  const files = [...shipped]
    .map((file) => resolve(folder, file))
    .concat(mappedSources(join(folder, 'out')))
    .filter(isForeign);
  const homes = files.map((file) => packageOf(file)).filter((home) => isForeign(join(home.folder, 'package.json')));
  const packages = new Map(homes.map((home) => [`${home.manifest.name} ${home.manifest.version}`, home]));
  const parts = [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([title, home]) => notice(title, home));
  const first = 'The files of this folder contain code of the following packages, under the licences that stand below each name.\n';
  return [first, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}

/** Returns the sources in all source maps. A package may itself be a bundle with third-party code, which only its map lists. */
function mappedSources(out) {
  const maps = readdirSync(out).filter((file) => file.endsWith('.map'));
  return maps.flatMap((file) => JSON.parse(readFileSync(join(out, file), 'utf8')).sources.map((source) => resolve(out, source)));
}

function notice(title, { folder, manifest }) {
  const licence = typeof manifest.license === 'string' ? manifest.license : manifest.license?.type;
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file) && !/\.(js|json)$/.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (!files.some((file) => /^(licen[cs]e|copying)/i.test(file))) texts.unshift(licenceByName(title, licence, manifest));
  return [title, `Licence: ${licence ?? 'see below'}`, ...texts].join('\n\n').concat('\n');
}

/** Returns the text for a package that gives only the name of its licence. Throws for a licence whose text is not in `scripts/licences`. */
function licenceByName(title, licence, { author, name }) {
  const file = fileURLToPath(new URL(`./licences/${licence}.txt`, import.meta.url));
  if (!existsSync(file)) throw new Error(`${title} has no licence file, and scripts/licences has no text for "${licence}"`);
  const holder = name.startsWith('@yarnpkg/') ? 'Yarn Contributors' : (author?.name ?? author ?? `the authors of ${name}`);
  return `Copyright (c) ${holder}\n\n${readFileSync(file, 'utf8').trim()}`;
}
