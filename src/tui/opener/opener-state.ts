import type {BlockSource} from '../transcript/block-sources.ts';

export type Way = 'pager' | 'editor';

/**
What opens stored texts in your programs. `choice`: the list that is shown. `isRunning`: a program is being started, or
has the terminal.
*/
export type OpenerState = {readonly choice: Choice | undefined; readonly isRunning: boolean};

/** Texts to choose from, the one at `at` marked. */
export type Choice = {readonly parts: readonly BlockSource[]; readonly way: Way; readonly at: number};

export const closedOpener: OpenerState = {choice: undefined, isRunning: false};

export function movedChoice(choice: Choice, by: number): Choice {
	return {...choice, at: Math.max(0, Math.min(choice.parts.length - 1, choice.at + by))};
}
