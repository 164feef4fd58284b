import {t} from '../../language/index.ts';
import type {FoundSecrets} from '../../pod/index.ts';

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
	state: t`State`,
	cost: t`Cost`,
	waiting: t`You (waiting, not sent yet)`,
	rewound: t`rewound: no longer in the context`,
	arguments: t`arguments`,
	result: t`result`,
	change: t`change`,
	noResult: t`no result`,
	failed: t`failed`,
	denied: t`denied`,
	record: t`Record`,
	settings: t`settings`,
	prompt: t`system prompt`,
	tools: t`tools`,
	task: t`task`,
	conversation: t`Conversation of the summary`,
	exactNote: t`This is the exact record: inkpod did not look for secrets.`,
} as const;

/** Returns the title of the collapsed system prompt, tools and settings. */
export function setupTitle(model: string): string {
	return t`System prompt and settings · ${model}`;
}

export function head(sum: string, line: number): string {
	return t`${sum}, line ${line}`;
}

/**
Returns the number of left-out values, with their kinds:
`3 values that look like secrets (GitHub token, JSON web token)`.
*/
export function leftOut({count, found}: FoundSecrets): string {
	const byName = new Map<string, number>();
	for (const {name, count: own} of found) byName.set(name, (byName.get(name) ?? 0) + own);
	const kinds = [...byName.keys()].join(', ');
	return count === 0 ? t`nothing: no value looks like a secret` : `${secretCount(count)} (${kinds})`;
}

function secretCount(count: number): string {
	return count === 1 ? t`1 value that looks like a secret` : t`${count} values that look like secrets`;
}

/** Returns the lines for stderr about left-out values, with the items. */
export function redactedLines({count, found}: FoundSecrets): readonly string[] {
	if (count === 0) return [];
	const shown = found
		.slice(0, maxListed)
		.map(({name, item, count: own}) => t`  ${name}${own === 1 ? '' : ` ×${own}`} in item ${item}`);
	const more = found.length > maxListed ? [t`  and ${found.length - maxListed} more`] : [];
	return [leftOutOf(count), ...shown, ...more, t`To keep secrets, use: inkpod export --exact`];
}

function leftOutOf(count: number): string {
	return count === 1
		? t`Left out 1 value that looks like a secret. Others may remain.`
		: t`Left out ${count} values that look like secrets. Others may remain.`;
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
	return t`${file} is inside inkpod's data folder. Choose another file.`;
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
