import {createHash} from 'node:crypto';
import {HistoryError, stamp, type Clock, type History} from '../../worker/index.ts';
import {maxChangedBytes} from '../config/limits.ts';
import type {ChangedFile, Method, Refusal} from '../protocol.ts';
import {errorCode} from '../files/fs-error.ts';
import type {Scope} from '../scope/scope.ts';
import {openTarget, type NotWritten, type WriteFailure, type WriteTarget} from '../scope/write-target.ts';
import {keepBytes, keptBytes} from '../session/kept.ts';
import {decodeText, withPlainEnds} from '../tools/file-text.ts';
import {onOneLine} from '../tools/output.ts';
import {shownPath} from '../tools/place.ts';
import {cappedDiff, unifiedDiff} from '../tools/unified-diff.ts';
import {restoredNotice, tracesSince, type Trace} from './traces.ts';

export type RestoringOptions = {
	readonly history: History;
	readonly clock: Clock;
	readonly scope: Scope;
	/** The session's folder, which keeps what stood in files. */
	readonly sessionDir: string;
	/** Folders that are never written: what inkpod itself keeps. */
	readonly apart: readonly string[];
};

/**
`problems`: of files that were not put back, while others were. `unsaved`: files may have been put back, and history
cannot say it.
*/
export type Restored =
	| {readonly type: 'restored'; readonly problems: readonly string[]}
	| {readonly type: 'refused'; readonly code: Refusal; readonly sentence: string}
	| {readonly type: 'unsaved'; readonly sentence: string};

/** Puts files back that tools have changed (docs/rewind.md). */
export type Restoring = {
	/** What there is to put back since an item; what stands as it did then is left out. */
	filesSince(to: string): Promise<readonly ChangedFile[]>;
	/**
	Puts each named file back where it stands as it was shown, through the door of all writing, and commits a notice for
	each. Of nothing is anything overwritten that was not kept, or that the person did not see.
	*/
	restore(change: Omit<Extract<Method, {method: 'restore_files'}>, 'method'>): Promise<Restored>;
};

export function createRestoring(options: RestoringOptions): Restoring {
	const {history} = options;
	return {
		async filesSince(to) {
			const found: ChangedFile[] = [];
			for (const trace of tracesSince(history.items, to)) {
				const looked = await look(options, trace);
				if (looked !== undefined) found.push(looked);
			}
			return found;
		},
		async restore({to, files}) {
			const traces = new Map(tracesSince(history.items, to).map(trace => [trace.real, trace]));
			if (files.length === 0) return {type: 'refused', code: 'empty', sentence: 'No file is named.'};
			const unknown = files.find(({real}) => !traces.has(real));
			if (unknown !== undefined)
				return {
					type: 'refused',
					code: 'no_such_item',
					sentence: `No tool has changed ${onOneLine(unknown.real).slice(0, 200)} since then.`,
				};
			const problems: string[] = [];
			try {
				for (const {real, present} of files) {
					const problem = await putBack(options, traces.get(real)!, present);
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

/** What it would be to put a file back. `undefined`: it stands there as it did. Nothing is changed. */
async function look({scope, sessionDir, apart}: RestoringOptions, trace: Trace): Promise<ChangedFile | undefined> {
	const {real, then, last, isBroken} = trace;
	const path = shownPath(scope, real);
	const lost = (sentence: string, present?: string): ChangedFile => ({
		state: 'lost',
		real,
		path,
		diff: '',
		sentence,
		...(present !== undefined && {present}),
	});
	const target = await targetOf(trace, {scope, apart});
	if (!target.ok)
		return then === undefined && target.reason === 'not_a_directory' ? undefined : lost(sentenceOf(target));
	try {
		const bytes = target.present?.bytes;
		const present = bytes && sha256(bytes);
		if (present === then) return undefined;
		const wanted = then === undefined ? undefined : await keptBytes(sessionDir, then);
		if (then !== undefined && wanted === undefined) return lost('what stood there was not kept', present);
		const others =
			present !== last
				? `somebody else has ${present === undefined ? 'removed' : 'changed'} it since`
				: isBroken
					? 'somebody else has changed it between the changes of the tools'
					: undefined;
		return {
			state: others === undefined ? 'tools' : 'others',
			real,
			path,
			...(present !== undefined && {present}),
			...(then === undefined && {removes: true}),
			diff: await diffOf(path, bytes, wanted),
			...(others !== undefined && {sentence: others}),
		};
	} finally {
		await target.close();
	}
}

/** Puts one file back. Answers why not, in a sentence. Rejects as `append` does. */
async function putBack(
	{history, clock, scope, sessionDir, apart}: RestoringOptions,
	trace: Trace,
	seen: string | undefined,
): Promise<string | undefined> {
	const {real, then} = trace;
	const path = shownPath(scope, real);
	const failed = (sentence: string) => `${onOneLine(path)}: ${sentence}.`;
	const target = await targetOf(trace, {scope, apart});
	if (!target.ok) return failed(sentenceOf(target));
	try {
		const bytes = target.present?.bytes;
		const present = bytes && sha256(bytes);
		if (present !== seen) return failed(sentences.changed);
		if (present === then) return failed('it stands there so already');
		const wanted = then === undefined ? undefined : await keptBytes(sessionDir, then);
		if (then !== undefined && wanted === undefined) return failed('what stood there was not kept');
		const kept = bytes === undefined ? {ok: true as const} : await keepBytes(sessionDir, present!, bytes);
		const done = wanted === undefined ? await target.remove() : await target.replace(wanted);
		if (!done.ok) return failed(sentenceOf(done));
		const note = kept.ok ? '' : ` What stood there last was not kept: ${kept.sentence}.`;
		await history.append([stamp(clock, restoredNotice({path, real, before: present, after: then}, note))]);
		return undefined;
	} finally {
		await target.close();
	}
}

/** The place itself, not what a link there leads to by now. */
async function targetOf(
	{real}: Trace,
	{scope, apart}: Pick<RestoringOptions, 'scope' | 'apart'>,
): Promise<WriteTarget | NotWritten> {
	const target = await openTarget(scope, real, {maxBytes: maxChangedBytes, apart});
	if (!target.ok || target.real === real) return target;
	await target.close();
	return {ok: false, reason: 'out_of_scope'};
}

/** Bytes of one file's diff. */
const maxDiffBytes = 65_536;

/** From what stands there to what stood there. Line ends are shown where they alone differ. */
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
	const code = errorCode(cause);
	return `${sentences[reason]}${reason === 'io' && code !== '' ? ` (${code})` : ''}`;
}

/** Why a file is not put back, the end of a sentence about it. */
const sentences: Readonly<Record<WriteFailure, string>> = {
	read_only: 'the working directory is read-only here',
	out_of_scope: 'it lies outside what may be changed, or a link leads elsewhere now',
	not_found: 'there can be no such file',
	is_directory: 'a directory stands there now',
	not_a_file: 'what stands there now is no file',
	not_a_directory: 'a part of its path is no directory any more',
	too_large: 'what stands there now is too large',
	changed: 'it is not as it was shown any more',
	io: 'it could not be written',
};
