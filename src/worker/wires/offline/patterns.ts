/** The parts of the patterns that the rules use to read a message. */

/** Matches a quoted text. */
export const quotedText = '"[^"]+"|“[^”]+”|\'[^\']+\'|`[^`]+`|「[^」]+」';

/** Builds a pattern that is written in several lines and ignores case. */
export function pattern(...parts: readonly string[]): RegExp {
	return new RegExp(parts.join(''), 'i');
}

export type Groups = Readonly<Record<string, string | undefined>>;

/** Returns the groups of the first pattern that matches. */
export function firstGroups(patterns: readonly RegExp[], text: string): Groups | undefined {
	for (const one of patterns) {
		const match = one.exec(text);
		if (match !== null) return match.groups ?? {};
	}
	return undefined;
}

/** Returns the group of a match, or an empty text if the group matched nothing. */
export function group(groups: Groups, name: string): string {
	return groups[name] ?? '';
}

/** The kinds of files that a message may name, and their globs. */
export const fileKinds: ReadonlyMap<string, string> = new Map([
	['typescript', '**/*.{ts,tsx}'],
	['ts', '**/*.ts'],
	['tsx', '**/*.tsx'],
	['javascript', '**/*.{js,jsx,mjs,cjs}'],
	['js', '**/*.js'],
	['python', '**/*.py'],
	['markdown', '**/*.md'],
	['md', '**/*.md'],
	['json', '**/*.json'],
	['yaml', '**/*.{yml,yaml}'],
	['toml', '**/*.toml'],
	['rust', '**/*.rs'],
	['go', '**/*.go'],
	['css', '**/*.css'],
	['html', '**/*.html'],
	['shell', '**/*.sh'],
	['test', '**/*{test,spec}*'],
	['source', 'src/**/*'],
	['hidden', '**/.*'],
]);

/** The words that turn "show me …" into a search. */
export const searchMarker = pattern(
	String.raw`\b(?:todos?|fixmes?|hacks?|xxx|occurrences?|usages?|uses|references?|mentions?|matches|`,
	String.raw`calls\s+to|lines\s+(?:with|containing|that))\b`,
);
