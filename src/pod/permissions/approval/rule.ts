import type {RulePlace} from './path-match.ts';
import {isPlainCommand} from './plain-command.ts';
import {rulesFor} from './rule-set.ts';
import type {Rule, Subject} from './rule-types.ts';
import {runsLater} from './runs-later.ts';
import {siteOf} from './url-match.ts';

export {ruleActions, type Rule, type RuleAction, type Subject} from './rule-types.ts';

/**
Returns the first rule that applies to a call. A rule that allows needs certainty: the command is one simple command, or
the file matches by all its names. A file that other programs execute needs a rule with a `match`. A rule that asks or
denies applies as soon as a part of the call could match. A list is compiled once, so the list must not change.
*/
export function firstMatch(rules: readonly Rule[], tool: string, subject: Subject): Rule | undefined {
	const about = rulesFor(rules, tool);
	const matching = about.matching(subject);
	return about.rules.find(rule => {
		// Such a rule never has precedence over a rule that asks, so it is checked later (command-chain.ts).
		if (rule.begins !== undefined) return false;
		if (rule.exact !== undefined) return rule.exact === exactText(subject);
		if (rule.match !== undefined && !matching.has(rule)) return false;
		return rule.action !== 'allow' || isSure(subject, rule.match === undefined);
	});
}

/** Tells whether a rule applies to a call. */
export function applies(rule: Rule, tool: string, subject: Subject): boolean {
	return firstMatch([rule], tool, subject) !== undefined;
}

/** Returns the folders that a tool's rules name. inkpod follows links in them at each call. */
export function foldersNamed(rules: readonly Rule[], tool: string, place: RulePlace): readonly string[] {
	return rulesFor(rules, tool).foldersNamed(place);
}

/** Tells whether other programs execute the written file by themselves. */
export function isRunLater(subject: Subject): boolean {
	return subject.kind === 'path' && (subject.isRunLater === true || subject.names.some(runsLater));
}

/** Returns the text that is compared with `exact`. A whole site is allowed at once. */
export function exactText(subject: Subject): string {
	return subject.kind === 'url' ? siteOf(subject.url) : subjectText(subject);
}

/** Returns the command, path or address of a call, or the name of its tool. */
export function subjectText(subject: Subject): string {
	if (subject.kind === 'command') return subject.command;
	if (subject.kind === 'url') return subject.url;
	return subject.kind === 'path' ? (subject.names.at(-1) ?? '') : subject.tool;
}

/** Tells whether a rule may allow a call that it matches. `isAll`: it has no `match`. */
function isSure(subject: Subject, isAll: boolean): boolean {
	if (subject.kind === 'command') return isPlainCommand(subject.command);
	if (subject.kind === 'tool' || subject.kind === 'url') return true;
	const isInside = subject.names.every(name => name !== '..' && !name.startsWith('../'));
	return isInside && !(isAll && isRunLater(subject));
}
