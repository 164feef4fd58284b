import type {BlockSource} from '../../rows/block-sources.ts';

export type Way = 'pager' | 'editor';

/**
The state of opening stored texts in your programs. `choice` is the list that is shown. `isRunning`: a program is
starting or has the terminal.
*/
export type OpenerState = {readonly choice: Choice | undefined; readonly isRunning: boolean};

/** The texts that you can choose from. `at` is the index of the marked one. */
export type Choice = {readonly parts: readonly BlockSource[]; readonly way: Way; readonly at: number};

export const closedOpener: OpenerState = {choice: undefined, isRunning: false};

export function movedChoice(choice: Choice, by: number): Choice {
	return {...choice, at: Math.max(0, Math.min(choice.parts.length - 1, choice.at + by))};
}
