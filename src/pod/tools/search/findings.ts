import {en, enCount} from '../../../language/index.ts';
import {fitting} from '../../ground/values/tool-output.ts';
import {onOneLine} from '../../ground/text/one-line.ts';

export type GrepOutput = 'content' | 'files' | 'count';

/** A line of a file for the result. `match: false` is context. */
type FoundLine = {
	readonly path: string;
	readonly number: number;
	readonly text: string;
	readonly match: boolean;
};

/** The findings of a search. Their memory is limited, whatever the search engine delivers. */
export type Findings = {
	/** Adds a line. Lines must come in the order of path and number. */
	line(line: FoundLine): void;
	/** Adds a file with the number of its matching lines, for a search without single lines. */
	file(path: string, count: number): void;
	/** Whether enough matches were counted, so that the search may stop. */
	readonly full: boolean;
	/** Returns one line for the screen, and rows for the model with a note about omissions. */
	result(maxBytes: number): {readonly summary: string; readonly rows: readonly string[]};
};

/** The maximum number of matches or files that are counted. */
const maxCounted = 10_000;

/** The maximum number of characters that a row shows of a line. */
const maxLineChars = 500;

export function createFindings({
	output,
	limit,
	context,
}: {
	readonly output: GrepOutput;
	readonly limit: number;
	readonly context: number;
}): Findings {
	const lines: FoundLine[] = [];
	const counts: Array<{readonly path: string; readonly count: number}> = [];
	let matches = 0;
	let files = 0;
	let lastPath: string | undefined;
	let lastShown = 0;

	return {
		line(line) {
			if (line.match) {
				matches += 1;
				if (line.path !== lastPath) files += 1;
				lastPath = line.path;
			}
			if (
				line.match
					? matches > limit
					: matches >= limit && (line.path !== lastPath || line.number > lastShown + context)
			)
				return;
			if (line.match) lastShown = line.number;
			lines.push({...line, text: shortened(line.text)});
		},
		file(path, count) {
			files += 1;
			matches += count;
			if (counts.length < limit) counts.push({path, count});
		},
		get full() {
			return (output === 'content' ? matches : files) >= maxCounted;
		},
		result(maxBytes) {
			const least = (found: string) => (this.full ? en`at least ${found}` : found);
			if (output === 'content') {
				const rows = fitting(rowsOf(lines, context > 0), maxBytes);
				const shown = rows.filter(row => matchRow.test(row)).length;
				return cut(
					rows.map(row => row.replace(matchRow, '')),
					shown,
					matches,
					en`${least(enCount(matches, 'match', 'matches'))} in ${enCount(files, 'file')}`,
				);
			}
			const rows = fitting(
				counts.map(({path, count}) => (output === 'count' ? `${onOneLine(path)}:${count}` : onOneLine(path))),
				maxBytes,
			);
			return cut(
				rows,
				rows.length,
				files,
				output === 'count'
					? en`${enCount(matches, 'match', 'matches')} in ${least(enCount(files, 'file'))}`
					: least(enCount(files, 'file')),
			);
		},
	};
}

/** Marks the rows of matches while rows are counted. No other row begins with it, because paths are never empty. */
const mark = '\0';
const matchRow = new RegExp(`^${mark}`);

function* rowsOf(lines: readonly FoundLine[], grouped: boolean): Generator<string> {
	let before: FoundLine | undefined;
	for (const line of lines) {
		if (grouped && before !== undefined && (before.path !== line.path || before.number + 1 !== line.number))
			yield '--';
		const separator = line.match ? ':' : '-';
		yield `${line.match ? mark : ''}${onOneLine(line.path)}${separator}${line.number}${separator}${line.text}`;
		before = line;
	}
}

function cut(
	rows: readonly string[],
	shown: number,
	total: number,
	found: string,
): {readonly summary: string; readonly rows: readonly string[]} {
	if (total === 0) return {summary: en`no matches`, rows: [en`No matches.`]};
	if (shown >= total) return {summary: found, rows};
	return {
		summary: en`${shown} of ${found}`,
		rows: [...rows, en`[...truncated, ${shown} of ${found} — narrow the pattern, path or glob, or raise limit]`],
	};
}

function shortened(text: string): string {
	if (text.length <= maxLineChars) return text;
	const points = Array.from(text.slice(0, maxLineChars * 2 + 1));
	return points.length <= maxLineChars ? text : `${points.slice(0, maxLineChars).join('')}…`;
}
