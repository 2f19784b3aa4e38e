import { isRecord } from '@tributary/model/record';
/** The webhook event that started a workflow: JSON whose fields are looked at one by one. */
export type GitHubEvent = (...names: readonly string[]) => unknown;

/** What a file of an event holds, or one sentence why it cannot be known. */
export type EventReading = { readonly field: GitHubEvent } | { readonly failed: string };

/** `readEvent` may throw whatever it likes. Nothing of the file, nor its path, is repeated in the reason. */
export function parseGitHubEvent(path: string | undefined, readEvent: (path: string) => string): EventReading {
  if (path === undefined) return { failed: 'GITHUB_EVENT_PATH is not set' };
  let text: string;
  try {
    text = readEvent(path);
  } catch {
    return { failed: 'the file of the event (GITHUB_EVENT_PATH) cannot be read' };
  }
  try {
    const event: unknown = JSON.parse(text);
    if (isRecord(event)) return { field: (...names) => names.reduce<unknown>(fieldOf, event) };
  } catch {
    // Told below.
  }
  return { failed: 'the file of the event (GITHUB_EVENT_PATH) holds no JSON object' };
}

function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
