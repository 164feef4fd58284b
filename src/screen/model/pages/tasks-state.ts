import type {BackgroundCommand, BackgroundOutput} from '../../../pod/protocol.ts';
import {listStart, type ListState} from './list.ts';

/** The page that lists child sessions and background commands, or shows the output of a command. */
export type TasksPage = {
	readonly kind: 'tasks';
	readonly list: ListState;
	readonly opened: OpenedOutput | undefined;
};

export type OpenedOutput = {
	readonly command: BackgroundCommand;
	/** The output is absent until it is read. It stays after the command has ended. */
	readonly output: BackgroundOutput | undefined;
	/** The number of rows of the output below the page. */
	readonly below: number;
};

export function tasksPage(): TasksPage {
	return {kind: 'tasks', list: listStart, opened: undefined};
}

/** Changes the open output of the page. */
export function withOutput(page: TasksPage, change: (opened: OpenedOutput) => OpenedOutput): TasksPage {
	return page.opened === undefined ? page : {...page, opened: change(page.opened)};
}
