import {changeContext} from '../../context/ledger/ledger-query.ts';
import type {ControllerOptions} from '../controller/controller.ts';
import type {PodClient, Refusal, ChangedFile, Method} from '../../protocol.ts';
import {renameSession} from '../../disk/list/trash.ts';
import type {JobEnd} from '../status/job.ts';
import {HistoryError, stamp, type Clock, type History} from '../../../worker/index.ts';
import {resumableCalls} from '../../ground/history/reader.ts';
import {rewindTexts} from './texts.ts';
import {en} from '../../../language/index.ts';
import {saveBackup, readBackup} from '../../disk/bodies/pasted.ts';
import {shownPath} from '../../tools/search/search-root.ts';
import {compareFile, diffOf, openInPlace, sentenceOf, sha256, type CompareOptions} from './compare-file.ts';
import {restoredNotice, fileTracesSince, type FileTrace} from '../../tools/files/changes.ts';

type RewindMethodsOptions = RestoreOptions & {
	/** Returns the status of the session after a change of the context. */
	readonly statusAfterChange: () => 'idle' | 'paused';
	/** Called with a sentence about files that could not be restored. */
	readonly onProblem: (sentence: string) => void;
};

/** The methods that change the context, rewind the conversation and restore files. */
export type RewindMethods = {
	readonly methods: Pick<ControllerOptions, 'changeContext' | 'rewind' | 'rename' | 'restoreFiles'>;
} & Pick<PodClient, 'filesSince'>;

export function createRewindMethods({statusAfterChange, onProblem, ...options}: RewindMethodsOptions): RewindMethods {
	const {history, clock, sessionDir: dir} = options;
	const restoring = createFileRestore(options);
	const endOf = (changed: Rewound): JobEnd =>
		changed.ok
			? {type: 'done', now: statusAfterChange()}
			: {type: 'refused', code: changed.code, sentence: changed.sentence};
	return {
		methods: {
			changeContext: async change => endOf(await changeContext(history, clock, change)),
			rewind: async to => endOf(await rewindTo(history, clock, to)),
			rename: async title => endOf(await renameSession({history, clock, dir}, title)),
			async restoreFiles(change) {
				const restored = await restoring.restore(change);
				if (restored.type !== 'restored') return restored;
				if (restored.problems.length > 0) onProblem(restored.problems.join(' '));
				return {type: 'done'};
			},
		},
		filesSince: async to => restoring.filesSince(to),
	};
}

/** Restores files that tools have changed (docs/rewind.md). */
export type FileRestore = {
	/** Returns the files that tools have changed since an item. Omits files that have their earlier contents again. */
	filesSince(to: string): Promise<readonly ChangedFile[]>;
	/**
	Restores each named file that still has the contents that the user saw. Commits a notice for each restored file.
	Refuses a file whose earlier contents have no backup, or whose current contents the user has not seen.
	*/
	restore(change: Omit<Extract<Method, {method: 'restore_files'}>, 'method'>): Promise<Restored>;
};

export function createFileRestore(options: RestoreOptions): FileRestore {
	const {history} = options;
	return {
		async filesSince(to) {
			const found: ChangedFile[] = [];
			for (const trace of fileTracesSince(history.items, to)) {
				const looked = await describeRestore(options, trace);
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

type Rewound = {readonly ok: true} | {readonly ok: false; readonly code: Refusal; readonly sentence: string};

/**
Rewinds the context to its state right after the item `to` (docs/rewind.md). Commits only a `rewind` item. The function
refuses a rewind that would have no effect. It also refuses a rewind that would leave calls without results, because a
session cannot continue from the middle of an answer.
*/
async function rewindTo(history: History, clock: Clock, to: string): Promise<Rewound> {
	const {items} = history;
	const at = items.findLastIndex(({id}) => id === to);
	if (at === -1) return {ok: false, code: 'no_such_item', sentence: rewindTexts.noSuchItem(to)};
	if (at === items.length - 1) return {ok: false, code: 'empty', sentence: rewindTexts.nothingLater};
	const rewind = stamp(clock, {type: 'rewind', to});
	if (resumableCalls([...items, rewind]).length > 0)
		return {
			ok: false,
			code: 'no_such_item',
			sentence: rewindTexts.insideToolCall,
		};
	try {
		await history.append([rewind]);
		return {ok: true};
	} catch (error) {
		if (error instanceof HistoryError) return {ok: false, code: 'io', sentence: error.message};
		throw error;
	}
}

type RestoreOptions = CompareOptions & {readonly history: History; readonly clock: Clock};

/**
The result of a restore. `problems` are sentences about files that could not be restored. `unsaved`: files may have
changed, but history could not record this.
*/
type Restored =
	| {readonly type: 'restored'; readonly problems: readonly string[]}
	| {readonly type: 'refused'; readonly code: Refusal; readonly sentence: string}
	| {readonly type: 'unsaved'; readonly sentence: string};

/**
Describes what restoring one file would do, without changing the file. Returns `undefined` if the file has its earlier
contents again.
*/
async function describeRestore(options: RestoreOptions, trace: FileTrace): Promise<ChangedFile | undefined> {
	const {real} = trace;
	const compared = await compareFile(trace, options);
	if (compared === undefined) return undefined;
	const {path, present} = compared;
	const now = present && {present: sha256(present)};
	if (!compared.ok) return {state: 'lost', real, path, ...now, diff: '', sentence: compared.sentence};
	const {original, others} = compared;
	return {
		state: others === undefined ? 'tools' : 'others',
		real,
		path,
		...now,
		...(original === undefined && {removes: true}),
		diff: await diffOf(path, present, original),
		sentence: others,
	};
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
		const note = kept.ok ? '' : ` ${en`The replaced contents were not saved: ${kept.sentence}.`}`;
		await history.append([stamp(clock, restoredNotice({path, real, before: present, after: original}, note))]);
		return undefined;
	} finally {
		await target.close();
	}
}
