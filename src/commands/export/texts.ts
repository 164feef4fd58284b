import type {FoundSecret} from '../../pod/index.ts';
import {plural} from '../../tui/text/formats.ts';

/** The texts of exported sessions and of `inkpod export`. */
export const speakers = {
	user: 'You',
	assistant: 'Model',
	thinking: 'Thinking',
	compaction: 'Summary',
	child: 'Child session',
};

export const exportTexts = {
	session: 'Session',
	directory: 'Directory',
	created: 'Created',
	items: 'Items',
	head: 'Head of the hash chain',
	redactions: 'Left out',
	rewound: 'rewound: no longer in the context',
	arguments: 'arguments',
	result: 'result',
	noResult: 'no result',
	failed: 'failed',
	denied: 'denied',
	prompt: 'system prompt',
	tools: 'tools',
	exactNote: 'This is the exact record: secrets were not looked for.',
} as const;

export function head(sum: string, line: number): string {
	return `${sum}, line ${line}`;
}

/** Returns the sentence that counts what was left out, by kind: `3 secrets (GitHub token 2, JSON web token 1)`. */
export function leftOut(found: readonly FoundSecret[]): string {
	const byName = new Map<string, number>();
	for (const {name, count} of found) byName.set(name, (byName.get(name) ?? 0) + count);
	const total = [...byName.values()].reduce((sum, count) => sum + count, 0);
	const kinds = [...byName].map(([name, count]) => `${name} ${count}`).join(', ');
	return total === 0 ? 'nothing: no secrets were found' : `${plural(total, 'secret')} (${kinds})`;
}

/** Returns the lines for stderr about what was left out, with the items. */
export function redactedLines(found: readonly FoundSecret[]): readonly string[] {
	if (found.length === 0) return [];
	const shown = found
		.slice(0, maxListed)
		.map(({name, item, count}) => `  ${name}${count === 1 ? '' : ` ×${count}`} in item ${item}`);
	const more = found.length > maxListed ? [`  and ${found.length - maxListed} more`] : [];
	return [`Left out ${leftOut(found)}. To keep secrets, use: inkpod export --exact`, ...shown, ...more];
}

const maxListed = 50;

export const unknownFormat = 'Name a file that ends in .md, .html or .json.';

export function exists(file: string): string {
	return `${file} exists. Replace it with --force.`;
}

export function inState(file: string): string {
	return `${file} is inside inkpod's own state. Choose another file.`;
}

export function notWritten(file: string, reason: string): string {
	return `Could not write ${file}: ${reason}.`;
}

export function written(file: string, bytes: string): string {
	return `Wrote ${file}, ${bytes}.`;
}

export function writtenFile(file: string): string {
	return `Wrote ${file}.`;
}
