import {createHash} from 'node:crypto';
import {maxChangedBytes} from '../../config/limits.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import type {Scope} from '../../scope/scope.ts';
import type {NotWritten} from '../../scope/write-failure.ts';
import {openTarget, type WriteTarget} from '../../scope/write-target.ts';
import {readBackup} from '../../disk/bodies/pasted.ts';
import {decodeText, withPlainEnds} from '../../tools/files/file-text.ts';
import {shownPath} from '../../tools/search/search-root.ts';
import {cappedDiff, unifiedDiff} from '../../tools/files/planned-change.ts';
import type {FileTrace} from '../../tools/files/changes.ts';
import {rewindTexts} from './texts.ts';

export type CompareOptions = {
	readonly scope: Scope;
	/** The session's folder with the backups of file contents. */
	readonly sessionDir: string;
	/** The folders with inkpod's own files. Tools never write to them. */
	readonly protectedFolders: readonly string[];
};

/**
The current contents of a changed file, and its contents at the start of the trace. `undefined` means that the file does
not exist.
*/
type Compared = {readonly path: string; readonly present: Buffer | undefined} & (
	| {
			readonly ok: true;
			readonly original: Buffer | undefined;
			/** The end of a sentence about a change by something other than a tool. Absent if there was none. */
			readonly others: string | undefined;
	  }
	/** `sentence`: the end of a sentence that explains why the contents cannot be read. */
	| {readonly ok: false; readonly sentence: string}
);

/** Reads both contents of a changed file. Returns `undefined` if the file has its earlier contents again. */
export async function compareFile(
	trace: FileTrace,
	{scope, sessionDir, protectedFolders}: CompareOptions,
): Promise<Compared | undefined> {
	const {real, original: hash} = trace;
	const path = shownPath(scope, real);
	const target = await openInPlace(trace, {scope, protectedFolders});
	if (!target.ok) {
		const isGone = hash === undefined && target.reason === 'not_a_directory';
		return isGone ? undefined : {ok: false, path, present: undefined, sentence: sentenceOf(target)};
	}
	try {
		const present = target.present?.bytes;
		const now = present && sha256(present);
		if (now === hash) return undefined;
		const original = hash === undefined ? undefined : await readBackup(sessionDir, hash);
		if (hash !== undefined && original === undefined)
			return {ok: false, path, present, sentence: rewindTexts.noBackup};
		return {ok: true, path, present, original, others: foreignChange(trace, now)};
	} finally {
		await target.close();
	}
}

/** If something other than a tool has changed the file, returns the end of a sentence about this. */
function foreignChange({lastWritten, isBroken}: FileTrace, present: string | undefined): string | undefined {
	if (present !== lastWritten) return present === undefined ? rewindTexts.deletedOutside : rewindTexts.changedOutside;
	return isBroken ? rewindTexts.changedBetween : undefined;
}

/** Opens the recorded path. Refuses if the path now leads to another place, for example through a symbolic link. */
export async function openInPlace(
	{real}: FileTrace,
	{scope, protectedFolders}: Pick<CompareOptions, 'scope' | 'protectedFolders'>,
): Promise<WriteTarget | NotWritten> {
	const target = await openTarget(scope, real, {maxBytes: maxChangedBytes, protectedFolders});
	if (!target.ok || target.real === real) return target;
	await target.close();
	return {ok: false, reason: 'out_of_scope'};
}

/** The maximum size of one file's diff, in bytes. */
const maxDiffBytes = 65_536;

/**
Returns a unified diff from `before` to `after`. If only the line endings differ, the diff shows the line endings.
Returns an empty text if one of the contents is not text.
*/
export async function diffOf(path: string, before: Buffer | undefined, after: Buffer | undefined): Promise<string> {
	const [old, fresh] = [before, after].map(bytes => (bytes === undefined ? undefined : decodeText(bytes)));
	if ((before !== undefined && old === undefined) || (after !== undefined && fresh === undefined)) return '';
	const plain = await unifiedDiff({
		path,
		before: old && withPlainEnds(old.raw),
		after: withPlainEnds(fresh?.raw ?? ''),
	});
	const diff =
		plain === '' ? await unifiedDiff({path, before: before?.toString(), after: after?.toString() ?? ''}) : plain;
	return cappedDiff(after === undefined ? diff.replace(/^\+\+\+ .*$/m, '+++ /dev/null') : diff, maxDiffBytes);
}

export function sha256(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}

export function sentenceOf({reason, cause}: NotWritten): string {
	return rewindTexts.cannotWrite(reason, errorCode(cause));
}
