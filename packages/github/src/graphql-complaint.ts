import { isPlainObject } from '@tributary/model/plain-object';

/** The first error of a GraphQL response. */
export interface Complaint {
  readonly kind: 'forbidden' | 'missing' | 'limit' | 'too much' | 'other';
  readonly message: string;
  /** The last field on the path to the error; `''` if it concerns the whole query. */
  readonly field: string;
  readonly headers: Readonly<Record<string, unknown>> | undefined;
}

const KINDS: Readonly<Record<string, Complaint['kind']>> = {
  FORBIDDEN: 'forbidden',
  INSUFFICIENT_SCOPES: 'forbidden',
  NOT_FOUND: 'missing',
  RATE_LIMITED: 'limit',
  RATE_LIMIT: 'limit',
  MAX_NODE_LIMIT_EXCEEDED: 'too much',
  RESOURCE_LIMITS_EXCEEDED: 'too much',
};

/**
 * Returns the complaint in what octokit threw for a GraphQL response with errors; `undefined` for other errors. Partial data is not used:
 * nothing shows what is missing.
 */
export function complaintIn(error: unknown): Complaint | undefined {
  if (!isPlainObject(error)) return undefined;
  // The throttling plugin throws an error that contains the response.
  const errors = error['errors'] ?? (isPlainObject(error['data']) ? error['data']['errors'] : undefined);
  const [first] = Array.isArray(errors) ? (errors as readonly unknown[]) : [];
  if (!isPlainObject(first)) return undefined;
  const response = isPlainObject(error['response']) ? error['response'] : undefined;
  const headers = error['headers'] ?? response?.['headers'];
  const message = typeof first['message'] === 'string' ? first['message'] : '';
  return {
    kind: kindOf(first['type'], message),
    message,
    field: fieldIn(first['path']),
    headers: isPlainObject(headers) ? headers : undefined,
  };
}

function kindOf(type: unknown, message: string): Complaint['kind'] {
  if (/timed? ?out|Something went wrong while executing/i.test(message)) return 'too much';
  return KINDS[String(type)] ?? 'other';
}

/** Returns the last field name of a path: `["repository", "pullRequests", "nodes", 3, "mergeCommit", "checkSuites"]` → `checkSuites`. */
function fieldIn(path: unknown): string {
  const names = Array.isArray(path) ? path.filter((step): step is string => typeof step === 'string') : [];
  return names.at(-1) ?? '';
}
