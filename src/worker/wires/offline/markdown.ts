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

function maxRun(text: string): number {
	return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
