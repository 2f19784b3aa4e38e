/** The log of a job, which shows annotations and obeys commands in what is printed. */
export interface EngineLog {
  /** The most annotations shown per step. */
  readonly mostAnnotations: number;
  /** Returns a line that shows an error next to the changed files. It is printed unchanged. */
  readonly annotate: (annotation: Annotation) => string;
  /** Returns lines that stop and resume the log's commands. `token`: letters and digits that nobody can guess. */
  readonly mute: (token: string) => { readonly before: string; readonly after: string };
}

/** An error, at a line of a file if that is known. Its texts may contain anything. */
export interface Annotation {
  /** Relative to the repository. */
  readonly file: string | null;
  readonly line: number | null;
  readonly title: string;
  readonly message: string;
}
