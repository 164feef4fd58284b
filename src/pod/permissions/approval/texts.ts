import {t} from '../../../language/index.ts';

/**
The texts about approvals for the user. The texts of refusals are in `refusal.ts`, because the model also reads them.
*/

/** The texts that are added to the title of a card. */
export const askReasons = {
	mode: '',
	runs_later: t` (this file is executed by other programs)`,
	rule: t` (a rule requires approval)`,
	no_card: '',
	plan: t` (plan mode)`,
	read_only: t` (the scope is read-only)`,
};

/** The note on a card that says nothing about what the call can change, in plan mode or in a read-only scope. */
export const mayChangeFiles = t`inkpod cannot keep this call from changing files.`;

export const cardTexts = {
	/** The title of a call without a preview. */
	run: (tool: string) => t`Run ${tool}?`,
	once: t`Yes`,
	/** The lasting choice that every card shows. It applies to this session. */
	dontAsk: (what: string) => t`Yes, and don't ask again for ${what}`,
	session: (what: string) => t`Yes, in this session: ${what}`,
	always: (what: string) => t`Yes, always in this project: ${what}`,
	deny: t`No`,
	unconfined: t`Run this command without confinement?`,
	confirmOnce: t`Yes, this once`,
	take: t`Take these changes?`,
	takeInPlan: t`Take these changes? (plan mode)`,
	takeThem: t`Take them`,
	takeAlways: (what: string) => t`Take them, and don't ask again for ${what}`,
	discardThem: t`Discard`,
	takeSome: t`Some files only …`,
	takeWhich: t`Take which changes?`,
	takeNothing: t`These changes cannot be taken. Run the command without confinement?`,
	runUnconfined: t`Run again without confinement …`,
	unconfinedReach: t`Not confined: it can change everything that you can change, and use the network.`,
	discardsFirst: t`The changes of the first run are discarded.`,
	backToChanges: t`Back to the changes`,
};

/** Returns what a choice of a card allows. */
export const allowedCalls = {
	thisCommand: t`exactly this command`,
	unconfined: t`commands without confinement`,
	newFiles: t`new files in this session`,
	thisFile: {
		edit: (path: string) => t`edits to ${path}`,
		write: (path: string) => t`writing ${path}`,
		other: (path: string, tool: string) => t`${tool} on ${path}`,
	},
	anyFile: {
		edit: () => t`edits in this directory`,
		write: () => t`writing files in this directory`,
		other: (tool: string) => t`${tool} in this directory`,
	},
	site: (tool: string, site: string) => t`${tool} on ${site}`,
	calls: (tool: string) => t`calls of ${tool}`,
	everyCall: (tool: string) => t`every call of ${tool}`,
};

/** The texts of cards about web addresses. */
export const urlTexts = {
	redirect: t`Follow a redirect to another site?`,
	redirected: (from: string, to: string) => t`${to}\n\nRedirected from ${from}`,
	unchecked: t`Fetch this page? address not checked (proxy)`,
};

/** Returns the text of the second confirmation: the whole rule, as it is saved. */
export function savedRuleText(tool: string, exact: string | undefined): string {
	return exact === undefined ? t`Allow every call of ${tool}` : t`Allow ${tool}, only for exactly:\n${exact}`;
}

/** Returns the second confirmation for patterns: every rule as it is saved, and what it does not cover. */
export function patternRuleText(tool: string, patterns: readonly string[]): string {
	return [
		t`In this project, allow ${tool} for commands that begin with:`,
		...patterns,
		t`"*" stands for nothing, or for names, paths inside this directory and common options.`,
		t`Options that run programs or write files still need your approval. Rules that ask or deny come first.`,
	].join('\n');
}

export function quotedList(patterns: readonly string[]): string {
	return patterns.map(pattern => `"${pattern}"`).join(t` and `);
}

/** Texts for the permissions list: what inkpod decides when no rule applies. */
export const builtInTexts = {
	reads: t`tools that only read, in this directory`,
	secrets: t`reading files that look like secrets`,
	changes: t`changes to files (approval mode)`,
	readOnly: t`changes to files (the session is read-only)`,
	runsLater: t`changes to files that other programs run`,
	commands: t`commands and tools of MCP servers (approval mode)`,
	filters: t`head, tail, wc and sort at the end of an allowed command`,
};

export const permissionTexts = {
	exactly: (tool: string, text: string) => t`${tool}, only exactly: ${text}`,
	everyCall: (tool: string) => t`${tool}: every call`,
	newFiles: (tool: string) => t`${tool}: new files`,
	noSuchRule: t`This rule does not exist any more.`,
	notRemoved: (why: string) => t`The rule was not removed. ${why}`,
};

export function notSavedInProject(folder: string): string {
	return t`The approval was not saved and applies to this session only: ${folder} is inside the project.`;
}

export function notSaved(why: string): string {
	return t`The approval was not saved and applies to this session only. ${why}`;
}

/** Ends of sentences that begin with the key `tool` or `match` of a rule. */
export const ruleProblems = {
	tooMany: (most: number) => t`has more than ${most} rules: replace several of them with one rule that has a glob`,
	tooLarge: (size: number, most: number, least: number) =>
		t`is too large: its patterns have ${size} characters when the alternatives in braces are written out
			(each alternative counts as at least ${least}), and the limit for one file is ${most}.
			Use fewer alternatives, shorter patterns, or a wildcard for several alternatives`,
	noTool: (tool: string, names: readonly string[]) =>
		t`names no tool: ${JSON.stringify(tool)}. The tools are ${names.join(', ')}, mcp__*`,
	nearTool: (tool: string, nearest: string) => t`names no tool: ${JSON.stringify(tool)} (did you mean "${nearest}"?)`,
	matchIsName: (tool: string, tools: readonly string[]) =>
		t`would never match: for the tool ${JSON.stringify(tool)} inkpod compares it with the tool's name.
			Remove match, or name one of ${tools.join(', ')} as the tool`,
	badGlob: (problem: string) => t`is not a valid glob for paths: ${problem}`,
	notAnAddress: (match: string) =>
		t`is not a pattern for web addresses: ${JSON.stringify(match)}. Write a scheme and a host, in which * replaces
			whole parts between dots: "https://docs.example.com", "https://*.example.com/docs/*"`,
	neverNames: (match: string, why: string) => t`would never match a path: ${JSON.stringify(match)} ${why}`,
};
