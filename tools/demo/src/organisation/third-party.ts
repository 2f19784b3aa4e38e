import type { PublishedPackage } from '@tributary/test-repo/local-registry';
import { file } from './story.js';

/** A third-party package: small, fictional, and with the same code in all versions. */
interface ThirdParty {
  readonly name: string;
  readonly versions: readonly string[];
  readonly code: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const THIRD_PARTIES: readonly ThirdParty[] = [
  {
    name: 'shoreline',
    versions: ['1.0.0', '1.1.0', '2.0.0'],
    code: file('module.exports = function round(value, digits = 0) {', '  return Number(value.toFixed(digits));', '};'),
  },
  {
    name: 'plumbob',
    versions: ['1.2.0', '1.4.1', '2.0.0', '2.3.0', '3.0.1'],
    code: file(
      'exports.number = function number(value, name) {',
      "  if (typeof value !== 'number' || Number.isNaN(value)) throw new TypeError(name + ' must be a number');",
      '  return value;',
      '};',
    ),
  },
  {
    name: 'ledgerly',
    versions: ['1.0.3', '1.2.0', '2.1.0'],
    code: file('exports.total = function total(amounts) {', '  return amounts.reduce((sum, amount) => sum + amount, 0);', '};'),
  },
  {
    name: 'hexmatch',
    versions: ['1.1.0', '1.1.4'],
    code: file("exports.bytes = (text) => [...Buffer.from(text, 'hex')];", "exports.text = (bytes) => Buffer.from(bytes).toString('hex');"),
  },
  { name: 'driftwood', versions: ['1.0.0', '2.0.0'], code: file('exports.clone = structuredClone;') },
  {
    name: 'almanack',
    versions: ['1.5.0', '2.0.0', '2.2.0'],
    code: file(
      'exports.minutesBetween = (from, to) => (Date.parse(to) - Date.parse(from)) / 60000;',
      'exports.isWeekend = (day) => [0, 6].includes(new Date(day).getUTCDay());',
    ),
  },
  {
    name: 'saltbox',
    versions: ['1.0.0', '1.3.0', '2.0.0'],
    dependencies: { driftwood: '^1.0.0' },
    code: file(
      'exports.keep = function keep(work) {',
      '  const kept = new Map();',
      '  return (key) => kept.get(key) ?? kept.set(key, work(key)).get(key);',
      '};',
    ),
  },
  {
    name: 'bellbuoy',
    versions: ['3.1.0', '3.2.0', '4.0.0'],
    code: file("const { EventEmitter } = require('node:events');", 'exports.bell = () => new EventEmitter();'),
  },
  {
    name: 'tidewait',
    versions: ['0.9.2', '1.0.0'],
    dependencies: { bellbuoy: '^3.1.0' },
    code: file('exports.wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));'),
  },
  { name: 'semaflag', versions: ['1.0.0', '1.1.0'], code: file('exports.flags = (list) => ({ has: (flag) => list.includes(flag) });') },
  {
    name: 'mooring',
    versions: ['1.0.0', '2.0.0', '2.1.0'],
    code: file('exports.near = (actual, expected, within = 1e-6) => Math.abs(actual - expected) <= within;'),
  },
  { name: 'quaylog', versions: ['2.4.0', '2.5.1', '3.0.0'], code: file('exports.log = (...words) => words.join(" ");') },
];

/** Returns every version of every third-party package that the organisation uses, older versions first. */
export function thirdPartyPackages(): PublishedPackage[] {
  return THIRD_PARTIES.flatMap(({ name, versions, code, dependencies = {} }) =>
    versions.map((version) => ({
      manifest: { name, version, license: 'MIT', main: 'index.js', dependencies },
      files: { 'index.js': code },
    })),
  );
}
