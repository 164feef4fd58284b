import {coversWords, isFilter, patternOf, type CommandPattern} from './command-starts.ts';
import {firstMatch, type Rule} from './rule.ts';
import {isPlainCommand} from './plain-command.ts';

/** The rules of a session in the lists of `Rules`. */
type Lists = {readonly user: readonly Rule[]; readonly project: readonly Rule[]; readonly answered: readonly Rule[]};

/**
Tells whether a rule or a pattern allows each simple command of a chain. If another command of the chain is allowed,
`head`, `tail`, `wc` and `sort` without a file are allowed, too.
*/
export function allowsChain(command: string, tool: string, lists: Lists): boolean {
	const parts = commandsToAllow(command);
	return parts !== undefined && parts.length > 0 && parts.every(part => allows(part, tool, lists));
}

/**
Returns the patterns that would allow a command, without patterns for parts that are already allowed. Returns
`undefined` if one of its simple commands has no pattern, or if the patterns are too many for a card.
*/
export function patternsFor(command: string, tool: string, lists: Lists): readonly CommandPattern[] | undefined {
	const parts = commandsToAllow(command)?.filter(part => !allows(part, tool, lists)) ?? [];
	const found = new Map<string, CommandPattern>();
	for (const {words} of parts) {
		const pattern = patternOf(words);
		if (pattern === undefined) return undefined;
		found.set(pattern.join(' '), pattern);
	}
	return found.size === 0 || found.size > maxPatterns ? undefined : [...found.values()];
}

const maxPatterns = 3;

function commandsToAllow(command: string): readonly SimpleCommand[] | undefined {
	return simpleCommands(command)?.filter(({words}) => !isFilter(words));
}

/** A rule that asks or denies was already compared with the whole command. Here it also applies to each part. */
function allows({text, words}: SimpleCommand, tool: string, {user, project, answered}: Lists): boolean {
	const subject = {kind: 'command', command: text} as const;
	const rules = [user, project].map(list => firstMatch(list, tool, subject)?.action);
	if (rules.includes('deny') || rules.includes('ask')) return false;
	if (rules.includes('allow') || firstMatch(answered, tool, subject) !== undefined) return true;
	return answered.some(
		rule =>
			rule.action === 'allow' &&
			rule.tool === tool &&
			rule.begins !== undefined &&
			coversWords(rule.begins, words),
	);
}

/** One simple command of a chain: its text without redirections, and its words without quotes. */
type SimpleCommand = {readonly text: string; readonly words: readonly string[]};

/**
Returns the simple commands that `&&`, `||`, `;` and `|` join. A redirection to the same output (`2>&1`) or to
`/dev/null` may follow the words of a command. Returns `undefined` for a text with anything else in it: another
redirection, an expansion, an assignment, a group, a job in the background or a new line.
*/
function simpleCommands(command: string): readonly SimpleCommand[] | undefined {
	if (command.length > maxLength) return undefined;
	const texts = textsOf(command);
	if (texts === undefined || texts.length > maxCommands || !texts.every(isPlainCommand)) return undefined;
	return texts.map(text => ({text: text.trim(), words: wordsOf(text)}));
}

const maxLength = 4096;

const maxCommands = 20;

/** Returns the texts between the operators, or `undefined` if a character has another meaning for the shell. */
function textsOf(command: string): readonly string[] | undefined {
	const texts = [''];
	let read = 0;
	let isRedirected = false;
	for (const [piece] of command.matchAll(pieces)) {
		read += piece.length;
		if (operator.test(piece)) {
			texts.push('');
			isRedirected = false;
		} else if (redirection.test(piece)) isRedirected = true;
		// In `ls 2>&1 file` the shell reads the word after the redirection as an argument. inkpod does not support this
		// form.
		else if (isRedirected && piece !== ' ') return undefined;
		else texts[texts.length - 1] += piece;
	}
	return read === command.length ? texts : undefined;
}

/** The flag `y` ends the matching at a character that begins no piece, so no character is skipped. */
const pieces = /(?:(?<! ) +(?:2>&1|[12]?>\/dev\/null)(?=[ ;|]|&&|$))|'[^']*'|"[^"]*"|&&|\|\||[;|]|[^'"&|;<>]/gy;

const operator = /^(?:&&|\|\||;|\|)$/;

const redirection = /^ +[12]?>/;

/** Outside single quotes a plain command contains no backslash, so no quote is escaped. */
function wordsOf(text: string): readonly string[] {
	const words = text.match(/(?:'[^']*'|"[^"]*"|[^ '"])+/g) ?? [];
	return words.map(word => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}
