import {en, t} from '../../../language/index.ts';

/** The reasons to refuse a method in the pod's current state. */
export type StateRefusal =
	| 'busy'
	| 'no_such_child'
	| 'not_idle'
	| 'not_paused'
	| 'not_running'
	| 'no_such_ask'
	| 'closed'
	| 'empty';

export const refusalTexts: Readonly<Record<StateRefusal, string>> = {
	busy: en`A turn or a command is running.`,
	not_idle: t`Still running. The context can be changed when nothing is running.`,
	no_such_child: t`This is not a child session.`,
	not_paused: en`Nothing to resume.`,
	not_running: t`Nothing is running.`,
	no_such_ask: t`That question is already closed.`,
	closed: en`The session is closed.`,
	empty: t`No command given.`,
};

/** The user takes back that the session comes to rest. */
export const notRestingText = t`The session stays in this terminal.`;

export function wakesText(count: number): string {
	return t`${count} turns began without a message from you. Further notices wait for your next message.`;
}

export const interruptedText = t`A turn is interrupted. Resume or discard it, then compact the context.`;
export const emptyNotificationText = t`No notification text given.`;

/** Returns the question before the user leaves a session with running background commands or child sessions. */
export function leaveTexts(commands: number, children: number) {
	const counts = [
		...(commands === 0 ? [] : [commands === 1 ? t`a background command` : t`${commands} background commands`]),
		...(children === 0 ? [] : [children === 1 ? t`a child session` : t`${children} child sessions`]),
	];
	return {
		title: t`Quit and stop ${counts.join(t` and `)}?`,
		stop: commands + children === 1 ? t`Stop it and quit` : t`Stop them and quit`,
		stay: t`Stay`,
		child: (title: string) => t`Child session: ${title}`,
	};
}

/** The question before a rule is removed that the user allowed on a card. */
export const removalTexts = {
	title: t`Remove this rule?`,
	remove: t`Remove it`,
	keep: t`No`,
	actions: {allow: t`allow`, ask: t`ask`, deny: t`deny`},
	saved: t`saved on a card`,
	session: t`this session`,
} as const;

export const ruleKept = t`The rule was not removed.`;

export const stillRunningText = t`Background commands are still running.`;

export function commandNotRunning(id: string): string {
	return t`Background command ${id} is not running.`;
}

/** The reasons why no command moves to the background. */
export const notMoved = {
	none: t`No command is running that can move to the background.`,
	too_many: t`Too many commands are in the background already. Stop one in /tasks first.`,
} as const;
