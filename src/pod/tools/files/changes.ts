import {lstat} from 'node:fs/promises';
import {en, t} from '../../../language/index.ts';
import type {Item, ToolCallContext, ToolMoved, ToolOutput, ToolPreview, Draft} from '../../../worker/index.ts';
import {maxChangedBytes} from '../../config/limits.ts';
import {type ToolDetails, narrowDetails} from '../../protocol.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {resolveTarget} from '../../scope/locate.ts';
import type {Scope} from '../../scope/scope.ts';
import type {NotWritten} from '../../scope/write-failure.ts';
import {openTarget, type WriteTarget} from '../../scope/write-target.ts';
import {saveBackup} from '../../disk/bodies/pasted.ts';
import {encodeText, lineCount, withPlainEnds} from './file-text.ts';
import {errorOutput} from '../../ground/values/is-record.ts';
import {onOneLine, quoteUntrusted} from '../../ground/text/one-line.ts';
import {
	checkedChange,
	diffOf,
	failed,
	planChange,
	sha256,
	type Applied,
	type Change,
	type Failed,
	type Planned,
	cappedDiff,
} from './planned-change.ts';
import {createReadTracker, type ReadExtent, type ReadTracker} from './read-tracker.ts';
import {shownPath} from '../search/search-root.ts';
import {z} from 'zod';

export type {Change} from './planned-change.ts';

type ChangesOptions = {
	readonly scope: Scope;
	/** Returns the items of history. These items show which files were read. */
	readonly items: () => readonly Item[];
	/** The session's folder. It contains backups of files from before their changes. */
	readonly sessionDir: string;
	/** Folders of inkpod's own files. Tools never write to them. */
	readonly apart: readonly string[];
	/** Tells whether other programs execute a file by themselves. */
	readonly isRunLater: (real: string) => Promise<boolean>;
};

/** Changes files. This is the only way in which tools change files. */
export type Changes = {
	/** Returns the target of a path: an existing file, or the location of a new file. */
	target(path: string): Promise<string>;
	/** Tells whether other programs execute a target by themselves. */
	isRunLater(target: string): Promise<boolean>;
	/** Tells whether no file, folder or link is at a target. */
	isNew(target: string): Promise<boolean>;
	/**
	Changes the call's target and no other file. Changes are made in the order of the calls of this function.
	A change with a preview is made exactly as shown, or not at all.
	*/
	make(change: Change, call: ToolCallContext): Promise<ToolOutput | ToolMoved>;
	/**
	Returns the effect of a change on its target as a unified diff.
	If the change would fail or have no effect, it returns the reason and the model's text.
	*/
	preview(change: Change, target: string | undefined): Promise<ToolPreview>;
};

/** Creates the object that makes changes. Changes are made one after another, even in different files. */
export function createChanges(options: ChangesOptions): Changes {
	const {scope, items, isRunLater} = options;
	const context: Context = {
		...options,
		readTracker: createReadTracker({items, scope}),
		previews: createPreviews(),
	};
	let last: Promise<unknown> = Promise.resolve();
	return {
		target: async path => resolveTarget(scope, path),
		isRunLater,
		isNew: async target =>
			lstat(target).then(
				() => false,
				(error: unknown) => errorCode(error) === 'ENOENT',
			),
		// The call takes its place in the queue before anything is awaited.
		async make(change, call) {
			const made = last.then(async () => makeChange(context, change, call));
			last = made.catch(() => {});
			return made;
		},
		preview: async (change, target) => previewChange(context, change, target),
	};
}

/** The history of a file since an item. */
export type FileTrace = {
	/** The real path. */
	readonly real: string;
	/** The path as the model last wrote it. */
	readonly path: string;
	/**
	The sha256 of the contents at that item, and of the last contents that a tool wrote. A hash is absent for a missing
	file.
	*/
	readonly original?: string | undefined;
	readonly lastWritten?: string | undefined;
	/** Whether the file was changed or removed outside inkpod between two changes by tools. */
	readonly isBroken: boolean;
};

/**
Returns the files that tools have changed since an item, in the order of their first change. Changes that were rewound,
and restores, count too.
*/
export function fileTracesSince(items: readonly Item[], to: string): readonly FileTrace[] {
	const from = items.findLastIndex(({id}) => id === to);
	return from === -1 ? [] : fileTraces(items.slice(from + 1));
}

/** Returns the files that tools have changed in these items, in the order of their first change. */
export function fileTraces(items: readonly Item[]): readonly FileTrace[] {
	const files = new Map<string, {path: string; readonly steps: [FileStep, ...FileStep[]]}>();
	for (const item of items) {
		for (const {real, path, ...step} of changesOf(item)) {
			const known = files.get(real);
			if (known === undefined) files.set(real, {path, steps: [step]});
			else {
				known.path = path;
				known.steps.push(step);
			}
		}
	}
	return [...files].map(([real, {path, steps}]) => ({
		real,
		path,
		original: steps[0].before,
		lastWritten: steps.at(-1)?.after,
		isBroken: steps.some((step, index) => index > 0 && step.before !== steps[index - 1]?.after),
	}));
}

/** Returns the notice of a restored file. The model and the user read it, and later rewinds use it. */
export function restoredNotice(
	file: {readonly path: string; readonly real: string} & FileStep,
	note = '',
): Draft<'message'> {
	const {path, real, before, after} = file;
	const done =
		after === undefined
			? en`Removed ${quoteUntrusted(path)}, as the user asked. A tool had created this file.`
			: en`Restored ${quoteUntrusted(path)}, as the user asked. It has the contents again that it had before tools
				changed it.`;
	return {
		type: 'message',
		role: 'system',
		text: `${done}${note}`,
		origin: {
			kind: 'notice',
			about: restoredAbout,
			path,
			real,
			before,
			after,
		},
	};
}

/** Returns the hashes of the backups that these items need. */
export function backupHashes(items: readonly Item[]): ReadonlySet<string> {
	return new Set(items.flatMap(item => changesOf(item).flatMap(({before}) => before ?? [])));
}

type Context = ChangesOptions & {readonly readTracker: ReadTracker; readonly previews: Previews};

async function makeChange(context: Context, change: Change, call: ToolCallContext): Promise<ToolOutput | ToolMoved> {
	call.signal.throwIfAborted();
	const target = await openDecided(context, change.path, call.target);
	if (target === 'moved') return 'moved';
	if (!target.ok) return errorOutput(notWritten(change, target).sentence);
	try {
		const planned = planChange(change, target);
		if (!planned.ok) return errorOutput(planned.sentence);
		if (!context.previews.isAsShown(change.args, versionOf(target)))
			return errorOutput(failed(change, 'not_as_shown').sentence);
		const isDecided = call.isNew !== true || target.present === undefined || context.previews.has(change.args);
		if (!isDecided) return 'moved';
		const extent = await readExtentOf(context, target, planned);
		const applied = checkedChange(change, planned, extent);
		if (!applied.ok) return errorOutput(applied.sentence);
		return await write(context, change, {call, target, planned, applied, extent});
	} finally {
		await target.close();
	}
}

type Writing = {
	readonly call: ToolCallContext;
	readonly target: WriteTarget;
	readonly planned: Planned;
	readonly applied: Extract<Applied, {ok: true}>;
	readonly extent: ReadExtent;
};

async function write(
	context: Context,
	change: Change,
	{call, target, planned: {before}, applied, extent}: Writing,
): Promise<ToolOutput | ToolMoved> {
	const bytes = encodeText(applied.text);
	if (before?.bytes.equals(bytes)) return errorOutput(failed(change, 'unchanged').sentence);
	const diff = await diffOf(change, before?.text, applied.text);
	const notes = await backUp(context.sessionDir, before);
	const isAsDecided = async () => call.isRunLater === true || !(await context.isRunLater(target.real));
	call.signal.throwIfAborted();
	const written = await target.replace(bytes, isAsDecided);
	if (!written.ok && written.reason === 'changed' && !(await isAsDecided())) return 'moved';
	if (!written.ok) return errorOutput(notWritten(change, written).sentence);
	const after = sha256(bytes);
	context.previews.changed(versionOf(target), after);
	context.readTracker.changed(target.real, after, change.needs === 'whole' || extent === 'whole');
	const changed = {path: change.path, real: target.real, ...(before && {before: before.sha256}), after};
	return {
		summary: applied.summary,
		content: [applied.summary, ...notes].join('\n'),
		details: {
			changed: [changed],
			...(diff !== '' && {diff: cappedDiff(diff, change.maxDiffBytes)}),
		} satisfies ToolDetails,
	};
}

async function previewChange(context: Context, change: Change, decided: string | undefined): Promise<ToolPreview> {
	const target = await openDecided(context, change.path, decided);
	context.previews.shown(change.args, target !== 'moved' && target.ok ? versionOf(target) : undefined);
	if (target === 'moved') return failingPreview(change, failed(change, 'moved'));
	if (!target.ok) return failingPreview(change, notWritten(change, target));
	try {
		const planned = planChange(change, target);
		if (!planned.ok) return failingPreview(change, planned);
		const applied = checkedChange(change, planned, await readExtentOf(context, target, planned));
		if (!applied.ok) return failingPreview(change, applied);
		const diff = await diffOf(change, planned.before?.text, applied.text);
		if (diff === '') return failingPreview(change, failed(change, 'unchanged'));
		return {title: titleOf(change, target.real, context.scope), detail: diff, shows: 'diff'};
	} finally {
		await target.close();
	}
}

/** Returns the title. If the real path differs from the model's path, the title also contains the real path. */
function titleOf({path, title}: Change, target: string, scope: Scope): string {
	const real = shownPath(scope, target);
	const isAsWritten = [path, path.replace(/^\.\//, '')].includes(real) || target === path;
	return isAsWritten ? `${title}?` : `${title} (${onOneLine(real)})?`;
}

function failingPreview({title, asWritten}: Change, {sentence}: Failed): ToolPreview {
	return {
		title: `${title}?`,
		detail: `${t`This change will fail: ${sentence}`}\n${asWritten}`,
		shows: 'text',
		fails: sentence,
	};
}

/** Opens the target that the decision was about. Returns `moved` if the path now has another target. */
async function openDecided(
	{scope, apart}: ChangesOptions,
	path: string,
	decided: string | undefined,
): Promise<WriteTarget | NotWritten | ToolMoved> {
	const target = await openTarget(scope, path, {maxBytes: maxChangedBytes, protectedFolders: apart});
	if ((target.ok ? target.real : await resolveTarget(scope, path)) === decided) return target;
	if (target.ok) await target.close();
	return 'moved';
}

/** Returns how much of the current contents the model has read. */
async function readExtentOf({readTracker}: Context, {real}: WriteTarget, {before}: Planned): Promise<ReadExtent> {
	if (before === undefined) return 'whole';
	const {stats, text, sha256: hash} = before;
	const totalLines = lineCount(withPlainEnds(text.raw));
	return readTracker.of({real, dev: stats.dev, ino: stats.ino, sha256: hash, totalLines});
}

/** Saves the contents of a file in the session before a change. It returns a note for the model if that failed. */
async function backUp(sessionDir: string, before: Planned['before']): Promise<readonly string[]> {
	if (before === undefined) return [];
	const kept = await saveBackup(sessionDir, before.sha256, before.bytes);
	return kept.ok ? [] : [en`[the earlier contents were not saved: ${kept.sentence}]`];
}

function versionOf({real, present}: WriteTarget): FileVersion {
	return {real, sha256: present && sha256(present.bytes)};
}

function notWritten(change: Change, {reason, cause}: NotWritten): Failed {
	return failed(change, reason, errorCode(cause));
}

/** A file version: a real path and the sha256 of the contents. `sha256` is absent if the file does not exist. */
type FileVersion = {readonly real: string; readonly sha256?: string | undefined};

/** The file versions of previews, by the arguments of their calls. */
type Previews = {
	/** Records the version that a preview showed. `undefined` means that the preview showed a failure of the call. */
	shown(call: object, version: FileVersion | undefined): void;
	/** Tells whether there is a preview of a call. */
	has(call: object): boolean;
	/**
	Tells whether a file still has the previewed contents, except for later changes by inkpod. The result is true for a
	call without a preview.
	*/
	isAsShown(call: object, version: FileVersion): boolean;
	/** Records a change by inkpod. `after` is the sha256 of the new contents. */
	changed(before: FileVersion, after: string): void;
};

/** A preview. `changesBefore` is the number of changes before it. */
type Preview = {readonly version: FileVersion | undefined; readonly changesBefore: number};

function createPreviews(): Previews {
	const previews = new WeakMap<object, Preview>();
	const changes: Array<{readonly before: FileVersion; readonly after: string}> = [];
	return {
		shown: (call, version) => void previews.set(call, {version, changesBefore: changes.length}),
		has: call => previews.has(call),
		isAsShown(call, {real, sha256}) {
			const preview = previews.get(call);
			if (preview === undefined) return true;
			if (preview.version?.real !== real) return false;
			let expected = preview.version.sha256;
			for (const {before, after} of changes.slice(preview.changesBefore))
				if (before.real === real && before.sha256 === expected) expected = after;
			return expected === sha256;
		},
		changed: (before, after) => void changes.push({before, after}),
	};
}

/**
One change of a file: the sha256 of its contents before and after the change, in hex. A hash is absent for a missing
file.
*/
type FileStep = {readonly before?: string | undefined; readonly after?: string | undefined};

const restoredAbout = 'restored';

const restoredSchema = z.object({
	about: z.literal(restoredAbout),
	path: z.string(),
	real: z.string(),
	before: z.string().optional(),
	after: z.string().optional(),
});

function changesOf(item: Item): ReadonlyArray<FileStep & {readonly path: string; readonly real: string}> {
	if (item.type === 'tool_result')
		return item.details === undefined ? [] : (narrowDetails(item.details).changed ?? []);
	if (item.type !== 'message' || item.role !== 'system' || item.origin?.['about'] !== restoredAbout) return [];
	const parsed = restoredSchema.safeParse(item.origin);
	return parsed.success ? [parsed.data] : [];
}
