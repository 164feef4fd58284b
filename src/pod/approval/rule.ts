import {commandParts} from './command-parts.ts';
import {compilePathMatch, type PathMatch, type RulePlace} from './path-match.ts';
import {isPlainCommand} from './plain-command.ts';
import {runsLater} from './runs-later.ts';
import {compileTextGlob, passageOf, type Passage, type TextGlob} from './text-glob.ts';

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
export function applies(rule: Rule, tool: string, subject: Subject): boolean {
	const {exact, action} = rule;
	const compiled = compiledRule(rule);
	if (!compiled.tool.matches(tool)) return false;
	if (exact !== undefined) return exact === exactText(subject);
	return action === 'allow' ? surelyMatches(compiled, subject) : possiblyMatches(compiled, subject);
}

/** The folders that a rule names for a file: links in them are followed at each call. */
export function foldersNamed(rule: Rule, tool: string, place: RulePlace): readonly string[] {
	const compiled = compiledRule(rule);
	return compiled.tool.matches(tool) ? (compiled.path?.().foldersNamed(place) ?? []) : [];
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

/** A rule in the form that calls are compared with. Absent: every call of the tool. */
type CompiledRule = {
	readonly tool: TextGlob;
	readonly text?: TextGlob;
	readonly path?: () => PathMatch;
};

/** Each rule is compiled once, when it is first needed. */
const compiledRules = new WeakMap<Rule, CompiledRule>();

function compiledRule(rule: Rule): CompiledRule {
	const compiled = compiledRules.get(rule) ?? compileRule(rule);
	compiledRules.set(rule, compiled);
	return compiled;
}

function compileRule({tool, match}: Rule): CompiledRule {
	if (match === undefined) return {tool: compileTextGlob(tool)};
	let path: PathMatch | undefined;
	return {
		tool: compileTextGlob(tool),
		text: compileTextGlob(match),
		path: () => (path ??= compilePathMatch(match)),
	};
}

function surelyMatches({text, path}: CompiledRule, subject: Subject): boolean {
	if (subject.kind === 'command')
		return isPlainCommand(subject.command) && text?.matches(subject.command.trim()) !== false;
	if (subject.kind === 'tool') return text?.matches(subject.tool) !== false;
	if (path === undefined && isRunLater(subject)) return false;
	const isInside = subject.names.every(name => name !== '..' && !name.startsWith('../'));
	return isInside && path?.().surelyNames(subject.place) !== false;
}

function possiblyMatches({text, path}: CompiledRule, subject: Subject): boolean {
	if (text === undefined || path === undefined) return true;
	if (subject.kind === 'command') return passagesOf(subject).some(passage => text.mightMatch(passage));
	if (subject.kind === 'tool') return text.matches(subject.tool);
	return path().possiblyNames(subject.place);
}

/** The parts of each judged command: all rules are compared with the same parts. */
const knownPassages = new WeakMap<Subject, readonly Passage[]>();

/** The whole command first. */
function passagesOf(subject: Extract<Subject, {kind: 'command'}>): readonly Passage[] {
	const passages = knownPassages.get(subject) ?? makePassages(subject.command);
	knownPassages.set(subject, passages);
	return passages;
}

function makePassages(command: string): readonly Passage[] {
	const whole = {symbols: Array.from(command.trim()), starts: new Set([0])};
	return [whole, ...commandParts(command)].map(passageOf);
}
