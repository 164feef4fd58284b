import {t} from '../../language/index.ts';

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

export function moreTasks(count: number): string {
	return t`    … ${count} more`;
}
