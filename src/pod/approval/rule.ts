import type {RulePlace} from './path-match.ts';
import {isPlainCommand} from './plain-command.ts';
import {rulesFor} from './rule-set.ts';
import {runsLater} from './runs-later.ts';

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

/**
The first rule that is about a call. A rule that allows must be sure: a command is plainly one simple command, a file
matches by all its names, and a file that other programs execute needs a rule with a `match`. A rule that asks or denies
is about a call as soon as a part of it could be meant. A list is compiled once: it must not change.
*/
export function firstMatch(rules: readonly Rule[], tool: string, subject: Subject): Rule | undefined {
	const about = rulesFor(rules, tool);
	const matching = about.matching(subject);
	return about.rules.find(rule => {
		if (rule.exact !== undefined) return rule.exact === exactText(subject);
		if (rule.match !== undefined && !matching.has(rule)) return false;
		return rule.action !== 'allow' || isSure(subject, rule.match === undefined);
	});
}

/** Whether a rule is about a call. */
export function applies(rule: Rule, tool: string, subject: Subject): boolean {
	return firstMatch([rule], tool, subject) !== undefined;
}

/** The folders that rules for a tool name: links in them are followed at each call. */
export function foldersNamed(rules: readonly Rule[], tool: string, place: RulePlace): readonly string[] {
	return rulesFor(rules, tool).foldersNamed(place);
}

/** Whether other programs execute by themselves what a call writes. */
export function isRunLater(subject: Subject): boolean {
	return subject.kind === 'path' && (subject.isRunLater === true || subject.names.some(runsLater));
}

/** What `exact` is compared with. */
export function exactText(subject: Subject): string {
	if (subject.kind === 'command') return subject.command;
	return subject.kind === 'path' ? (subject.names.at(-1) ?? '') : subject.tool;
}

/** Whether a rule may allow a call that it matches. `isAll`: it has no `match`. */
function isSure(subject: Subject, isAll: boolean): boolean {
	if (subject.kind === 'command') return isPlainCommand(subject.command);
	if (subject.kind === 'tool') return true;
	const isInside = subject.names.every(name => name !== '..' && !name.startsWith('../'));
	return isInside && !(isAll && isRunLater(subject));
}
