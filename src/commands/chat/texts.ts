/** The texts that the chat prints before and after its screen. The first screen's text is in welcome.ts. */
export const needsTerminal = 'The chat needs a terminal for input and output. Use inkpod -p without one.';

export const opening = 'Opening session …';

export const alreadyOpen = 'This session is already open.';

export const conversationSaved = 'The conversation so far is saved.';

export const conversationSavedInPart =
	'The conversation so far is saved, except for text that was still arriving: the session could not be closed.';

export const noSessions = 'No sessions yet. Start one with: inkpod';

export const emptyPreview = 'No messages near the end of this session.';

export function keyProblem(problem: string): string {
	return `config.toml, [keys]: ${problem}`;
}

export function resumeHint(id: string): string {
	return `Resume with: inkpod -r ${id}`;
}

export function attachHint(id: string): string {
	return `The session continues in another terminal.\nAttach again with: inkpod attach ${id}`;
}

export function detachedHint(id: string): string {
	return `The session continues without a terminal.\nAttach to it with: inkpod attach ${id}`;
}

export const detachTexts = {
	attached: 'This session already runs in another process. Quit, and it continues there.',
	unsaved: 'There is nothing to detach yet: the session has no message.',
	stays: (why: string) => `The session stays in this terminal: ${why}`,
} as const;

export function dumpCut(rows: number): string {
	return `… only the last ${rows} rows; the session has the rest`;
}

export const familyTexts = {
	noParent: 'This session is not a child.',
	noChildren: 'This session has no child sessions.',
	onlyChild: 'There is no other child session.',
	leaveFirst: 'This is a child session. Press Esc to return to its parent first.',
} as const;

export const notExportable = 'A session can only be exported on the machine that has it, once it is open.';
