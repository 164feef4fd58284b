import {createHash} from 'node:crypto';
import {HistoryError, stamp, type Clock, type History} from '../../worker/index.ts';
import {maxChangedBytes} from '../config/limits.ts';
import type {ChangedFile, Method, Refusal} from '../protocol.ts';
import {errorCode} from '../files/fs-error.ts';
import type {Scope} from '../scope/scope.ts';
import type {NotWritten} from '../scope/write-failure.ts';
import {openTarget, type WriteTarget} from '../scope/write-target.ts';
import {saveBackup, readBackup} from '../session/backups.ts';
import {decodeText, withPlainEnds} from '../tools/file-text.ts';
import {shownPath} from '../tools/search-root.ts';
import {cappedDiff, unifiedDiff} from '../tools/unified-diff.ts';
import {restoredNotice, fileTracesSince, type FileTrace} from './file-changes.ts';
import {rewindTexts} from './texts.ts';

export type RestoreOptions = {
	readonly history: History;
	readonly clock: Clock;
	readonly scope: Scope;
	/** The session's folder, which contains backups of file contents. */
	readonly sessionDir: string;
	/** Folders that are never written: inkpod's own files. */
	readonly protectedFolders: readonly string[];
};

/**
`problems`: of files that could not be restored while others were. `unsaved`: files may have been restored, but history
could not record it.
*/
export type Restored =
	| {readonly type: 'restored'; readonly problems: readonly string[]}
	| {readonly type: 'refused'; readonly code: Refusal; readonly sentence: string}
	| {readonly type: 'unsaved'; readonly sentence: string};

/** Restores files that tools have changed (docs/rewind.md). */
export type FileRestore = {
	/** The files to restore since an item, without those that already have their earlier contents. */
	filesSince(to: string): Promise<readonly ChangedFile[]>;
	/**
	Restores each named file whose contents are still those that were shown, and commits a notice for each. It never
	overwrites contents that are not backed up or that the user did not see.
	*/
	restore(change: Omit<Extract<Method, {method: 'restore_files'}>, 'method'>): Promise<Restored>;
};

export function createFileRestore(options: RestoreOptions): FileRestore {
	const {history} = options;
	return {
		async filesSince(to) {
			const found: ChangedFile[] = [];
			for (const trace of fileTracesSince(history.items, to)) {
				const looked = await compareFile(options, trace);
				if (looked !== undefined) found.push(looked);
			}
			return found;
		},
		async restore({to, files}) {
			const traces = new Map(fileTracesSince(history.items, to).map(trace => [trace.real, trace]));
			if (files.length === 0) return {type: 'refused', code: 'empty', sentence: rewindTexts.noFiles};
			const unknown = files.find(({real}) => !traces.has(real));
			if (unknown !== undefined)
				return {
					type: 'refused',
					code: 'no_such_item',
					sentence: rewindTexts.notChangedByTools(unknown.real),
				};
			const chosen = files.flatMap(({real, present}) => {
				const trace = traces.get(real);
				return trace === undefined ? [] : [{trace, present}];
			});
			const problems: string[] = [];
			try {
				for (const {trace, present} of chosen) {
					const problem = await restoreFile(options, trace, present);
					if (problem !== undefined) problems.push(problem);
				}
			} catch (error) {
				if (error instanceof HistoryError) return {type: 'unsaved', sentence: error.message};
				throw error;
			}
			return problems.length < files.length
				? {type: 'restored', problems}
				: {type: 'refused', code: 'io', sentence: problems.join(' ')};
		},
	};
}

/** Describes the restore of one file. `undefined`: the file already has its earlier contents. It changes nothing. */
async function compareFile(
	{scope, sessionDir, protectedFolders}: RestoreOptions,
	trace: FileTrace,
): Promise<ChangedFile | undefined> {
	const {real, original} = trace;
	const path = shownPath(scope, real);
	const lost = (sentence: string, present?: string): ChangedFile => ({
		state: 'lost',
		real,
		path,
		diff: '',
		sentence,
		...(present !== undefined && {present}),
	});
	const target = await openInPlace(trace, {scope, protectedFolders});
	if (!target.ok)
		return original === undefined && target.reason === 'not_a_directory' ? undefined : lost(sentenceOf(target));
	try {
		const bytes = target.present?.bytes;
		const present = bytes && sha256(bytes);
		if (present === original) return undefined;
		const wanted = original === undefined ? undefined : await readBackup(sessionDir, original);
		if (original !== undefined && wanted === undefined) return lost(rewindTexts.noBackup, present);
		const others = foreignChange(trace, present);
		return {
			state: others === undefined ? 'tools' : 'others',
			real,
			path,
			...(present !== undefined && {present}),
			...(original === undefined && {removes: true}),
			diff: await diffOf(path, bytes, wanted),
			...(others !== undefined && {sentence: others}),
		};
	} finally {
		await target.close();
	}
}

/** Whether something other than a tool has changed the file, as the end of a sentence. */
function foreignChange({lastWritten, isBroken}: FileTrace, present: string | undefined): string | undefined {
	if (present !== lastWritten) return present === undefined ? rewindTexts.deletedOutside : rewindTexts.changedOutside;
	return isBroken ? rewindTexts.changedBetween : undefined;
}

/** Restores one file. Returns a sentence if it could not. Rejects as `append` does. */
async function restoreFile(
	{history, clock, scope, sessionDir, protectedFolders}: RestoreOptions,
	trace: FileTrace,
	seen: string | undefined,
): Promise<string | undefined> {
	const {real, original} = trace;
	const path = shownPath(scope, real);
	const failed = (why: string) => rewindTexts.notRestored(path, why);
	const target = await openInPlace(trace, {scope, protectedFolders});
	if (!target.ok) return failed(sentenceOf(target));
	try {
		const bytes = target.present?.bytes;
		const present = bytes && sha256(bytes);
		if (present !== seen) return failed(rewindTexts.cannotWrite('changed', ''));
		if (present === original) return failed(rewindTexts.alreadyRestored);
		const wanted = original === undefined ? undefined : await readBackup(sessionDir, original);
		if (original !== undefined && wanted === undefined) return failed(rewindTexts.noBackup);
		const kept =
			bytes === undefined || present === undefined
				? {ok: true as const}
				: await saveBackup(sessionDir, present, bytes);
		const done = wanted === undefined ? await target.remove() : await target.replace(wanted);
		if (!done.ok) return failed(sentenceOf(done));
		const note = kept.ok ? '' : ` What stood there last was not kept: ${kept.sentence}.`;
		await history.append([stamp(clock, restoredNotice({path, real, before: present, after: original}, note))]);
		return undefined;
	} finally {
		await target.close();
	}
}

/** Opens the recorded path itself, not the target of a link that is there now. */
async function openInPlace(
	{real}: FileTrace,
	{scope, protectedFolders}: Pick<RestoreOptions, 'scope' | 'protectedFolders'>,
): Promise<WriteTarget | NotWritten> {
	const target = await openTarget(scope, real, {maxBytes: maxChangedBytes, protectedFolders});
	if (!target.ok || target.real === real) return target;
	await target.close();
	return {ok: false, reason: 'out_of_scope'};
}

/** The maximum size of one file's diff. */
const maxDiffBytes = 65_536;

/** The diff from the current to the earlier contents. Line ends are shown if only they differ. */
async function diffOf(path: string, before: Buffer | undefined, after: Buffer | undefined): Promise<string> {
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

function sha256(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}

function sentenceOf({reason, cause}: NotWritten): string {
	return rewindTexts.cannotWrite(reason, errorCode(cause));
}
