import {createHash} from 'node:crypto';
import type {Stats} from 'node:fs';
import type {WriteTarget} from '../../scope/write-target.ts';
import {decodeText, endsOf, withPlainEnds, type FileText} from './file-text.ts';
import {changeSentence, type ChangeFailure} from './failures.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import type {ReadExtent} from './read-tracker.ts';
import {en} from '../../../language/index.ts';
import type {StructuredPatch} from 'diff';

/** The change of one file by one call. */
export type Change = {
	/**
	The arguments of the call. A preview and the change after it get the same object, so that this object identifies
	them.
	*/
	readonly args: object;
	readonly path: string;
	/**
	The part of the file that the model must have read. `some`: the file exists, and the model read a part of it.
	`whole`: the model read all of it, or there is no such file.
	*/
	readonly needs: 'some' | 'whole';
	/** Returns the new contents of the file, or a sentence about a failure. */
	readonly apply: (present: FileText | undefined) => Applied;
	/** The maximum number of bytes of the diff in the result. The preview shows the whole diff. */
	readonly maxDiffBytes: number;
	/** The question on the card of the change, without the question mark. */
	readonly title: string;
	/** The model's text, for the card of a change that would fail. */
	readonly asWritten: string;
};

export type Failed = {readonly ok: false; readonly sentence: string};

export type Applied = {readonly ok: true; readonly text: FileText; readonly summary: string} | Failed;

/** A change together with the current file. `before` is absent if there is no such file. */
export type Planned = {
	readonly ok: true;
	readonly before?: {
		readonly text: FileText;
		readonly bytes: Buffer;
		readonly stats: Stats;
		readonly sha256: string;
	};
	readonly applied: Applied;
};

export function planChange(change: Change, {present}: WriteTarget): Planned | Failed {
	if (present === undefined)
		return change.needs === 'some' ? failed(change, 'not_found') : {ok: true, applied: change.apply(undefined)};
	const text = decodeText(present.bytes);
	if (text === undefined) return failed(change, 'binary');
	return {ok: true, before: {...present, text, sha256: sha256(present.bytes)}, applied: change.apply(text)};
}

/** Returns the result of a change if the model has read enough of the file, and a failure otherwise. */
export function checkedChange(change: Change, {applied}: Planned, extent: ReadExtent): Applied {
	const unread = unreadReasons[change.needs][extent];
	return unread === undefined ? applied : failed(change, unread);
}

const unreadReasons: {
	readonly [Needs in Change['needs']]: Readonly<Record<ReadExtent, ChangeFailure | undefined>>;
} = {
	some: {whole: undefined, part: undefined, stale: 'changed', none: 'not_read'},
	whole: {whole: undefined, part: 'partly_read', stale: 'changed', none: 'not_read'},
};

export function failed({path}: Change, reason: ChangeFailure, code?: string): Failed {
	return {ok: false, sentence: changeSentence(reason, onOneLine(path), code)};
}

/** Returns the diff of a change. The diff includes line endings and byte order marks only if they change. */
export async function diffOf(
	{path}: Pick<Change, 'path'>,
	before: FileText | undefined,
	after: FileText,
): Promise<string> {
	const plain = await unifiedDiff({
		path,
		before: before && withPlainEnds(before.raw),
		after: withPlainEnds(after.raw),
	});
	const sameEnds =
		before === undefined ||
		(before.bom === after.bom && endsOf(before.raw) !== 'mixed' && endsOf(before.raw) === endsOf(after.raw));
	return sameEnds ? plain : unifiedDiff({path, before: stored(before), after: stored(after)});
}

function stored({bom, raw}: FileText): string {
	return `${bom ? '\uFEFF' : ''}${raw}`;
}

export function sha256(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}

/**
Returns the complete unified diff of a change, with three lines around each hunk and a final newline. The diff is empty
if no text changes. If a minimal diff takes too long, all lines between the first and the last different line are one
hunk. Such a limit is needed because the screen waits for the diff.
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

/** The contents of a file before and after a change. `before` is absent for a new file. */
type TextChange = {readonly path: string; readonly before?: string | undefined; readonly after: string};

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

/**
Returns the lines with their newlines, because a last line without a newline differs from the same line with a newline.
*/
function linesOf(text: string): readonly string[] {
	return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function signed(sign: string, line: string): readonly string[] {
	return line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, noNewline];
}
