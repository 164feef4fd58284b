import {t} from '../../../language/index.ts';
import type {Task} from '../../../pod/protocol.ts';

/** The texts of the task list above the status line. `now` is already inert. */
export function progressText({
	done,
	count,
	now,
}: {
	readonly done: number;
	readonly count: number;
	readonly now: string;
}) {
	return t`${done} of ${count}${now === '' ? '' : t` · now: ${now}`}`;
}

export function openHint(chord: string): string {
	return t` · ${chord} for all tasks`;
}

export const noTasks = t`No list of tasks.`;

/** A task for a screen reader. `text` is inert. */
export function taskLine(state: Task['state'], text: string): string {
	return `${taskStates[state]}: ${text}`;
}

const taskStates = {done: t`done`, in_progress: t`now`, pending: t`to do`} as const;

export function moreTasks(count: number): string {
	return t`    … ${count} more`;
}
