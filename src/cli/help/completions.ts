import type {Shell} from '../start/launch.ts';
import type {Completes} from '../start/options.ts';
import type {Table} from '../start/subcommand.ts';
import {aboutForm, formsOf, usedOptions, type UsedOption} from './usage.ts';

/** Returns a script that completes the arguments of inkpod in a shell. */
export function completions(shell: Shell, table: Table): string {
	const named = table.filter(({name}) => name !== '');
	return scripts[shell]({
		options: usedOptions(table),
		commands: named.map(entry => ({
			name: entry.name,
			about: formsOf(entry)
				.slice(0, 1)
				.map(form => aboutForm(form))
				.join(''),
		})),
		groups: [...Map.groupBy(named, ({completes}) => completes)].flatMap(([completes, entries]) =>
			completes === undefined ? [] : [{completes, names: entries.map(({name}) => name)}],
		),
	});
}

type Completed = {
	readonly options: readonly UsedOption[];
	readonly commands: ReadonlyArray<{readonly name: string; readonly about: string}>;
	/** The subcommands whose words are completed in the same way. */
	readonly groups: ReadonlyArray<{readonly completes: Completes; readonly names: readonly string[]}>;
};

/** The command that lists session ids: the first column of `inkpod sessions`. */
const listIds = `inkpod sessions 2>/dev/null | cut -d' ' -f1`;

const scripts: {readonly [Name in Shell]: (completed: Completed) => string} = {
	bash: ({
		options,
		commands,
		groups,
	}) => `# Completions of inkpod for bash. Add to ~/.bashrc: source <(inkpod completions bash)
_inkpod() {
	local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
	COMPREPLY=()
	case "$before" in
${optionCases(options, inBash)}
	esac
	case "$word" in
	-*) COMPREPLY=($(compgen -W '${options.flatMap(typedNames).join(' ')}' -- "$word")); return ;;
	esac
	case "\${COMP_WORDS[1]}" in
${groups.map(({completes, names}) => `\t${names.join(' | ')}) ${inBash(completes)}; return ;;`).join('\n')}
	esac
	[ "$COMP_CWORD" -eq 1 ] && COMPREPLY=($(compgen -W '${commands.map(({name}) => name).join(' ')}' -- "$word"))
}
complete -o default -F _inkpod inkpod
`,
	zsh: ({options, commands, groups}) => `#compdef inkpod
# Completions of inkpod for zsh. Save as _inkpod in a folder of $fpath, or add to ~/.zshrc:
#   source <(inkpod completions zsh)
_inkpod() {
	local -a commands options ids
	commands=(
${commands.map(({name, about}) => `\t\t${quoted(`${name}:${about}`)}`).join('\n')}
	)
	options=(
${options.map(({name, about}) => `\t\t${quoted(`--${name}:${about}`)}`).join('\n')}
	)
	case "\${words[CURRENT-1]}" in
${optionCases(options, inZsh)}
	esac
	if [[ "\${words[CURRENT]}" == -* ]]; then _describe option options; return; fi
	if (( CURRENT == 2 )); then _describe command commands; return; fi
	case "\${words[2]}" in
${groups.map(({completes, names}) => `\t${names.join(' | ')}) ${inZsh(completes)} ;;`).join('\n')}
	esac
}
compdef _inkpod inkpod
`,
	fish: ({
		options,
		commands,
		groups,
	}) => `# Completions of inkpod for fish. Save as ~/.config/fish/completions/inkpod.fish
complete -c inkpod -f
${commands
	.map(({name, about}) => `complete -c inkpod -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`)
	.join('\n')}
${options.map(fishOption).join('\n')}
${groups
	.map(({completes, names}) => {
		return `complete -c inkpod -n '__fish_seen_subcommand_from ${names.join(' ')}'${inFish(completes)}`;
	})
	.join('\n')}
`,
};

function optionCases(options: readonly UsedOption[], inShell: (completes: Completes) => string): string {
	return options
		.flatMap(option => {
			if (option.completes === undefined) return [];
			return [`\t${typedNames(option).join(' | ')}) ${inShell(option.completes)}; return ;;`];
		})
		.join('\n');
}

function inBash(completes: Completes): string {
	const ids = `$(compgen -W "$(${listIds})" -- "$word")`;
	switch (completes) {
		case 'files':
			return 'COMPREPLY=($(compgen -f -- "$word"))';
		case 'folders':
			return 'COMPREPLY=($(compgen -d -- "$word"))';
		case 'sessions':
			return `COMPREPLY=(${ids})`;
		case 'sessions and files':
			return `COMPREPLY=(${ids} $(compgen -f -- "$word"))`;
		default:
			return `COMPREPLY=($(compgen -W '${completes.join(' ')}' -- "$word"))`;
	}
}

function inZsh(completes: Completes): string {
	const ids = `ids=(\${(f)"$(${listIds})"}); compadd -- $ids`;
	switch (completes) {
		case 'files':
			return '_files';
		case 'folders':
			return '_files -/';
		case 'sessions':
			return ids;
		case 'sessions and files':
			return `${ids}; _files`;
		default:
			return `compadd -- ${completes.join(' ')}`;
	}
}

function inFish(completes: Completes): string {
	switch (completes) {
		case 'files':
			return ' -F';
		case 'folders':
			return ` -a '(__fish_complete_directories)'`;
		case 'sessions':
			return ` -a "(${listIds})"`;
		case 'sessions and files':
			return ` -F -a "(${listIds})"`;
		default:
			return ` -a '${completes.join(' ')}'`;
	}
}

function fishOption({name, short, value, completes, about}: UsedOption): string {
	const letter = short === undefined ? '' : ` -s ${short}`;
	// With -x, fish would not complete file names.
	const needs = value === undefined ? '' : completes === 'files' ? ' -r' : ' -x';
	const words = completes === undefined ? '' : inFish(completes);
	return `complete -c inkpod -l ${name}${letter}${needs}${words} -d ${quoted(about)}`;
}

function typedNames({name, short}: UsedOption): readonly string[] {
	return [...(short === undefined ? [] : [`-${short}`]), `--${name}`];
}

function quoted(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
