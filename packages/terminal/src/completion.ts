import { Argument, type Command, type Option } from 'commander';
import { refuseJson } from './global-options.js';
import { completeCommands } from './late-details.js';
import type { Ui } from './ui.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

/**
 * Adds `<tool> completion <shell>`, which writes the script to stdout. Add it last: it completes the commands that exist when it runs.
 * `main`: a command that runs without its name, if the help of the program lacks its options.
 */
export function addCompletionCommand(program: Command, ui: Pick<Ui, 'data'>, main?: Command): Command {
  const load = { bash: 'source <(X completion bash)', zsh: 'source <(X completion zsh)', fish: 'X completion fish | source' };
  const how = SHELLS.map((shell) => `  ${shell}: ${load[shell].replace('X', program.name())}`).join('\n');
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Prints a completion script for a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', `\nLoad it when the shell starts:\n${how}`)
    .action((shell: Shell, _options, command: Command) => {
      refuseJson(command, 'a shell');
      ui.data(completionScript(program, shell, main));
    });
  return program;
}

/** Returns a script that completes commands, options and their fixed values; it completes everything else as a file. */
export function completionScript(program: Command, shell: Shell, main?: Command): string {
  completeCommands(program);
  const [root, ...rest] = completionsOf(program);
  const completions = [
    ...(root === undefined ? [] : [{ ...root, options: [...(main?.options.filter(({ hidden }) => !hidden) ?? []), ...root.options] }]),
    ...rest,
  ];
  const title = `# ${shell} completion for ${program.name()}\n`;
  switch (shell) {
    case 'bash':
      return title + bashScript(program, completions);
    case 'zsh':
      // zsh can run bash completion functions.
      return `${title}autoload -U +X compinit bashcompinit && compinit && bashcompinit\n${bashScript(program, completions)}`;
    case 'fish':
      return title + fishScript(program, completions);
  }
}

/** A command as the shell sees it. `at` is ` import list` for `tool import list`, and empty for the tool itself. */
interface CommandCompletion {
  readonly at: string;
  readonly commands: readonly Command[];
  readonly options: readonly Option[];
  /** The values that its first argument accepts. */
  readonly choices: readonly string[];
}

function completionsOf(command: Command, at = ''): readonly CommandCompletion[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  const completion = { at, commands, options, choices: command.registeredArguments[0]?.argChoices ?? [] };
  return [completion, ...commands.flatMap((child) => completionsOf(child, `${at} ${child.name()}`))];
}

function bashScript(program: Command, completions: readonly CommandCompletion[]): string {
  const cases = completions.map(({ at, commands, options, choices }) => {
    const words = [...commands.map((command) => command.name()), ...choices].join(' ');
    return `    ${quote(at)}) words=${quote(words)} options=${quote(options.flatMap(flagsOf).join(' '))} ;;\n`;
  });
  const values = completions
    .flatMap(({ at, options }) => options.map((option) => ({ at, option })))
    .filter(({ option }) => option.argChoices !== undefined)
    .map(({ at, option }) => {
      const patterns = flagsOf(option).map((flag) => quote(`${at} ${flag}`));
      return `    ${patterns.join('|')}) words=${quote((option.argChoices ?? []).join(' '))} ;;\n`;
    });
  return `${functionName(program)}() {
  local at='' i words='' options=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${commandPatterns(completions, '|')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in
${cases.join('')}  esac
  case "$at \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join('')}  esac
  case "\${COMP_WORDS[COMP_CWORD]}" in -*) words=$options ;; esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F ${functionName(program)} ${program.name()}
`;
}

function fishScript(program: Command, completions: readonly CommandCompletion[]): string {
  const lines = completions.flatMap(({ at, commands, options, choices }) => {
    const start = `complete -c ${program.name()} -n ${quote(`${functionName(program)}_at "${at}"`)}`;
    return [
      ...commands.map((command) => `${start} -f -a ${quote(command.name())} -d ${quote(command.summary() || command.description())}`),
      ...choices.map((choice) => `${start} -f -a ${quote(choice)}`),
      ...options.map((option) => `${start} ${fishFlags(option)} -d ${quote(option.description)}`),
    ];
  });
  return `function ${functionName(program)}_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${commandPatterns(completions, ' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function fishFlags({ long, short, required, optional, argChoices }: Option): string {
  const names = [...(long ? [`-l ${long.slice(2)}`] : []), ...(short ? [`-s ${short.slice(1)}`] : [])];
  const value = argChoices !== undefined ? [`-x -a ${quote(argChoices.join(' '))}`] : required || optional ? ['-r'] : [];
  return [...names, ...value].join(' ');
}

function commandPatterns(completions: readonly CommandCompletion[], separator: string): string {
  return completions.flatMap(({ at, commands }) => commands.map((command) => quote(`${at} ${command.name()}`))).join(separator);
}

function flagsOf({ long, short }: Option): string[] {
  return [long, short].filter((flag) => flag !== undefined && flag !== null);
}

function functionName(program: Command): string {
  return `_${program.name().replaceAll(/\W/g, '_')}`;
}

/** Returns the text in single quotes, where nothing is special. Shells differ in how to write a quote inside, so it is replaced. */
function quote(text: string): string {
  return `'${text.replaceAll("'", '’').replaceAll('\\', '/')}'`;
}
