import {t} from '../../language/index.ts';

export const commandTexts = {
	notReported: (reason: string) => t`The model was not notified that a background command ended: ${reason}`,
	reportedLater: (id: string) => t`Background command ${id} ended. The model reads about it in the next turn.`,
	notRunning: (id: string) => t`Background command ${id} is not running.`,
	/** The reasons why no command moves to the background. */
	notMoved: {
		none: t`No command is running that can move to the background.`,
		too_many: t`Too many commands are in the background already. Stop one in /tasks first.`,
	},
	/** Counts the commands that would end with the session. */
	running: (count: number) => (count === 1 ? t`a background command` : t`${count} background commands`),
} as const;

/** Counts the children that would end with the session. */
export function runningChildren(count: number): string {
	return count === 1 ? t`a child session` : t`${count} child sessions`;
}

export function runningChild(title: string): string {
	return t`Child session: ${title}`;
}
