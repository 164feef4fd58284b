import {type RulePlace, compilePathMatches, type PathMatches} from './path-match.ts';
import {isPlainCommand} from './plain-command.ts';
import {runsLater} from './runs-later.ts';
import {siteOf, compileUrlMatches, type UrlMatches, urlGlobProblem} from './url-match.ts';
import {commandParts} from './command-parts.ts';
import {compileTextGlobs, passageOf, type Passage, type Places, type TextGlobs, matchesText} from './text-glob.ts';
import {globSize} from '../../ground/globs/glob-pattern.ts';
import {ruleProblems} from './texts.ts';
import {summaryToolNames, toolFacts, toolsAbout} from '../../protocol/tool-definitions.ts';
import {nearestName} from '../../ground/text/nearest-name.ts';
import {pathGlobProblem} from './path-glob.ts';

/**
Returns the first rule that applies to a call. A rule that allows applies only if the match is certain: the command is
one simple command, or all names of the file match. For a file that other programs execute, only a rule with a `match`
can allow the call. A rule that asks or denies applies if any part of the call could match. A list is compiled once, so
the list must not change.
*/
export function firstMatch(rules: readonly Rule[], tool: string, subject: Subject): Rule | undefined {
	const about = rulesFor(rules, tool);
	const matching = about.matching(subject);
	return about.rules.find(rule => {
		// A rule with `begins` never takes precedence over a rule that asks, so command-chain.ts checks it later.
		if (rule.begins !== undefined) return false;
		if (rule.isNew === true && !isNewFile(subject)) return false;
		if (rule.exact !== undefined) return rule.exact === exactText(subject);
		if (rule.match !== undefined && !matching.has(rule)) return false;
		return rule.action !== 'allow' || isSure(subject, rule.match === undefined);
	});
}

/** Tells whether a rule applies to a call. */
export function applies(rule: Rule, tool: string, subject: Subject): boolean {
	return firstMatch([rule], tool, subject) !== undefined;
}

/** Tells whether rules deny every call of a tool that is matched by its name only. */
export function deniesAll(rules: readonly Rule[], tool: string): boolean {
	return firstMatch(rules, tool, {kind: 'tool', tool})?.action === 'deny';
}

/** Tells whether rules restrict which files the model reads or changes. */
export function restrictsFiles(rules: readonly Rule[]): boolean {
	return rules.some(({tool, action}) => action !== 'allow' && isAboutFiles(tool));
}

/** Returns the folders that a tool's rules name. inkpod follows links in them at each call. */
export function foldersNamed(rules: readonly Rule[], tool: string, place: RulePlace): readonly string[] {
	return rulesFor(rules, tool).foldersNamed(place);
}

/** Tells whether other programs execute the file automatically. */
export function isRunLater(subject: Subject): boolean {
	return subject.kind === 'path' && (subject.isRunLater === true || subject.names.some(runsLater));
}

/** Tells whether the call would create the file. */
export function isNewFile(subject: Subject): boolean {
	return subject.kind === 'path' && subject.isNew === true;
}

/** Returns the text that is compared with `exact`. For a web address this is a pattern for the whole site. */
export function exactText(subject: Subject): string {
	return subject.kind === 'url' ? siteOf(subject.url) : subjectText(subject);
}

/** Returns the command, path or address of a call, or the name of its tool. */
export function subjectText(subject: Subject): string {
	if (subject.kind === 'command') return subject.command;
	if (subject.kind === 'url') return subject.url;
	return subject.kind === 'path' ? (subject.names.at(-1) ?? '') : subject.tool;
}

/**
Returns why the rules of one file are too many or too long to compare with each call, as the end of a sentence that
begins with their key. Its time is proportional to the size of the file, so it runs before the check of each rule.
*/
export function rulesProblem(rules: readonly unknown[]): string | undefined {
	if (rules.length > maxRules) return ruleProblems.tooMany(maxRules);
	const size = rules.reduce((sum: number, rule) => sum + sizeOf(rule), 0);
	return size > maxRulesSize ? ruleProblems.tooLarge(size, maxRulesSize, minSize) : undefined;
}

/** The maximum number of characters of all patterns of a file after all alternatives in braces are expanded. */
export const maxRulesSize = 8192;

/**
Returns why a rule's `tool` would never match a tool, as the end of a sentence that begins with its key. MCP servers may
add any tool later, so a name that an MCP tool could have is not a problem.
*/
export function toolProblem(tool: string): string | undefined {
	if (allNames.some(name => matchesText(tool, name)) || mayNameMcpTool(tool)) return undefined;
	const nearest = nearestMcpName(tool) ?? nearestName(tool, ownNames);
	return nearest === undefined ? ruleProblems.noTool(tool, ownNames) : ruleProblems.nearTool(tool, nearest);
}

/**
Returns why the `match` of a rule would never match, as the end of a sentence that begins with the key `match`. Returns
`undefined` if it can match.
*/
export function matchProblem(tool: string, match: string): string | undefined {
	if (isAboutFiles(tool)) return pathGlobProblem(match);
	if (toolsAbout('url').some(name => matchesText(tool, name)) && isLiteral(tool)) return urlGlobProblem(match);
	const fileTools = toolsAbout('file');
	const commandTools = toolsAbout('command');
	if (commandTools.some(name => matchesText(tool, name)) || mayName(match, tool)) return undefined;
	return ruleProblems.matchIsName(tool, [...fileTools, ...commandTools, ...toolsAbout('url')]);
}

/** Tells whether a rule may allow a call that it matches. `isAll`: the rule has no `match`. */
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
	/** Returns the rules whose `match` matches the subject of a call. Compares all of them at the same time. */
	matching(subject: Subject): ReadonlySet<Rule>;
	/** The folders that the rules name before the first wildcard. inkpod follows links in them at each call. */
	foldersNamed(place: RulePlace): readonly string[];
};

/** Returns the rules of a list about a tool. Compiles a list on first use, so the list must not change. */
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

/** Returns the rules whose `match` certainly matches, for rules that allow. */
function surely({rules, texts, paths, urls}: Matches, subject: Subject): readonly Rule[] {
	if (rules.length === 0) return [];
	if (subject.kind === 'path') return numbered(rules, paths().surelyNaming(subject.place));
	if (subject.kind === 'tool') return numbered(rules, texts().matching(subject.tool));
	if (subject.kind === 'url') return numbered(rules, urls().surely(subject.url));
	return isPlainCommand(subject.command) ? numbered(rules, texts().matching(subject.command.trim())) : [];
}

/** Returns the rules whose `match` could match a part of the call, for rules that ask or deny. */
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

/** The parts of each command, cached because they are compared with several lists of rules. */
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

/**
A decision about calls that was made in advance. `tool` is a glob over the tool's name. `match` is a glob over the
subject of the call. If `match` is absent, the rule applies to every call of the tool. A rule may have `exact` or
`begins` instead of `match`. `exact` is the exact text that the user saw. `begins` contains the first words of simple
commands whose other words are harmless (command-starts.ts). `isNew`: the rule is only about files that do not exist.
Only a card creates `exact`, `begins` and `isNew`.
*/
export type Rule = {
	readonly tool: string;
	readonly match?: string | undefined;
	readonly exact?: string | undefined;
	readonly begins?: readonly string[] | undefined;
	readonly isNew?: true;
	readonly action: RuleAction;
};

export const ruleActions = ['allow', 'ask', 'deny'] as const;

type RuleAction = (typeof ruleActions)[number];

/** The subject of a call. */
export type Subject =
	| {readonly kind: 'command'; readonly command: string}
	/**
	`names` are relative paths from `pwd`. The last name is the real path of the file. `isRunLater`: the tool knows that
	other programs execute the file. `isNew`: the call would create the file.
	*/
	| {
			readonly kind: 'path';
			readonly names: readonly string[];
			readonly place: RulePlace;
			readonly isRunLater?: boolean;
			readonly isNew?: boolean;
	  }
	/** `url` is in the form of the URL parser. */
	| {readonly kind: 'url'; readonly url: string}
	| {readonly kind: 'tool'; readonly tool: string};

const maxRules = 500;

/** The minimum number of characters that each alternative counts as. */
const minSize = 16;

/** Returns the size of the pattern of a rule. Only the patterns of paths have alternatives in braces. */
function sizeOf(rule: unknown): number {
	if (typeof rule !== 'object' || rule === null || !('match' in rule) || !('tool' in rule)) return minSize;
	const {tool, match} = rule;
	if (typeof match !== 'string' || typeof tool !== 'string') return minSize;
	if (!isAboutFiles(tool)) return Math.max(minSize, match.length);
	const {alternatives, characters} = globSize(match);
	return Math.max(alternatives * minSize, characters);
}

/** Tells whether rules for a tool treat their `match` as a path. */
function isAboutFiles(tool: string): boolean {
	return toolsAbout('file').some(name => matchesText(tool, name));
}

const ownNames = toolFacts.map(({name}) => name);

const allNames: readonly string[] = [...ownNames, ...Object.values(summaryToolNames)];

/**
Tells whether a pattern may match the name of an MCP tool. Such a name has the form `mcp__server__tool`, with letters,
digits, hyphens and underscores.
*/
function mayNameMcpTool(tool: string): boolean {
	if (/[^\w*?\\-]/.test(tool)) return false;
	return isLiteral(tool) ? /^mcp__.+__./.test(tool) : mayBeginAlike(tool, 'mcp__');
}

/**
Returns a possible MCP tool name for a wrong one. An underscore replaces each illegal character. If only the server is
named, the result matches all its tools.
*/
function nearestMcpName(tool: string): string | undefined {
	const rest = /^mcp__+(.+?)_*$/s.exec(tool)?.[1]?.replaceAll(/[^\w*?\\-]/g, '_');
	return rest && `mcp__${/.__./.test(rest) ? rest : `${rest}__*`}`;
}

/** Tells whether two globs may match the same text. Compares only the text before their first wildcards. */
function mayName(match: string, tool: string): boolean {
	return isLiteral(tool) ? matchesText(match, tool) : mayBeginAlike(match, tool);
}

function mayBeginAlike(glob: string, otherGlob: string): boolean {
	const one = literalStart(glob);
	const other = literalStart(otherGlob);
	return one.startsWith(other) || other.startsWith(one);
}

function literalStart(glob: string): string {
	return glob.replace(/[*?\\].*$/s, '');
}

function isLiteral(glob: string): boolean {
	return !/[*?\\]/.test(glob);
}
