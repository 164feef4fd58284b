import {coversWords, isFilter, patternOf, type CommandPattern} from './command-pattern.ts';
import {firstMatch, type Rule} from './rule.ts';
import {simpleCommands, type SimpleCommand} from './simple-commands.ts';

/** The rules of a session in the lists of `Rules`. */
type Lists = {readonly user: readonly Rule[]; readonly project: readonly Rule[]; readonly answered: readonly Rule[]};

/**
Tells whether each simple command of a chain is allowed: by a rule, or by a pattern. `head`, `tail`, `wc` and `sort`
without a file are allowed beside such a command.
*/
export function allowsChain(command: string, tool: string, lists: Lists): boolean {
	const parts = commandsToAllow(command);
	return parts !== undefined && parts.length > 0 && parts.every(part => allows(part, tool, lists));
}

/**
Returns the patterns that would allow a command, without those that it does not need. Returns `undefined` if there are
none for one of its simple commands, or too many to read on a card.
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

/** A rule that asks or denies has already been compared with the whole command. It counts for a part, too. */
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
