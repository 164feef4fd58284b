import type {BackgroundCommand, BackgroundOutput} from '../../../pod/protocol.ts';
import {listStart, type ListState} from '../list.ts';

/** The background tasks, and the output of one while it is open. */
export type TasksPage = {
	readonly kind: 'tasks';
	readonly list: ListState;
	readonly opened: OpenedOutput | undefined;
};

export type OpenedOutput = {
	readonly command: BackgroundCommand;
	/** Absent until it is read. It stays when the command has ended. */
	readonly output: BackgroundOutput | undefined;
	/** How many of its rows are below the page. */
	readonly below: number;
};

export function tasksPage(): TasksPage {
	return {kind: 'tasks', list: listStart, opened: undefined};
}

/** The page with its open output changed. */
export function withOutput(page: TasksPage, change: (opened: OpenedOutput) => OpenedOutput): TasksPage {
	return page.opened === undefined ? page : {...page, opened: change(page.opened)};
}
