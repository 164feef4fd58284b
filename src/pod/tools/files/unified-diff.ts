import {en} from '../../../language/index.ts';
import type {StructuredPatch} from 'diff';
import {onOneLine} from '../../ground/text/one-line.ts';

/** The contents of a file before and after a change. `before` is absent for a new file. */
type TextChange = {readonly path: string; readonly before?: string | undefined; readonly after: string};

/**
Returns the complete unified diff of a change, with three lines around each hunk and a final newline. It is empty if no
text changes. If a minimal diff takes too long, all lines between the first and the last different line are one hunk.
Such a limit is needed because the screen waits for the diff.
*/
export async function unifiedDiff({path, before, after}: TextChange, maxMs = 200): Promise<string> {
	const old = before ?? '';
	if (old === after) return '';
	const {OMIT_HEADERS, formatPatch, structuredPatch} = await import('diff');
	const patch =
		structuredPatch('', '', old, after, undefined, undefined, {context, timeout: maxMs}) ?? middlePatch(old, after);
	const name = onOneLine(path);
	return `--- ${before === undefined ? '/dev/null' : name}\n+++ ${name}\n${formatPatch(patch, OMIT_HEADERS)}`;
}

/** Returns the lines of a diff that fit into `maxBytes`, with a note about the number of omitted lines. */
export function cappedDiff(diff: string, maxBytes: number): string {
	const whole = diff.replace(/\n$/, '');
	if (Buffer.byteLength(whole) <= maxBytes) return whole;
	const lines = whole.split('\n');
	let bytes = 0;
	const shown = lines.findIndex(line => (bytes += Buffer.byteLength(line) + 1) > maxBytes);
	return [...lines.slice(0, shown), en`[...truncated, ${lines.length - shown} more lines of the diff]`].join('\n');
}

const context = 3;
const noNewline = String.raw`\ No newline at end of file`;

function middlePatch(before: string, after: string): StructuredPatch {
	const [old, now] = [linesOf(before), linesOf(after)];
	const shorter = Math.min(old.length, now.length);
	let head = 0;
	while (head < shorter && old[head] === now[head]) head += 1;
	let tail = 0;
	while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
	const from = Math.max(0, head - context);
	const linesAfter = Math.min(tail, context);
	const oldEnd = old.length - tail;
	const nowEnd = now.length - tail;
	const lines = [
		...old.slice(from, head).flatMap(line => signed(' ', line)),
		...old.slice(head, oldEnd).flatMap(line => signed('-', line)),
		...now.slice(head, nowEnd).flatMap(line => signed('+', line)),
		...old.slice(oldEnd, oldEnd + linesAfter).flatMap(line => signed(' ', line)),
	];
	const hunk = {
		oldStart: from + 1,
		oldLines: oldEnd + linesAfter - from,
		newStart: from + 1,
		newLines: nowEnd + linesAfter - from,
		lines,
	};
	return {oldFileName: '', newFileName: '', oldHeader: undefined, newHeader: undefined, hunks: [hunk]};
}

/** Returns the lines with their newlines, because a last line without one differs from the same line with one. */
function linesOf(text: string): readonly string[] {
	return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function signed(sign: string, line: string): readonly string[] {
	return line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, noNewline];
}
