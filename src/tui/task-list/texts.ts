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
	return `${done} of ${count}${now === '' ? '' : ` · now: ${now}`}`;
}

export function openHint(chord: string): string {
	return ` · ${chord} for all tasks`;
}

export function moreTasks(count: number): string {
	return `    … ${count} more`;
}
