import {createHash} from 'node:crypto';
import type {Stats} from 'node:fs';
import type {WriteTarget} from '../scope/write-target.ts';
import {decodeText, endsOf, withPlainEnds, type FileText} from './file-text.ts';
import {changeSentence, type ChangeFailure} from './failures.ts';
import {onOneLine} from './output.ts';
import type {ReadExtent} from './read-tracker.ts';
import {unifiedDiff} from './unified-diff.ts';

/** What one call changes in one file. */
export type Change = {
	/** The arguments of the call, the same object each time: a change is recognised by it after its preview. */
	readonly args: object;
	readonly path: string;
	/**
	What was read before. `some`: the file exists, and a part of it was read. `whole`: all of it was read, or there is no
	such file.
	*/
	readonly needs: 'some' | 'whole';
	/** The new content of the file, or a sentence that says why there is none. */
	readonly apply: (present: FileText | undefined) => Applied;
	/** Bytes of the diff in the result. The preview shows the whole diff. */
	readonly maxDiffBytes: number;
	/** The question of its card, without its question mark. */
	readonly title: string;
	/** What the model wrote, for the card of a change that would fail. */
	readonly asWritten: string;
};

export type Failed = {readonly ok: false; readonly sentence: string};
export type Applied = {readonly ok: true; readonly text: FileText; readonly summary: string} | Failed;

/** A change and the file as it is now. `before` absent: there is no such file. */
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

/** What a change makes of a file that the model has read to this extent. */
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

/** Line endings and byte order marks are in the diff only when they change. */
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
