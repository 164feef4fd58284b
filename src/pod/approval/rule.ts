import type {RulePlace} from './path-match.ts';
import {isPlainCommand} from './plain-command.ts';
import {rulesFor} from './rule-set.ts';
import type {Rule, Subject} from './rule-types.ts';
import {runsLater} from './runs-later.ts';

export {ruleActions, type Rule, type RuleAction, type Subject} from './rule-types.ts';

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
