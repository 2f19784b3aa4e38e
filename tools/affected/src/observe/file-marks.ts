// How a process tells the tracer which test file it runs: it looks up a path that does not exist, in affected's own temporary folder. The
// trace shows the look-up in its place between the calls of this process.

/**
 * What a process works on from a mark on. `file`: a test file, as an absolute path. `index`: jest finds test files, and reads all files of the
 * project for that. `search`: node's runner finds test files, and only looks them up. `shared`: anything that counts for every test file.
 */
export type FileMark = { readonly file: string } | 'index' | 'search' | 'shared';

/** Returns the path to look up. `own`: the folder of the hook. */
export function pathOfMark(own: string, mark: FileMark): string {
  return typeof mark === 'string' ? `${own}${PLACE}${mark}` : `${own}${PLACE}file${mark.file}`;
}

/** Returns the mark that a look-up is; `undefined` if it is an ordinary one. */
export function markIn(path: string): FileMark | undefined {
  const at = path.indexOf(PLACE);
  if (at < 0 || !/\/affected-tasks-\w+$/.test(path.slice(0, at))) return undefined;
  const mark = path.slice(at + PLACE.length);
  if (mark === 'index' || mark === 'search' || mark === 'shared') return mark;
  return mark.startsWith('file/') ? { file: mark.slice('file'.length) } : undefined;
}

const PLACE = '/test-files-mark/';

/** Returns what readings after a mark belong to: a file, or one of the words `index` and `search`; `undefined`: they are shared. */
export function ownerOf(mark: FileMark): string | undefined {
  if (mark === 'shared') return undefined;
  return typeof mark === 'string' ? mark : mark.file;
}

export function isTestFile(owner: string | undefined): owner is string {
  return owner?.startsWith('/') === true;
}

/** The readings of a task are kept by their owner: `<task>` for the shared ones, otherwise `<task>\n<owner>`. */
export function keyOfReadings(task: string, file: string | undefined): string {
  return file === undefined ? task : `${task}\n${file}`;
}

/** Returns the task and the owner of a key. */
export function partsOfKey(key: string): { readonly task: string; readonly file: string | undefined } {
  const cut = key.indexOf('\n');
  return cut < 0 ? { task: key, file: undefined } : { task: key.slice(0, cut), file: key.slice(cut + 1) };
}
