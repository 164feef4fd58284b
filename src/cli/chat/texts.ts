import {t, tCount} from '../../language/index.ts';

/** The texts that the chat prints before and after its screen. The first screen's text is in welcome.ts. */
export const needsTerminal = t`The chat needs a terminal for input and output. Use inkpod -p without one.`;

export const opening = t`Opening session …`;

export const alreadyOpen = t`This session is already open.`;

export const conversationSaved = t`The conversation so far is saved.`;

export const conversationSavedInPart = t`The conversation so far is saved, except for text that was still arriving:
	the session could not be closed.`;

export const noSessions = t`No sessions yet. Start one with: inkpod`;

export const emptyPreview = t`No messages near the end of this session.`;

export function keyProblem(problem: string): string {
	return t`config.toml, [keys]: ${problem}`;
}

/** Says how to resume a session. `command` starts inkpod (start/own-command.ts), in this text and in the next two. */
export function resumeHint(id: string, command: string): string {
	return t`Resume with: ${command} -r ${id}`;
}

export function attachHint(id: string, command: string): string {
	return t`The session continues in another terminal.\nAttach again with: ${command} attach ${id}`;
}

export function detachedHint(id: string, command: string): string {
	return t`The session continues without a terminal.\nAttach to it with: ${command} attach ${id}`;
}

export const detachTexts = {
	attached: t`This session already runs in another process. Quit, and it continues there.`,
	unsaved: t`There is nothing to detach yet: the session has no message.`,
	stays: (why: string) => t`The session stays in this terminal: ${why}`,
} as const;

export function dumpCut(rows: number): string {
	return t`… only the last ${rows} rows; the session has the rest`;
}

export const familyTexts = {
	noParent: t`This session is not a child.`,
	noChildren: t`This session has no child sessions.`,
	onlyChild: t`There is no other child session.`,
	leaveFirst: t`This is a child session. Press Esc to return to its parent first.`,
} as const;

export const notExportable = t`inkpod can export this session only on the machine that has it, and only while it is
	open.`;

export function movedOld(count: number, days: number): string {
	return t`Moved to the trash after ${tCount(days, 'day')} without use: ${tCount(count, 'session')}. List the trash
		with: inkpod trash`;
}

/** Says that the chat is not saved. `problem`: the reason, and what to do. */
export function notSaved(problem: string): string {
	return t`This chat is not saved, and is lost when you quit. ${problem}`;
}
