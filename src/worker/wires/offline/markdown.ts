/** Returns inline code. The text itself cannot end the code early. */
export function code(text: string): string {
	const flat = text.replaceAll('\n', ' ');
	if (!flat.includes('`')) return `\`${flat}\``;
	const fence = '`'.repeat(maxRun(flat) + 1);
	return `${fence} ${flat} ${fence}`;
}

/** Returns a code block. The text itself cannot end the block early. */
export function fenced(text: string): string {
	const fence = '`'.repeat(Math.max(3, maxRun(text) + 1));
	return `${fence}\n${text}\n${fence}`;
}

/** Returns bold text without other formatting. */
export function bold(text: string): string {
	return `**${text.replaceAll(/[*_`[\]\\]/g, String.raw`\$&`)}**`;
}

/** Returns a title, a list of the first entries with the number of the other entries, and the notes. */
export function listed(title: string, entries: readonly string[], notes: readonly string[] = [], max = 20): string {
	const more = entries.length > max ? [`- … and ${entries.length - max} more`] : [];
	return [title, ...entries.slice(0, max).map(entry => `- ${entry}`), ...more, ...notes].join('\n');
}

export function cut(text: string, max: number): string {
	const points = Array.from(text.slice(0, max * 2 + 2));
	return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
	return `${count} ${count === 1 ? one : many}`;
}

function maxRun(text: string): number {
	return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}
