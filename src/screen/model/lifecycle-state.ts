/** The stages of the screen's life, from its connection to its end. */
export type LifecycleState = {
	/** Whether a pod is connected. */
	readonly isConnected: boolean;
	readonly quitting: boolean;
	/** Whether the session leaves this terminal as soon as no tool runs. */
	readonly isDetaching: boolean;
	/** The place and the keys of a replay. */
	readonly replayLine: string | undefined;
};

export type LifecycleAction =
	/** A pod is connected. */
	| {readonly type: 'pod connected'}
	| {readonly type: 'quit'}
	| {readonly type: 'detach'; readonly isDetaching: boolean}
	/** A replay has moved. */
	| {readonly type: 'replay at'; readonly line: string};

export const initialLifecycle: LifecycleState = {
	isConnected: false,
	quitting: false,
	isDetaching: false,
	replayLine: undefined,
};

export function reduceLifecycle(lifecycle: LifecycleState, action: LifecycleAction): LifecycleState {
	switch (action.type) {
		case 'pod connected':
			return {...lifecycle, isConnected: true};
		case 'quit':
			return {...lifecycle, quitting: true};
		case 'detach':
			return {...lifecycle, isDetaching: action.isDetaching};
		case 'replay at':
			return {...lifecycle, replayLine: action.line};
		default:
			return action satisfies never;
	}
}
