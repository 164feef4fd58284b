import type {BlockSource} from '../transcript/block-sources.ts';

export type Way = 'pager' | 'editor';

/**
The opener opens stored texts in your programs. `choice` is the shown list. `isRunning`: a program starts or has the
terminal.
*/
export type OpenerState = {readonly choice: Choice | undefined; readonly isRunning: boolean};

/** You can choose one of these texts. `at` is the index of the marked one. */
export type Choice = {readonly parts: readonly BlockSource[]; readonly way: Way; readonly at: number};

export const closedOpener: OpenerState = {choice: undefined, isRunning: false};

export function movedChoice(choice: Choice, by: number): Choice {
	return {...choice, at: Math.max(0, Math.min(choice.parts.length - 1, choice.at + by))};
}
