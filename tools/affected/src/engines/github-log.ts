import type { Annotation, EngineLog } from './engine-log.js';

/**
 * The log of GitHub Actions. While commands are stopped, it only recognises the token, and hides it in the log. Source: docs.github.com,
 * "Workflow commands for GitHub Actions"; actions/runner, `ActionCommand`.
 */
export const githubLog: EngineLog = {
  mostAnnotations: 10,
  annotate: errorCommand,
  mute: (token) => ({ before: `::stop-commands::${token}\n`, after: `\n::${token}::\n` }),
};

function errorCommand({ file, line, title, message }: Annotation): string {
  const properties = [
    ...(file === null ? [] : [`file=${escapeProperty(file)}`]),
    ...(file === null || line === null ? [] : [`line=${line}`]),
    `title=${escapeProperty(title)}`,
  ];
  return `::error ${properties.join(',')}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replace(/[%\r\n]/g, escaped);
}

function escapeProperty(text: string): string {
  return text.replace(/[%\r\n:,]/g, escaped);
}

function escaped(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
