import {isPlainCommand} from './plain-command.ts';

/** One simple command of a chain: its text without redirections, and its words without quotes. */
export type SimpleCommand = {readonly text: string; readonly words: readonly string[]};

/**
Returns the simple commands that `&&`, `||`, `;` and `|` join. A redirection to the same output (`2>&1`) or to
`/dev/null` may follow their words. Returns `undefined` for a text with anything else in it: another redirection,
an expansion, an assignment, a group, a job in the background or a new line.
*/
export function simpleCommands(command: string): readonly SimpleCommand[] | undefined {
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
		// In `ls 2>&1 file` the shell reads the word after the redirection as an argument. No rule needs that.
		else if (isRedirected && piece !== ' ') return undefined;
		else texts[texts.length - 1] += piece;
	}
	return read === command.length ? texts : undefined;
}

/** A character that begins no piece ends the matching (`y`), so it is never skipped. */
const pieces = /(?:(?<! ) +(?:2>&1|[12]?>\/dev\/null)(?=[ ;|]|&&|$))|'[^']*'|"[^"]*"|&&|\|\||[;|]|[^'"&|;<>]/gy;
const operator = /^(?:&&|\|\||;|\|)$/;
const redirection = /^ +[12]?>/;

/** A plain command contains no backslash outside single quotes, so a quote always means itself. */
function wordsOf(text: string): readonly string[] {
	const words = text.match(/(?:'[^']*'|"[^"]*"|[^ '"])+/g) ?? [];
	return words.map(word => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}
