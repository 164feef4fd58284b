import type {Shell} from '../start/launch.ts';
import type {Usage} from './usage.ts';

/** The words of an option with a fixed set of values. */
type OptionWords = Readonly<Record<string, readonly string[]>>;

/** Returns a script that completes the arguments of inkpod in a shell. */
export function completions(shell: Shell, usage: Usage, words: OptionWords): string {
	return scripts[shell]({...usage, words});
}

type Completed = Usage & {readonly words: OptionWords};

/** The options whose value is a path. */
const paths: Readonly<Record<string, 'files' | 'folders'>> = {
	cwd: 'folders',
	'add-dir': 'folders',
	manifest: 'files',
	to: 'files',
	'json-schema': 'files',
	'system-prompt-file': 'files',
};

/** The subcommands that take the id of a session. The first column of `inkpod sessions` has ids. */
const takeIds: ReadonlySet<string> = new Set([
	'attach',
	'verify',
	'replay',
	'repair',
	'export',
	'delete',
	'context',
	'notify',
]);
/** The subcommands that also take the file of a bundle. */
const takeBundles: ReadonlySet<string> = new Set(['verify', 'replay']);
const takeIdsOnly = [...takeIds].filter(name => !takeBundles.has(name));
const listIds = `inkpod sessions 2>/dev/null | cut -d' ' -f1`;

const scripts: {readonly [Name in Shell]: (usage: Completed) => string} = {
	bash: usage => `# Completions of inkpod for bash. Add to ~/.bashrc: source <(inkpod completions bash)
_inkpod() {
	local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
	COMPREPLY=()
	case "$before" in
${optionCases(usage, words => `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$word"))`, {
	files: 'COMPREPLY=($(compgen -f -- "$word"))',
	folders: 'COMPREPLY=($(compgen -d -- "$word"))',
})}
	-r | --resume) COMPREPLY=($(compgen -W "$(${listIds})" -- "$word")); return ;;
	esac
	case "$word" in
	-*) COMPREPLY=($(compgen -W '${optionNames(usage).join(' ')}' -- "$word")); return ;;
	esac
	case "\${COMP_WORDS[1]}" in
	${takeIdsOnly.join(' | ')}) COMPREPLY=($(compgen -W "$(${listIds})" -- "$word")); return ;;
	${[...takeBundles].join(' | ')})
		COMPREPLY=($(compgen -W "$(${listIds})" -- "$word") $(compgen -f -- "$word")); return ;;
	import) COMPREPLY=($(compgen -f -- "$word")); return ;;
	completions) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$word")); return ;;
	esac
	[ "$COMP_CWORD" -eq 1 ] && COMPREPLY=($(compgen -W '${names(usage).join(' ')}' -- "$word"))
}
complete -o default -F _inkpod inkpod
`,
	zsh: usage => `#compdef inkpod
# Completions of inkpod for zsh. Save as _inkpod in a folder of $fpath, or add to ~/.zshrc:
#   source <(inkpod completions zsh)
_inkpod() {
	local -a commands options ids
	commands=(
${commandsOf(usage)
	.map(({name, about}) => `\t\t${quoted(`${name}:${about}`)}`)
	.join('\n')}
	)
	options=(
${usage.options.map(({long, about}) => `\t\t${quoted(`--${long}:${about}`)}`).join('\n')}
	)
	case "\${words[CURRENT-1]}" in
${optionCases(usage, words => `compadd -- ${words.join(' ')}`, {files: '_files', folders: '_files -/'})}
	-r | --resume) ids=(\${(f)"$(${listIds})"}); compadd -- $ids; return ;;
	esac
	if [[ "\${words[CURRENT]}" == -* ]]; then _describe option options; return; fi
	if (( CURRENT == 2 )); then _describe command commands; return; fi
	case "\${words[2]}" in
	${takeIdsOnly.join(' | ')}) ids=(\${(f)"$(${listIds})"}); compadd -- $ids ;;
	${[...takeBundles].join(' | ')}) ids=(\${(f)"$(${listIds})"}); compadd -- $ids; _files ;;
	import) _files ;;
	completions) compadd -- bash zsh fish ;;
	esac
}
compdef _inkpod inkpod
`,
	fish: usage => `# Completions of inkpod for fish. Save as ~/.config/fish/completions/inkpod.fish
complete -c inkpod -f
${commandsOf(usage)
	.map(({name, about}) => `complete -c inkpod -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`)
	.join('\n')}
${usage.options.map(option => fishOption(option, usage.words)).join('\n')}
complete -c inkpod -n '__fish_seen_subcommand_from ${[...takeIds].join(' ')}' -a "(${listIds})"
complete -c inkpod -n '__fish_seen_subcommand_from import ${[...takeBundles].join(' ')}' -F
complete -c inkpod -n '__fish_seen_subcommand_from completions' -a 'bash zsh fish'
`,
};

function optionCases(
	{options, words}: Completed,
	ofWords: (words: readonly string[]) => string,
	others: {readonly files: string; readonly folders: string},
): string {
	return options
		.flatMap(({long}) => {
			const found = words[long] ?? paths[long];
			if (found === undefined) return [];
			return [`\t--${long}) ${typeof found === 'string' ? others[found] : ofWords(found)}; return ;;`];
		})
		.join('\n');
}

function fishOption({long, short, value, about}: Usage['options'][number], optionWords: OptionWords): string {
	// The id after -r may be missing, so the help has no value for it.
	if (long === 'resume') return `complete -c inkpod -l resume -s r -x -a "(${listIds})" -d ${quoted(about)}`;
	const found = optionWords[long] ?? paths[long];
	const words =
		found === undefined
			? ''
			: found === 'files'
				? ' -F'
				: typeof found === 'string'
					? ` -a '(__fish_complete_directories)'`
					: ` -a '${found.join(' ')}'`;
	const letter = short === undefined ? '' : ` -s ${short.slice(1)}`;
	// With -x fish would offer no files.
	const needs = value === undefined ? '' : found === 'files' ? ' -r' : ' -x';
	return `complete -c inkpod -l ${long}${letter}${needs}${words} -d ${quoted(about)}`;
}

function optionNames({options}: Usage): readonly string[] {
	return options.flatMap(({long, short}) => [...(short === undefined ? [] : [short]), `--${long}`]);
}

/** Each subcommand once, with the words of its first line. */
function commandsOf({forms}: Usage): ReadonlyArray<{readonly name: string; readonly about: string}> {
	const seen = new Map<string, string>();
	for (const {name, about} of forms) if (name !== undefined && !seen.has(name)) seen.set(name, about);
	return [...seen].map(([name, about]) => ({name, about}));
}

function names(usage: Usage): readonly string[] {
	return commandsOf(usage).map(({name}) => name);
}

function quoted(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
