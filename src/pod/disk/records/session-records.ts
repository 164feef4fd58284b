import {join} from 'node:path';
import {realFiles, type Files} from '../files.ts';
import {entries} from '../list/list.ts';
import {maxDepth} from '../list/summary.ts';
import {childrenDir, compactionsDir, historyFile, idOf, sessionId, sideId, sideQuestionsDir} from '../paths.ts';
import {eachItem, type RecordHead} from './each-item.ts';
import {createRowMaker, type PricesOf, type RowKind} from './record-rows.ts';

/** A record with the session and the turn that it belongs to. All texts are untrusted. */
export type SessionRecord = {
	readonly session: string;
	/**
	For the history of a child, a compaction or a side question: the session that it belongs to, and the kind of
	history.
	*/
	readonly parent?: string;
	readonly part?: Part;
	/** The number of the turn, from 1. */
	readonly turn: number;
	/** Whether a fork copied the item from another session, which has the same record. */
	readonly copied?: true;
	readonly at: string;
} & Readonly<Record<string, unknown>>;

type Part = 'child' | 'compaction' | 'aside';

type RecordsOptions = {
	readonly kind: RowKind;
	/** The earliest time of a record (ISO, in UTC). */
	readonly since?: string | undefined;
	readonly prices: PricesOf;
	readonly onRecord: (record: SessionRecord) => void;
	/** Called after at most a megabyte of a history. Reading continues when the promise resolves with `true`. */
	readonly onPause: () => Promise<boolean>;
	/** Gets a sentence about each damaged or unreadable history. Its other records are still passed on. */
	readonly onProblem: (sentence: string) => void;
	readonly files?: Files;
};

/**
Passes on the records of a session and then the records of its children, compactions and side questions, each in the
order of its file.
*/
export async function sessionRecords(dir: string, options: RecordsOptions): Promise<void> {
	const reading = {files: realFiles, ...options};
	const {since} = reading;
	for await (const history of historiesIn(dir, reading.files))
		if (since === undefined || history.changedMs >= Date.parse(since)) await historyRecords(history, reading);
}

/** A history: of a session, or of a conversation beside it (`part`) that belongs to another one (`parent`). */
type History = {
	readonly dir: string;
	readonly parent?: string;
	readonly part?: Part;
	/** The time of the last change of the file. */
	readonly changedMs: number;
};

/** Returns the history of a session, and then those of its children, compactions and side questions. */
export async function* historiesIn(
	dir: string,
	files: Files,
	place: {readonly depth: number; readonly parent?: string; readonly part?: Part} = {depth: maxDepth},
): AsyncGenerator<History, void, undefined> {
	const {depth, ...beside} = place;
	const changed = await files.stat(historyFile(dir)).catch(() => undefined);
	// The first commit of a session without a history did not finish.
	if (changed === undefined) return;
	yield {dir, changedMs: changed.mtimeMs, ...beside};
	const names = new Set(await entries(dir, files).catch(() => []));
	for (const {part, folder, pattern} of besides) {
		const path = folder(dir);
		if (!names.has(idOf(path)) || (part === 'child' && depth === 0)) continue;
		const ids = (await entries(path, files).catch(() => [])).filter(name => pattern.test(name)).toSorted();
		for (const id of ids) yield* historiesIn(join(path, id), files, {depth: depth - 1, parent: idOf(dir), part});
	}
}

type Reading = RecordsOptions & {readonly files: Files};

/** The folders in which a session stores the other histories of its family. */
const besides = [
	{part: 'child', folder: childrenDir, pattern: sessionId},
	{part: 'compaction', folder: compactionsDir, pattern: sideId},
	{part: 'aside', folder: sideQuestionsDir, pattern: sideId},
] as const;

async function historyRecords({dir, parent, part}: History, options: Reading): Promise<void> {
	const {kind, since = '', prices, onRecord, onPause, onProblem, files} = options;
	const maker = createRowMaker(kind, prices);
	const place = {session: idOf(dir), ...(parent !== undefined && {parent, part})};
	let turn = 1;
	let copiedTo: RecordHead['copiedTo'];
	const emit = (rows: ReturnType<typeof maker.add>) => {
		// The cost of copied items belongs to the session from which they were copied.
		if (copiedTo !== undefined && kind === 'costs') return;
		const copied = copiedTo === undefined ? {} : ({copied: true} as const);
		for (const row of rows) if (row.at >= since) onRecord({...place, turn, ...copied, ...row});
	};
	const problem = await eachItem(
		dir,
		{
			onHead(head) {
				// The history of a side question begins after items of its session, but contains no copy of these
				// items.
				copiedTo = part === 'aside' ? undefined : head.copiedTo;
			},
			onItem({id, type, item}) {
				const found = maker.types.has(type) ? item() : undefined;
				if (found !== undefined) emit(maker.add(found));
				if (type === 'run_end') turn += 1;
				if (id === copiedTo) copiedTo = undefined;
			},
			onPause,
		},
		files,
	);
	emit(maker.end?.() ?? []);
	if (problem !== undefined) onProblem(problem);
}
