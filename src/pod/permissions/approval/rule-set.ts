import {commandParts} from './command-parts.ts';
import {compilePathMatches, type PathMatches, type RulePlace} from './path-match.ts';
import {isPlainCommand} from './plain-command.ts';
import type {Rule, Subject} from './rule-types.ts';
import {compileTextGlobs, passageOf, type Passage, type Places, type TextGlobs} from './text-glob.ts';
import {compileUrlMatches, type UrlMatches} from './url-match.ts';

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
export function rulesFor(rules: readonly Rule[], tool: string): ToolRules {
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
