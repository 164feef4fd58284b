import {type RulePlace, compilePathMatches, type PathMatches} from './path-match.ts';
import {isPlainCommand} from './plain-command.ts';
import type {Rule, Subject} from './rule-types.ts';
import {runsLater} from './runs-later.ts';
import {siteOf, compileUrlMatches, type UrlMatches} from './url-match.ts';
import {commandParts} from './command-parts.ts';
import {compileTextGlobs, passageOf, type Passage, type Places, type TextGlobs} from './text-glob.ts';

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

/** The rules of a list about one tool, compiled once for many calls. */
type ToolRules = {
	/** The rules in the order of the list. */
	readonly rules: readonly Rule[];
	/** Returns the rules whose `match` matches the subject of a call. It compares all of them at once. */
	matching(subject: Subject): ReadonlySet<Rule>;
	/** The folders that the rules name before the first wildcard. inkpod follows links in them at each call. */
	foldersNamed(place: RulePlace): readonly string[];
};

/** Returns the rules of a list about a tool. It compiles a list on first use, so the list must not change. */
function rulesFor(rules: readonly Rule[], tool: string): ToolRules {
	const compiled = compiledLists.get(rules) ?? compileList(rules);
	compiledLists.set(rules, compiled);
	return compiled(tool);
}

const compiledLists = new WeakMap<readonly Rule[], (tool: string) => ToolRules>();

function compileList(rules: readonly Rule[]): (tool: string) => ToolRules {
	const tools = [...new Set(rules.map(({tool}) => tool))];
	const globs = compileTextGlobs(tools);
	const byTools = new Map<string, ToolRules>();
	return tool => {
		const matching = globs.matching(tool);
		const key = matching.join();
		const known = byTools.get(key);
		if (known !== undefined) return known;
		const names = new Set(matching.map(number => tools[number]));
		const compiled = compileToolRules(rules.filter(rule => names.has(rule.tool)));
		// A server may have a very large number of tools.
		if (byTools.size >= maxKept) byTools.clear();
		byTools.set(key, compiled);
		return compiled;
	};
}

const maxKept = 64;

type MatchRule = Rule & {readonly match: string};

function compileToolRules(rules: readonly Rule[]): ToolRules {
	const matchRules = rules.filter((rule): rule is MatchRule => rule.match !== undefined);
	const allowing = compileMatches(matchRules.filter(({action}) => action === 'allow'));
	const others = compileMatches(matchRules.filter(({action}) => action !== 'allow'));
	const known = new WeakMap<Subject, ReadonlySet<Rule>>();
	return {
		rules,
		matching(subject) {
			const matching =
				known.get(subject) ?? new Set([...surely(allowing, subject), ...possibly(others, subject)]);
			known.set(subject, matching);
			return matching;
		},
		foldersNamed: place => [...allowing.paths().foldersNamed(place), ...others.paths().foldersNamed(place)],
	};
}

type Matches = {
	readonly rules: readonly Rule[];
	readonly texts: () => TextGlobs;
	readonly paths: () => PathMatches;
	readonly urls: () => UrlMatches;
};

function compileMatches(rules: readonly MatchRule[]): Matches {
	const matches = rules.map(({match}) => match);
	let texts: TextGlobs | undefined;
	let paths: PathMatches | undefined;
	let urls: UrlMatches | undefined;
	return {
		rules,
		texts: () => (texts ??= compileTextGlobs(matches)),
		paths: () => (paths ??= compilePathMatches(matches)),
		urls: () => (urls ??= compileUrlMatches(matches)),
	};
}

/** Rules that allow need a certain match. */
function surely({rules, texts, paths, urls}: Matches, subject: Subject): readonly Rule[] {
	if (rules.length === 0) return [];
	if (subject.kind === 'path') return numbered(rules, paths().surelyNaming(subject.place));
	if (subject.kind === 'tool') return numbered(rules, texts().matching(subject.tool));
	if (subject.kind === 'url') return numbered(rules, urls().surely(subject.url));
	return isPlainCommand(subject.command) ? numbered(rules, texts().matching(subject.command.trim())) : [];
}

/** Rules that ask or deny apply to a call as soon as a part of it could match. */
function possibly({rules, texts, paths, urls}: Matches, subject: Subject): readonly Rule[] {
	if (rules.length === 0) return [];
	if (subject.kind === 'path') return numbered(rules, paths().possiblyNaming(subject.place));
	if (subject.kind === 'tool') return numbered(rules, texts().matching(subject.tool));
	if (subject.kind === 'url') return numbered(rules, urls().possibly(subject.url));
	return numbered(rules, texts().mightMatch(passageFor(subject)));
}

function numbered(rules: readonly Rule[], numbers: Iterable<number>): readonly Rule[] {
	return Array.from(numbers).flatMap(number => rules[number] ?? []);
}

/** The parts of each command that is checked. All lists of rules are compared with the same parts. */
const knownPassages = new WeakMap<Subject, Passage>();

function passageFor(subject: Extract<Subject, {kind: 'command'}>): Passage {
	const {command} = subject;
	const passage = knownPassages.get(subject) ?? passageOf([wholeText(command.trim()), ...commandParts(command)]);
	knownPassages.set(subject, passage);
	return passage;
}

function wholeText(text: string): Places {
	return {symbols: Array.from(text), starts: new Set([0])};
}
