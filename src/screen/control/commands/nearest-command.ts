import {commandNames, type CommandName} from '../../model/commands/commands.ts';

/** Returns the command that you probably meant: one typing error away, or a command that begins with the word. */
export function nearestCommand(text: string): CommandName | undefined {
	const word = /^\/(?<word>[a-z-]{2,20})(?=\s|$)/i.exec(text)?.groups?.['word']?.toLowerCase();
	if (word === undefined) return undefined;
	return commandNames.find(name => name.startsWith(word)) ?? commandNames.find(name => isOneSlip(word, name));
}

/** Tells whether a word has one letter too many, too few or wrong, or two swapped letters. */
function isOneSlip(word: string, name: string): boolean {
	let start = 0;
	while (start < word.length && word[start] === name[start]) start++;
	const [wordRest, nameRest] = [word.slice(start), name.slice(start)];
	const swapped =
		wordRest.length > 1 &&
		wordRest[0] === nameRest[1] &&
		wordRest[1] === nameRest[0] &&
		wordRest.slice(2) === nameRest.slice(2);
	return (
		swapped ||
		wordRest.slice(1) === nameRest.slice(1) ||
		wordRest.slice(1) === nameRest ||
		wordRest === nameRest.slice(1)
	);
}
