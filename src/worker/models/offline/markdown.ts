/** Inline code that its text cannot end. */
export function code(text: string): string {
	const flat = text.replaceAll('\n', ' ');
	if (!flat.includes('`')) return `\`${flat}\``;
	const fence = '`'.repeat(maxRun(flat) + 1);
	return `${fence} ${flat} ${fence}`;
}

/** A code block that its text cannot end. */
export function fenced(text: string): string {
	const fence = '`'.repeat(Math.max(3, maxRun(text) + 1));
	return `${fence}\n${text}\n${fence}`;
}

/** Bold text without other formatting. */
export function bold(text: string): string {
	return `**${text.replaceAll(/[*_`[\]\\]/g, String.raw`\$&`)}**`;
}

function maxRun(text: string): number {
	return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
