import {en, t} from '../../../language/index.ts';

/** The reasons why the pod refuses a method in its current state. */
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

/** The refusal of `rest` after the user has cancelled it. */
export const notRestingText = t`The session stays in this terminal.`;

export function wakesText(count: number): string {
	return t`${count} turns began without a message from you. Further notices wait for your next message.`;
}

export const noOtherModels = t`This session cannot use another model.`;
export const interruptedText = t`A turn is interrupted. Resume or discard it, then compact the context.`;
export const emptyNotificationText = t`No notification text given.`;

/**
Returns the question before the user leaves a session. `names` are the kinds of running work with their numbers, and
`count` is the sum.
*/
export function leaveTexts(names: readonly string[], count: number) {
	return {
		title: t`Quit and stop ${names.join(t` and `)}?`,
		stop: count === 1 ? t`Stop it and quit` : t`Stop them and quit`,
		stay: t`Stay`,
	};
}

/** The question before inkpod removes a rule that the user allowed on a card. */
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
