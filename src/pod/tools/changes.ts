import {createHash} from 'node:crypto';
import type {Item, ToolCallContext, ToolMoved, ToolOutput, ToolPreview} from '../../worker/index.ts';
import {maxChangedBytes} from '../config/limits.ts';
import type {ToolDetails} from '../protocol.ts';
import {errorCode} from '../files/fs-error.ts';
import {resolveTarget} from '../scope/locate.ts';
import type {Scope} from '../scope/scope.ts';
import {openTarget, type NotWritten, type WriteTarget} from '../scope/write-target.ts';
import {saveBackup} from '../session/backups.ts';
import {decodeText, encodeText, endsOf, lineCount, withPlainEnds, type FileText} from './file-text.ts';
import {errorOutput, onOneLine} from './output.ts';
import {shownPath} from './search-root.ts';
import {createPreviews, type FilePlace} from './previews.ts';
import {createReadTracker, type ReadExtent} from './read-tracker.ts';
import {changeSentence, type ChangeFailure} from './failures.ts';
import {cappedDiff, unifiedDiff} from './unified-diff.ts';

export type ChangesOptions = {
	readonly scope: Scope;
	/** The session's history, which says what was read. */
	readonly items: () => readonly Item[];
	/** The session's folder: what stood in a file before a change is kept there. */
	readonly sessionDir: string;
	/** Folders that are never written: what inkpod itself keeps. */
	readonly apart: readonly string[];
	/** Whether other programs run, by themselves, what a file contains. */
	readonly isRunLater: (real: string) => Promise<boolean>;
};

/** What one call wants done to one file. */
export type Change = {
	/** The call's arguments, the very object: by it a change is known again that was shown before. */
	readonly of: object;
	readonly path: string;
	/**
	`some`: there has to be a file, and some of what it holds was read. `whole`: there may be none; all of one that is
	there was read.
	*/
	readonly needs: 'some' | 'whole';
	/** What is to stand there, or a sentence that says why not. */
	readonly apply: (
		present: FileText | undefined,
	) =>
		| {readonly ok: true; readonly text: FileText; readonly summary: string}
		| {readonly ok: false; readonly sentence: string};
	/** Bytes of the diff in the result; the preview's is whole. */
	readonly maxDiffBytes: number;
	/** The call as it is shown where it cannot be said what it would do. */
	/** The question of its card, without its question mark. */
	readonly title: string;
	readonly blocks: string;
};

/** The one door through which tools change files. */
export type Changes = {
	/** Where a path leads: a file, or the place of a new one. */
	target(path: string): Promise<string>;
	/** Whether other programs run, by themselves, what such a target contains. */
	isRunLater(target: string): Promise<boolean>;
	/**
	Changes a file, the call's target and no other. The order of the calls of this function is the order of the changes.
	What was shown is made as it was shown, or not at all.
	*/
	make(change: Change, call: ToolCallContext): Promise<ToolOutput | ToolMoved>;
	/**
	What a change would do to its target at this moment, as a unified diff; where it would do nothing, why, and what was
	asked for.
	*/
	preview(change: Change, target: string | undefined): Promise<ToolPreview>;
};

/** See ChangesOptions. Changes are made one after another, whatever files they are of. */
export function createChanges({scope, items, sessionDir, apart, isRunLater}: ChangesOptions): Changes {
	const readTracker = createReadTracker({items, pwd: scope.pwd});
	const previews = createPreviews();
	let last: Promise<unknown> = Promise.resolve();

	const opened = async (change: Change, decided: string | undefined) =>
		openDecided(scope, change.path, {decided, apart});

	async function make(
		change: Change,
		{target: decided, isRunLater: wasRunLater, signal}: ToolCallContext,
	): Promise<ToolOutput | ToolMoved> {
		signal.throwIfAborted();
		const target = await opened(change, decided);
		if (target === 'moved') return 'moved';
		if (!target.ok) return errorOutput(failureSentence(change, target));
		try {
			const planned = plan(change, target);
			if (!planned.ok) return errorOutput(planned.sentence);
			if (!previews.isAsShown(change.of, placeOf(target)))
				return errorOutput(changeSentence('not_as_shown', onOneLine(change.path)));
			const known = await knownOf(target, planned);
			const unread = unreadReasons[change.needs][known];
			if (unread !== undefined) return errorOutput(changeSentence(unread, onOneLine(change.path)));
			if (!planned.applied.ok) return errorOutput(planned.applied.sentence);
			const {text, summary} = planned.applied;
			const bytes = encodeText(text);
			if (target.present?.bytes.equals(bytes))
				return errorOutput(changeSentence('unchanged', onOneLine(change.path)));
			const diff = await diffOf(change, planned.before?.text, text);
			const notes =
				planned.before === undefined
					? []
					: await keep(sessionDir, planned.before.sha256, target.present!.bytes);
			const isAsDecided = async () => wasRunLater === true || !(await isRunLater(target.real));
			signal.throwIfAborted();
			const written = await target.replace(bytes, isAsDecided);
			if (!written.ok && written.reason === 'changed' && !(await isAsDecided())) return 'moved';
			if (!written.ok) return errorOutput(failureSentence(change, written));
			const after = sha256(bytes);
			previews.changed(placeOf(target), after);
			readTracker.changed(target.real, after, change.needs === 'whole' || known === 'whole');
			const details: ToolDetails = {
				changed: [
					{
						path: change.path,
						real: target.real,
						...(planned.before && {before: planned.before.sha256}),
						after,
					},
				],
			};
			return {
				summary,
				content: [cappedDiff(diff, change.maxDiffBytes), ...notes].filter(part => part !== '').join('\n'),
				details,
			};
		} finally {
			await target.close();
		}
	}

	/** How much of the present content the model has read. */
	async function knownOf(target: WriteTarget, {before}: Extract<Planned, {ok: true}>): Promise<ReadExtent> {
		if (before === undefined) return 'whole';
		return readTracker.of({
			...identity(target),
			sha256: before.sha256,
			totalLines: lineCount(withPlainEnds(before.text.raw)),
		});
	}

	async function preview(change: Change, decided: string | undefined): Promise<ToolPreview> {
		const target = await opened(change, decided);
		previews.shown(change.of, target !== 'moved' && target.ok ? placeOf(target) : undefined);
		if (target === 'moved') return blocksOf(change, changeSentence('moved', onOneLine(change.path)));
		if (!target.ok) return blocksOf(change, failureSentence(change, target));
		try {
			const planned = plan(change, target);
			if (!planned.ok) return blocksOf(change, planned.sentence);
			const unread = unreadReasons[change.needs][await knownOf(target, planned)];
			if (unread !== undefined) return blocksOf(change, changeSentence(unread, onOneLine(change.path)));
			if (!planned.applied.ok) return blocksOf(change, planned.applied.sentence);
			const diff = await diffOf(change, planned.before?.text, planned.applied.text);
			const real = shownPath(scope, target.real);
			const isAsWritten =
				[change.path, change.path.replace(/^\.\//, '')].includes(real) || target.real === change.path;
			const title = isAsWritten ? `${change.title}?` : `${change.title} (${onOneLine(real)})?`;
			return diff === ''
				? blocksOf(change, changeSentence('unchanged', onOneLine(change.path)))
				: {title, detail: diff, shows: 'diff'};
		} finally {
			await target.close();
		}
	}

	return {
		target: async path => resolveTarget(scope, path),
		isRunLater,
		// The place in the row is taken in the moment of the call, before anything is waited for.
		make(change, call) {
			const made = last.then(async () => make(change, call));
			last = made.catch(() => {});
			return made;
		},
		preview,
	};
}

type Deciding = {readonly decided: string | undefined; readonly apart: ChangesOptions['apart']};

/** Opens the place that was decided about; `moved` where the path leads elsewhere. */
async function openDecided(
	scope: Scope,
	path: string,
	{decided, apart}: Deciding,
): Promise<WriteTarget | NotWritten | ToolMoved> {
	const target = await openTarget(scope, path, {maxBytes: maxChangedBytes, protectedFolders: apart});
	if ((target.ok ? target.real : await resolveTarget(scope, path)) === decided) return target;
	if (target.ok) await target.close();
	return 'moved';
}

async function keep(sessionDir: string, hash: string, bytes: Buffer): Promise<readonly string[]> {
	const kept = await saveBackup(sessionDir, hash, bytes);
	return kept.ok ? [] : [`[what stood there before was not kept: ${kept.sentence}]`];
}

const unreadReasons: {
	readonly [Needs in Change['needs']]: Readonly<
		Record<'whole' | 'part' | 'stale' | 'none', ChangeFailure | undefined>
	>;
} = {
	some: {whole: undefined, part: undefined, stale: 'changed', none: 'not_read'},
	whole: {whole: undefined, part: 'partly_read', stale: 'changed', none: 'not_read'},
};

type Planned =
	| {
			readonly ok: true;
			readonly before?: {readonly text: FileText; readonly sha256: string};
			readonly applied: ReturnType<Change['apply']>;
	  }
	| {readonly ok: false; readonly sentence: string};

function plan(change: Change, {present}: WriteTarget): Planned {
	const path = onOneLine(change.path);
	if (present === undefined)
		return change.needs === 'some'
			? {ok: false, sentence: changeSentence('not_found', path)}
			: {ok: true, applied: change.apply(undefined)};
	const text = decodeText(present.bytes);
	if (text === undefined) return {ok: false, sentence: changeSentence('binary', path)};
	return {ok: true, before: {text, sha256: sha256(present.bytes)}, applied: change.apply(text)};
}

function identity({real, present}: WriteTarget): {readonly real: string; readonly dev: number; readonly ino: number} {
	return {real, dev: present!.stats.dev, ino: present!.stats.ino};
}

function placeOf({real, present}: WriteTarget): FilePlace {
	return {real, sha256: present && sha256(present.bytes)};
}

/** Line ends and marks that stay are not shown; those that change are all that changes. */
async function diffOf({path}: Change, before: FileText | undefined, after: FileText): Promise<string> {
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

function blocksOf({title, blocks}: Change, sentence: string): ToolPreview {
	return {
		title: `${title}?`,
		detail: `This change will fail: ${sentence}\n${blocks}`,
		shows: 'text',
		fails: sentence,
	};
}

function failureSentence({path}: Change, {reason, cause}: NotWritten): string {
	return changeSentence(reason, onOneLine(path), errorCode(cause));
}

function sha256(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}
