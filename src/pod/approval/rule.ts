import {commandParts} from './command-parts.ts';
import {possiblyNames, surelyNames, type RulePlace} from './path-match.ts';
import {isPlainCommand} from './plain-command.ts';
import {runsLater} from './runs-later.ts';
import {compileTextGlob, matchesText, type Places} from './text-glob.ts';

/**
A decision about some calls in advance. `tool`: a glob over the tool's name. `match`: a glob over what the call is about
(see Subject); absent: every call of the tool. `exact` instead of it: the same text that the user saw.
*/
export type Rule = {
	readonly tool: string;
	readonly match?: string | undefined;
	readonly exact?: string | undefined;
	readonly action: RuleAction;
};
export const ruleActions = ['allow', 'ask', 'deny'] as const;
export type RuleAction = (typeof ruleActions)[number];

/** What a call is about. */
export type Subject =
	| {readonly kind: 'command'; readonly command: string}
	/**
	`names`: from `pwd`; the last one is the real place of the file. `isRunLater`: its tool knows that other programs
	execute it.
	*/
	| {
			readonly kind: 'path';
			readonly names: readonly string[];
			readonly place: RulePlace;
			readonly isRunLater?: boolean;
	  }
	| {readonly kind: 'tool'; readonly tool: string};

/** The first rule that is about a call. */
export function firstMatch(rules: readonly Rule[], tool: string, subject: Subject): Rule | undefined {
	return rules.find(rule => applies(rule, tool, subject));
}

/**
Whether a rule is about a call. A rule that allows must be sure: a command is plainly one simple command, a file matches
by all its names, and a file that other programs execute needs a rule with a `match`. A rule that asks or denies is
about a call as soon as a part of it could be meant.
*/
export function applies({tool: tools, match, exact, action}: Rule, tool: string, subject: Subject): boolean {
	if (!matchesText(tools, tool)) return false;
	if (exact !== undefined) return exact === exactText(subject);
	return action === 'allow'
		? surelyMatches(match ?? '*', subject, match === undefined)
		: possiblyMatches(match ?? '*', subject, match === undefined);
}

/** Whether other programs execute by themselves what a call writes. */
export function isRunLater(subject: Subject): boolean {
	return subject.kind === 'path' && (subject.isRunLater === true || subject.names.some(runsLater));
}

/** What `exact` is compared with. */
export function exactText(subject: Subject): string {
	if (subject.kind === 'command') return subject.command;
	return subject.kind === 'path' ? subject.names.at(-1)! : subject.tool;
}

function surelyMatches(match: string, subject: Subject, isAll: boolean): boolean {
	if (subject.kind === 'command')
		return isPlainCommand(subject.command) && matchesText(match, subject.command.trim());
	if (subject.kind === 'tool') return matchesText(match, subject.tool);
	if (isAll && isRunLater(subject)) return false;
	const isInside = subject.names.every(name => name !== '..' && !name.startsWith('../'));
	return isInside && (isAll || surelyNames(match, subject.place));
}

function possiblyMatches(match: string, subject: Subject, isAll: boolean): boolean {
	if (isAll) return true;
	if (subject.kind === 'command') {
		const glob = compileTextGlob(match);
		return glob.matches(subject.command.trim()) || partsOf(subject).some(part => glob.mightMatch(part));
	}
	if (subject.kind === 'tool') return matchesText(match, subject.tool);
	return possiblyNames(match, subject.place);
}

/** The parts of each judged command: all rules are compared with the same parts. */
const knownParts = new WeakMap<Subject, readonly Places[]>();

function partsOf(subject: Extract<Subject, {kind: 'command'}>): readonly Places[] {
	const parts = knownParts.get(subject) ?? commandParts(subject.command);
	knownParts.set(subject, parts);
	return parts;
}
