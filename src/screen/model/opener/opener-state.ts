import type {BlockSource} from '../../rows/block-sources.ts';

export type Way = 'pager' | 'editor';

/**
The state of opening stored texts in your pager or editor. `choice` is the list of texts on the screen, if it is open.
`isRunning`: a program is starting or uses the terminal.
*/
export type OpenerState = {readonly choice: Choice | undefined; readonly isRunning: boolean};

/** The texts that you can choose from. `at` is the index of the marked text. */
export type Choice = {readonly parts: readonly BlockSource[]; readonly way: Way; readonly at: number};

export type OpenerAction =
	| {readonly type: 'offer stored'; readonly choice: Choice}
	| {readonly type: 'move offer'; readonly by: number}
	| {readonly type: 'close offer'}
	/** A stored text opens in the pager or the editor. */
	| {readonly type: 'open stored'}
	| {readonly type: 'stored program ended'};

export const closedOpener: OpenerState = {choice: undefined, isRunning: false};

export function reduceOpener(opener: OpenerState, action: OpenerAction): OpenerState {
	const {choice} = opener;
	switch (action.type) {
		case 'offer stored':
			return {...opener, choice: action.choice};
		case 'move offer':
			return choice === undefined ? opener : {...opener, choice: movedChoice(choice, action.by)};
		case 'close offer':
			return {...opener, choice: undefined};
		case 'open stored':
			return {choice: undefined, isRunning: true};
		case 'stored program ended':
			return {...opener, isRunning: false};
		default:
			return action satisfies never;
	}
}

function movedChoice(choice: Choice, by: number): Choice {
	return {...choice, at: Math.max(0, Math.min(choice.parts.length - 1, choice.at + by))};
}
