/**
The texts that a user reads about approvals. Refusals of calls are in `refusal.ts`, because the model also reads them.
*/

/** These texts are added to the title of a card. */
export const askReasons = {
	mode: '',
	runs_later: ' (this file is executed by other programs)',
	rule: ' (a rule requires approval)',
	read_only: ' (the scope is read-only, and nothing keeps this within it)',
};

export const cardTexts = {
	/** The title of a call without a preview. */
	run: (tool: string) => `Run ${tool}?`,
	once: 'Yes, once',
	session: (what: string) => `For this session: ${what}`,
	always: (what: string) => `Always in this project: ${what}`,
	deny: 'No',
	confirmOnce: 'Yes, this once',
};

/** Returns what a choice of a card allows. */
export const allowedCalls = {
	thisCommand: 'exactly this command',
	thisFile: (tool: string, path: string) => `${tool} of ${path}`,
	anyFile: (tool: string) => `${tool} of any file in the scope`,
	everyCall: (tool: string) => `every call of ${tool}`,
};

/** Returns the text of the second confirmation: the whole rule, as it is saved. */
export function savedRuleText(tool: string, exact: string | undefined): string {
	return exact === undefined ? `Allow every call of ${tool}` : `Allow ${tool}, only for exactly:\n${exact}`;
}

export function notSavedInProject(folder: string): string {
	return `What you allowed is not kept beyond this session: ${folder} is in the project.`;
}

export function notSaved(why: string): string {
	return `What you allowed is not kept beyond this session. ${why}`;
}

/** Ends of sentences that begin with the key `tool` or `match` of a rule. */
export const ruleProblems = {
	tooMany: (most: number) => `has more than ${most} rules: use globs that cover several`,
	tooLarge: (size: number, most: number, least: number) =>
		`is too large: with all alternatives in braces written out, its patterns have ${size} characters ` +
		`(each alternative counts at least ${least}), and one file may have ${most}. ` +
		'Use fewer alternatives, shorter patterns, or a wildcard that covers several',
	noTool: (tool: string, names: readonly string[]) =>
		`names no tool: ${JSON.stringify(tool)}. The tools are ${names.join(', ')}, mcp__*`,
	nearTool: (tool: string, nearest: string) => `names no tool: ${JSON.stringify(tool)} (did you mean "${nearest}"?)`,
	matchIsName: (tool: string, tools: readonly string[]) =>
		`would never match: for the tool ${JSON.stringify(tool)} it is compared with the tool's name. ` +
		`Remove match, or name one of ${tools.join(', ')} as the tool`,
	badGlob: (problem: string) => `is not a valid glob for paths: ${problem}`,
	neverNames: (match: string, why: string) => `would never match a path: ${JSON.stringify(match)} ${why}`,
};
