/**
The texts that a user reads about approvals. Refusals of calls are in `refusal.ts`, because the model also reads them.
*/

/** These texts are added to the title of a card. */
export const askReasons = {
	mode: '',
	runs_later: ' (this file is executed by other programs)',
	rule: ' (a rule requires approval)',
	no_card: '',
	plan: ' (plan mode: inkpod cannot keep this call from changing files)',
	read_only: ' (the scope is read-only, but inkpod cannot keep this call from changing files)',
};

export const cardTexts = {
	/** The title of a call without a preview. */
	run: (tool: string) => `Run ${tool}?`,
	once: 'Yes, once',
	session: (what: string) => `For this session: ${what}`,
	always: (what: string) => `Always in this project: ${what}`,
	alwaysFor: (patterns: string) => `Always for ${patterns}`,
	deny: 'No',
	unconfined: 'Run this command without confinement?',
	unconfinedSession: 'For this session: commands without confinement',
	confirmOnce: 'Yes, this once',
};

/** Returns what a choice of a card allows. */
export const allowedCalls = {
	thisCommand: 'exactly this command',
	thisFile: (tool: string, path: string) => `${tool} on ${path}`,
	anyFile: (tool: string) => `${tool} on any file in the scope`,
	site: (tool: string, site: string) => `${tool} on ${site}`,
	everyCall: (tool: string) => `every call of ${tool}`,
};

/** The texts of cards about web addresses. */
export const urlTexts = {
	redirect: 'Follow a redirect to another site?',
	redirected: (from: string, to: string) => `${to}\n\nRedirected from ${from}`,
	unchecked: 'Fetch this page? address not checked (proxy)',
};

/** Returns the text of the second confirmation: the whole rule, as it is saved. */
export function savedRuleText(tool: string, exact: string | undefined): string {
	return exact === undefined ? `Allow every call of ${tool}` : `Allow ${tool}, only for exactly:\n${exact}`;
}

/** Returns the second confirmation for patterns: every rule as it is saved, and what it does not cover. */
export function patternRuleText(tool: string, patterns: readonly string[]): string {
	return [
		`In this project, allow ${tool} for commands that begin with:`,
		...patterns,
		'"*" is nothing, or names, paths inside this directory and common options.',
		'Options that run programs or write files still need your approval. Rules that ask or deny come first.',
	].join('\n');
}

export function quotedList(patterns: readonly string[]): string {
	return patterns.map(pattern => `"${pattern}"`).join(' and ');
}

/** What decides where no rule does, for the list of permissions. */
export const builtInTexts = {
	reads: 'tools that only read, in this directory',
	secrets: 'reading files that look like secrets',
	changes: 'changes of files (approval mode)',
	readOnly: 'changes of files (the session is read-only)',
	runsLater: 'changes of files that other programs run',
	commands: 'commands and tools of MCP servers (approval mode)',
	filters: 'bash: head, tail, wc, sort without files, beside an allowed command',
};

export const permissionTexts = {
	exactly: (tool: string, text: string) => `${tool}, only exactly: ${text}`,
	everyCall: (tool: string) => `${tool}: every call`,
	noSuchRule: 'This rule does not exist any more.',
	notRemoved: (why: string) => `The rule was not removed. ${why}`,
};

export function notSavedInProject(folder: string): string {
	return `The approval was not saved and applies to this session only: ${folder} is inside the project.`;
}

export function notSaved(why: string): string {
	return `The approval was not saved and applies to this session only. ${why}`;
}

/** Ends of sentences that begin with the key `tool` or `match` of a rule. */
export const ruleProblems = {
	tooMany: (most: number) => `has more than ${most} rules: replace several of them by one with a glob`,
	tooLarge: (size: number, most: number, least: number) =>
		`is too large: its patterns have ${size} characters when the alternatives in braces are written out ` +
		`(each alternative counts as at least ${least}), and the limit for one file is ${most}. ` +
		'Use fewer alternatives, shorter patterns, or a wildcard for several alternatives',
	noTool: (tool: string, names: readonly string[]) =>
		`names no tool: ${JSON.stringify(tool)}. The tools are ${names.join(', ')}, mcp__*`,
	nearTool: (tool: string, nearest: string) => `names no tool: ${JSON.stringify(tool)} (did you mean "${nearest}"?)`,
	matchIsName: (tool: string, tools: readonly string[]) =>
		`would never match: for the tool ${JSON.stringify(tool)} it is compared with the tool's name. ` +
		`Remove match, or name one of ${tools.join(', ')} as the tool`,
	badGlob: (problem: string) => `is not a valid glob for paths: ${problem}`,
	notAnAddress: (match: string) =>
		`is not a pattern for web addresses: ${JSON.stringify(match)}. Write a scheme and a host, in which * replaces ` +
		'whole parts between dots: "https://docs.example.com", "https://*.example.com/docs/*"',
	neverNames: (match: string, why: string) => `would never match a path: ${JSON.stringify(match)} ${why}`,
};
