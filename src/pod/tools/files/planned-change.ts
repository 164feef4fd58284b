import {createHash} from 'node:crypto';
import type {Stats} from 'node:fs';
import type {WriteTarget} from '../../scope/write-target.ts';
import {decodeText, endsOf, withPlainEnds, type FileText} from './file-text.ts';
import {changeSentence, type ChangeFailure} from './failures.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import type {ReadExtent} from './read-tracker.ts';
import {unifiedDiff} from './unified-diff.ts';

/** The change of one file by one call. */
export type Change = {
	/**
	They are always the same object, which identifies the change after its preview. They are always the same object,
	which identifies the change after its preview.
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

/** Applies a change to a file that the model has read to this extent. */
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

/** Returns the diff of a change. It includes line endings and byte order marks only if they change. */
export async function diffOf({path}: Change, before: FileText | undefined, after: FileText): Promise<string> {
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
