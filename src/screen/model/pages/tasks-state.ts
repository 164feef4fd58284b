import type {BackgroundCommand, BackgroundOutput, SideQuestionAnswer} from '../../../pod/protocol.ts';
import {listStart, type ListState} from './list.ts';

/** The page that lists child sessions and background commands, or shows the output of a command. */
export type TasksPage = {
	readonly kind: 'tasks';
	readonly list: ListState;
	readonly opened: OpenedOutput | undefined;
};

export type OpenedOutput = {
	readonly command: BackgroundCommand;
	/**
	The output of the command. It is `undefined` until inkpod has read it. It stays on the page after the command has
	ended.
	*/
	readonly output: BackgroundOutput | undefined;
	/** The number of output rows that are hidden below the page. */
	readonly below: number;
};

export type TasksAction =
	| {readonly type: 'open output'; readonly command: BackgroundCommand}
	| {readonly type: 'close output'}
	/** `below` is the number of output rows that are hidden below the page. */
	| {readonly type: 'scroll output'; readonly below: number}
	| {readonly type: 'output read'; readonly id: string; readonly output: BackgroundOutput};

export function tasksPage(): TasksPage {
	return {kind: 'tasks', list: listStart, opened: undefined};
}

export function reduceTasks(page: TasksPage, action: TasksAction): TasksPage {
	const {opened} = page;
	switch (action.type) {
		case 'open output':
			return {...page, opened: {command: action.command, output: undefined, below: 0}};
		case 'close output':
			return {...page, opened: undefined};
		case 'scroll output':
			return opened === undefined ? page : {...page, opened: {...opened, below: action.below}};
		case 'output read':
			return opened?.command.id === action.id ? {...page, opened: {...opened, output: action.output}} : page;
		default:
			return action satisfies never;
	}
}

export type SideQuestionState = Exclude<SideQuestionAnswer, {readonly sentence: string}>;

/** The page that shows a side question and its answer. */
export type SideQuestionPage = {
	readonly kind: 'btw';
	readonly answer: SideQuestionState;
	/** The number of rows that are hidden below the page. */
	readonly below: number;
};

export type SideQuestionAction =
	/** The pod has returned the state of the side question. */
	| {readonly type: 'side question read'; readonly answer: SideQuestionState}
	/** `below` is the number of rows that are hidden below the page. */
	| {readonly type: 'scroll side question'; readonly below: number};

export function sideQuestionPage(answer: SideQuestionState): SideQuestionPage {
	return {kind: 'btw', answer, below: 0};
}

export function reduceSideQuestion(page: SideQuestionPage, action: SideQuestionAction): SideQuestionPage {
	switch (action.type) {
		case 'side question read':
			return page.answer.id === action.answer.id ? {...page, answer: action.answer} : page;
		case 'scroll side question':
			return {...page, below: action.below};
		default:
			return action satisfies never;
	}
}
