import { Unreadable } from './lockfile.js';

/** One top-level key of a lockfile with its content. */
export interface Block {
  /** For `classic` as in the file, with any quotes. */
  readonly key: string;
  /** The fields with plain text values, without `checksum`. */
  readonly texts: ReadonlyMap<string, string>;
  /** For `classic` including optional ones. */
  readonly dependencies: ReadonlyMap<string, string>;
  readonly peerDependencies: ReadonlyMap<string, string>;
  /** The lines below the other fields, by field, unchecked. */
  readonly otherFields: ReadonlyMap<string, readonly string[]>;
}

/**
 * Parses the subset of YAML in which Yarn writes its lockfile, with all values as strings: `5` and `true` stay text. In the order of the
 * file. Throws `Unreadable` for anything else, even for YAML that Yarn would not write. `classic` is the format of Yarn 1: a blank between
 * name and value, several keys on one line, repeated keys. Source: `stringifySyml` of @yarnpkg/parsers.
 *
 * Not `parseSyml` of that package: it takes the last of two equal keys and a missing value without a word, where a wrong answer could follow.
 * It would add 178 kB and 4 ms to each answer of affected.
 */
export function readSyml(text: string, format: 'berry' | 'classic' = 'berry'): readonly Block[] {
  if (format === 'berry') checkPrintable(text);
  return new LineReader(text.split('\n'), format).readAll();
}

const NO_DEPENDENCIES: ReadonlyMap<string, string> = new Map();

/** Characters that YAML never allows, or only in pairs. Source: `PATTERN_NON_PRINTABLE` of js-yaml. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const NOT_PRINTABLE = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]/;

/** Throws `Unreadable` for a text with characters that YAML does not allow. */
export function checkPrintable(text: string): void {
  if (NOT_PRINTABLE.test(text)) throw new Unreadable('it has a control character');
}

/** Text that YAML would not read as a plain string. */
const NOT_PLAIN = /^[\s'[\]{}&*!|>%@`,#]|^[-?:](?:\s|$)|:\s|:$|\s#|\s$/;

const SPACE = 32;
const QUOTE = 34;
const HASH = 35;
const RETURN = 13;

/** Reads line by line: a key at the start of a line, its fields two spaces in, the entries of a field four. */
class LineReader {
  private readonly lines: readonly string[];
  private readonly isClassic: boolean;
  /** The separator between a name and its value. */
  private readonly separator: string;
  private at = 0;

  constructor(lines: readonly string[], format: 'berry' | 'classic') {
    this.lines = lines;
    this.isClassic = format === 'classic';
    this.separator = this.isClassic ? ' ' : ': ';
  }

  readAll(): readonly Block[] {
    const blocks: Block[] = [];
    const keys = new Set<string>();
    for (let line = this.next(); line !== undefined; line = this.next()) {
      const key = this.readKey(line);
      if (keys.has(key) && !this.isClassic) throw this.unreadable('repeats a key');
      keys.add(key);
      blocks.push({ key, ...this.readFields() });
    }
    return blocks;
  }

  /** Returns the next line that is neither empty nor a comment, without the `\r` of a Windows line end. */
  private next(): string | undefined {
    while (this.at < this.lines.length) {
      const line = this.lines[this.at++] ?? '';
      const first = line.charCodeAt(0);
      if (Number.isNaN(first) || first === HASH || first === RETURN) continue;
      return line.charCodeAt(line.length - 1) === RETURN ? line.slice(0, -1) : line;
    }
    return undefined;
  }

  /** Reads a key: `"a@npm:1":`, or for keys over 1,024 characters `? "a@npm:1, …"` with `:` on the next line. */
  private readKey(line: string): string {
    if (line.startsWith('? ')) {
      if (this.next() !== ':') throw this.unreadable('should be ":"');
      return this.readScalar(line.slice(2));
    }
    if (line.charCodeAt(0) === SPACE || !line.endsWith(':')) throw this.unreadable('should begin an entry');
    return this.isClassic ? line.slice(0, -1) : this.readScalar(line.slice(0, -1));
  }

  private readFields(): Omit<Block, 'key'> {
    const texts = new Map<string, string>();
    const otherFields = new Map<string, readonly string[]>();
    let dependencies = NO_DEPENDENCIES;
    let peerDependencies = NO_DEPENDENCIES;
    const fields = new Set<string>();
    while (this.indentation() === 2) {
      const line = this.next() ?? '';
      if (/^ {2}(?:peerD|d)ependencies:/.test(line)) this.noteField(fields, this.fieldName(line));
      if (line === '  dependencies:') dependencies = this.readMap();
      else if (line === '  peerDependencies:') peerDependencies = this.readMap();
      else if (line === '  optionalDependencies:' && this.isClassic) dependencies = new Map([...dependencies, ...this.readMap()]);
      else if (line.endsWith(':')) otherFields.set(this.fieldName(line), this.skipBlock());
      // Checksums are a quarter of the file and not needed.
      else if (!/^ {2}checksum: [\w/+=-]+$/.test(line)) {
        const [name, value] = this.readPair(line, 2);
        this.noteField(fields, name);
        texts.set(name, value);
      }
    }
    if (this.indentation() > 0) throw this.unreadable('is indented too far', this.at + 1);
    return { texts, dependencies, peerDependencies, otherFields };
  }

  /** Returns the name of a field. In another notation (`"dependencies":`), the field would pass as an unknown one. */
  private fieldName(line: string): string {
    if (!/^ {2}\w+:$/.test(line)) throw this.unreadable('has a field in a form that Yarn does not write');
    return line.slice(2, -1);
  }

  /** Rejects a repeated field, which would hide the first one. */
  private noteField(fields: Set<string>, name: string): void {
    if (fields.has(name)) throw this.unreadable(`repeats "${name}"`);
    fields.add(name);
  }

  private readMap(): ReadonlyMap<string, string> {
    const map = new Map<string, string>();
    while (this.indentation() === 4) {
      const [name, value] = this.readPair(this.next() ?? '', 4);
      if (map.has(name)) throw this.unreadable(`repeats "${name}"`);
      map.set(name, value);
    }
    return map;
  }

  /** Skips fields that are not needed. An unclosed quote in one of them would include the lines after it, so the lines are checked. */
  private skipBlock(): readonly string[] {
    const start = this.at;
    let deepest = 4;
    for (let spaces = this.indentation(); spaces >= 4; spaces = this.indentation()) {
      const line = this.next() ?? '';
      if (spaces !== 4 && spaces !== deepest) throw this.unreadable('is indented differently than the line before it');
      if (spaces === 4 && line.endsWith(':') && !this.isClassic) {
        this.readScalar(line.slice(4, -1));
        deepest = 6;
      } else {
        this.readPair(line, spaces);
        if (spaces === 4) deepest = 4;
      }
    }
    return this.lines.slice(start, this.at);
  }

  /** Returns the indent of the next line; 0 for an empty line, a comment and the end. */
  private indentation(): number {
    const line = this.lines[this.at] ?? '';
    let spaces = 0;
    while (line.charCodeAt(spaces) === SPACE) spaces++;
    return line.charCodeAt(spaces) === RETURN || spaces === line.length ? 0 : spaces;
  }

  /** Reads `name: value` or `"name": value`. */
  private readPair(line: string, from: number): [string, string] {
    const { separator } = this;
    const end = line.charCodeAt(from) === QUOTE ? line.indexOf(`"${separator}`, from + 1) + 1 : line.indexOf(separator, from);
    if (end <= 0) throw this.unreadable(`should be "name${separator}value"`);
    return [this.readScalar(line.slice(from, end)), this.readScalar(line.slice(end + separator.length))];
  }

  private readScalar(text: string): string {
    if (text.charCodeAt(0) !== QUOTE) {
      if (text === '' || NOT_PLAIN.test(text)) throw this.unreadable('has a value in a form that Yarn does not write');
      return text;
    }
    const inner = text.slice(1, -1);
    if (!inner.includes('\\') && !inner.includes('"') && text.length > 1 && text.endsWith('"')) return inner;
    try {
      return String(JSON.parse(text));
    } catch {
      throw this.unreadable('has quotes that do not match');
    }
  }

  private unreadable(what: string, line = this.at): Unreadable {
    return new Unreadable(`line ${line} ${what}`);
  }
}
