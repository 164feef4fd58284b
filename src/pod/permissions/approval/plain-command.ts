/**
Tells whether a text is one simple command in every usual shell: words of harmless characters and quoted texts, with
blanks between them. The shell expands, joins, redirects, assigns or evaluates nothing, so a rule about the text is a
rule about the program that runs.
*/
export function isPlainCommand(command: string): boolean {
	if (command.length > maxLength || !plain.test(command) || expansion.test(command)) return false;
	const words = command.trim().split(/ +/);
	const [first = ''] = words;
	return (
		!first.includes('=') &&
		!evaluators.has(first.slice(first.lastIndexOf('/') + 1)) &&
		!words.some(word => startsExpansion.test(word))
	);
}

const maxLength = 4096;

/**
A plain word contains no invisible characters, nothing that only looks like a blank, and no special character of the
shell.
*/
const plainWord = [
	String.raw`(?:[\p{L}\p{N}_./:,+@%=^~-]`,
	String.raw`'[^'\p{C}\p{Zl}\p{Zp}]*'`,
	String.raw`"[^"$\x60\\!\p{C}\p{Zl}\p{Zp}]*")+`,
].join('|');
const plain = new RegExp(`^ *${plainWord}(?: +${plainWord})* *$`, 'u');

/** These are not allowed even in quotes, because some builtins expand their arguments (`test -v 'a[$(id)]'`). */
const expansion = /\$[({[]|`/;

/** Such text means a home folder, and in zsh also a program's path or a pattern. */
const startsExpansion = /^[~=^]|[:=]~/;

/** Shell words that turn a text into several commands, and commands that run their arguments. */
const evaluators: ReadonlySet<string> = new Set([
	'if',
	'then',
	'else',
	'elif',
	'fi',
	'for',
	'foreach',
	'while',
	'until',
	'do',
	'done',
	'case',
	'esac',
	'select',
	'function',
	'time',
	'coproc',
	'repeat',
	'.',
	'source',
	'eval',
	'exec',
	'command',
	'builtin',
	'trap',
	'alias',
	'export',
	'declare',
	'typeset',
	'local',
	'readonly',
	'set',
	'shopt',
	'setopt',
	'enable',
	'hash',
	'let',
	'noglob',
	'nocorrect',
	'complete',
	'compgen',
	'bind',
	'mapfile',
	'readarray',
	'read',
	'jobs',
	'fc',
	'unset',
	'emulate',
	'autoload',
	'zmodload',
	'sched',
	'bindkey',
]);
