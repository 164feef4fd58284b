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
	busy: 'A turn or a command is running.',
	not_idle: 'Still running. The context can be changed when nothing is running.',
	no_such_child: 'This is not a child session.',
	not_paused: 'Nothing to resume.',
	not_running: 'Nothing is running.',
	no_such_ask: 'That question is already closed.',
	closed: 'The session is closed.',
	empty: 'No command given.',
};

/** The user takes back that the session comes to rest. */
export const notRestingText = 'The session stays in this terminal.';

export function wakesText(count: number): string {
	return `${count} turns began without a message from you. Further notices wait for your next message.`;
}

export const interruptedText = 'A turn is interrupted. Resume or discard it, then compact the context.';
export const emptyNotificationText = 'No notification text given.';

/** Returns the question before the user leaves a session with running background commands or child sessions. */
export function leaveTexts(commands: number, children: number) {
	const counts = [
		...(commands === 0 ? [] : [commands === 1 ? 'a background command' : `${commands} background commands`]),
		...(children === 0 ? [] : [children === 1 ? 'a child session' : `${children} child sessions`]),
	];
	return {
		title: `Quit and stop ${counts.join(' and ')}?`,
		stop: commands + children === 1 ? 'Stop it and quit' : 'Stop them and quit',
		stay: 'Stay',
		child: (title: string) => `Child session: ${title}`,
	};
}

export const stillRunningText = 'Background commands are still running.';

export function commandNotRunning(id: string): string {
	return `Background command ${id} is not running.`;
}

/** The reasons why no command moves to the background. */
export const notMoved = {
	none: 'No command is running that can move to the background.',
	too_many: 'Too many commands are in the background already. Stop one in /tasks first.',
} as const;
