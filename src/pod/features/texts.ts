import {t} from '../../language/index.ts';

export const commandTexts = {
	notReported: (reason: string) => t`The model was not notified that a background command ended: ${reason}`,
	reportedLater: (id: string) => t`Background command ${id} ended. The model learns about it in the next turn.`,
	notRunning: (id: string) => t`Background command ${id} is not running.`,
	/** The reasons why inkpod does not move a command to the background. */
	notMoved: {
		none: t`No command is running that can move to the background.`,
		too_many: t`Too many commands are in the background already. Stop one in /tasks first.`,
	},
	/** Returns the number of commands that would end with the session, with a noun. */
	running: (count: number) => (count === 1 ? t`a background command` : t`${count} background commands`),
} as const;

/** Warns once that the end of a run was not signed. `reason` is a sentence. */
export function notSigned(reason: string): string {
	return t`The session was not signed. ${reason}`;
}

/** Returns the number of children that would end with the session, with a noun. */
export function runningChildren(count: number): string {
	return count === 1 ? t`a child session` : t`${count} child sessions`;
}

export function runningChild(title: string): string {
	return t`Child session: ${title}`;
}
