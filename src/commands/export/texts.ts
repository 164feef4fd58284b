import {t} from '../../language/index.ts';
import type {FoundSecret} from '../../pod/index.ts';
import {plural} from '../../tui/text/formats.ts';

/** The texts of exported sessions and of `inkpod export`. */
export const speakers = {
	user: t`You`,
	assistant: t`Model`,
	thinking: t`Thinking`,
	compaction: t`Summary`,
	child: t`Child session`,
};

export const exportTexts = {
	session: t`Session`,
	directory: t`Directory`,
	created: t`Created`,
	items: t`Items`,
	head: t`Head of the hash chain`,
	redactions: t`Left out`,
	rewound: t`rewound: no longer in the context`,
	arguments: t`arguments`,
	result: t`result`,
	noResult: t`no result`,
	failed: t`failed`,
	denied: t`denied`,
	prompt: t`system prompt`,
	tools: t`tools`,
	task: t`task`,
	conversation: t`Conversation of the summary`,
	exactNote: t`This is the exact record: secrets were not looked for.`,
} as const;

export function head(sum: string, line: number): string {
	return t`${sum}, line ${line}`;
}

/** Returns the sentence that counts what was left out, by kind: `3 secrets (GitHub token 2, JSON web token 1)`. */
export function leftOut(found: readonly FoundSecret[]): string {
	const byName = new Map<string, number>();
	for (const {name, count} of found) byName.set(name, (byName.get(name) ?? 0) + count);
	const total = [...byName.values()].reduce((sum, count) => sum + count, 0);
	const kinds = [...byName].map(([name, count]) => `${name} ${count}`).join(', ');
	return total === 0 ? t`nothing: no secrets were found` : `${plural(total, 'secret')} (${kinds})`;
}

/** Returns the lines for stderr about what was left out, with the items. */
export function redactedLines(found: readonly FoundSecret[]): readonly string[] {
	if (found.length === 0) return [];
	const shown = found
		.slice(0, maxListed)
		.map(({name, item, count}) => t`  ${name}${count === 1 ? '' : ` ×${count}`} in item ${item}`);
	const more = found.length > maxListed ? [t`  and ${found.length - maxListed} more`] : [];
	return [t`Left out ${leftOut(found)}. To keep secrets, use: inkpod export --exact`, ...shown, ...more];
}

const maxListed = 50;

export function imagesStay(count: number): string {
	const images = count === 1 ? t`1 image is` : t`${count} images are`;
	return t`${images} in the page. inkpod does not look for secrets in images.`;
}

export const unknownFormat = t`Name a file that ends in .md, .html or .json.`;

export function exists(file: string): string {
	return t`${file} exists. Replace it with --force.`;
}

export function inState(file: string): string {
	return t`${file} is inside inkpod's own state. Choose another file.`;
}

export function notWritten(file: string, reason: string): string {
	return t`Could not write ${file}: ${reason}.`;
}

export function written(file: string, bytes: string): string {
	return t`Wrote ${file}, ${bytes}.`;
}

export function writtenFile(file: string): string {
	return t`Wrote ${file}.`;
}
