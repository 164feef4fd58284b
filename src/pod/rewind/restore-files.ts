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
	/** The session's folder with the backups of file contents. */
	readonly sessionDir: string;
	/** Folders of inkpod's own files. Tools never write to them. */
	readonly protectedFolders: readonly string[];
};

/**
The result of a restore. `problems` are sentences about files that could not be restored.
`unsaved`: files may have changed, but history could not record it.
*/
export type Restored =
	| {readonly type: 'restored'; readonly problems: readonly string[]}
	| {readonly type: 'refused'; readonly code: Refusal; readonly sentence: string}
	| {readonly type: 'unsaved'; readonly sentence: string};

/** Restores files that tools have changed (docs/rewind.md). */
export type FileRestore = {
	/** Returns the files to restore since an item. Files that have their earlier contents again are left out. */
	filesSince(to: string): Promise<readonly ChangedFile[]>;
	/**
	Restores each named file that still has the contents that the user saw, and commits a notice for each.
	It never overwrites contents without a backup, or contents that the user did not see.
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

/**
Describes the restore of one file without changing it. Returns `undefined` if the file has its earlier contents again.
*/
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

/** Returns the end of a sentence if something other than a tool has changed the file. */
function foreignChange({lastWritten, isBroken}: FileTrace, present: string | undefined): string | undefined {
	if (present !== lastWritten) return present === undefined ? rewindTexts.deletedOutside : rewindTexts.changedOutside;
	return isBroken ? rewindTexts.changedBetween : undefined;
}

/** Restores one file. Returns a sentence if that fails. Rejects like `append`. */
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

/** Returns the diff from the current to the earlier contents. It shows line ends if nothing else differs. */
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
