import type {Alert} from '../../../pod/protocol.ts';
import type {AppState} from '../../model/app-state.ts';
import {textOf, type Row} from '../../spans/row.ts';
import {spokenLines} from '../../spans/spoken.ts';
import type {Block} from '../../../transcript/block.ts';
import {isStart} from '../../../transcript/system-title.ts';
import type {Phase} from '../../../transcript/phase.ts';
import type {ReadAgain} from '../../model/scroll/read-again.ts';
import type {TranscriptStore} from '../../rows/store.ts';
import type {VisibleRow} from '../../rows/viewport/viewport.ts';
import {earlierBlocks, laterBlocks, levelNames} from './texts.ts';

/**
A text, or the rows of a block. A screen reader reads an entry once. The entry then stays in the output of the terminal.
*/
export type Entry = {readonly text: string} | BlockEntry;
type BlockEntry = {
	readonly block: Block;
	readonly rows: readonly VisibleRow[];
	readonly phase: Phase;
	/** Whether the screen reader has already read the beginning of the block. */
	readonly isContinued: boolean;
};

/**
Remembers which parts of a session a screen reader has already read. `next` returns the new entries of a frame: new
lines of the welcome, finished blocks, finished paragraphs of a streamed answer, and alerts. A block that changes later
is read again.
*/
type Reading = {
	next(layout: {
		readonly state: Pick<AppState, 'transcript' | 'alerts'>;
		readonly welcome: readonly Row[];
	}): readonly Entry[];
};

/** The maximum number of blocks that are read when a session opens, or when blocks are read again. */
export const maxAtOnce = 20;

export function createReading(): Reading {
	const alertsSaid = new WeakSet<Alert>();
	const blocks = createBlockReading();
	const welcomed = new Set<string>();
	return {
		next({state: {transcript, alerts}, welcome}) {
			const lines = welcome.map(row => textOf(row).trim()).filter(text => text !== '' && !welcomed.has(text));
			const said = lines.map(text => newPart(text, welcomed));
			for (const text of lines) welcomed.add(text);
			const greeting = said.length === 0 ? [] : [{text: said.join('\n')}];
			const news = alerts.filter(({alert}) => !alertsSaid.has(alert));
			for (const {alert} of news) alertsSaid.add(alert);
			return [
				...greeting,
				...(transcript.store === undefined ? [] : blocks(transcript.store, transcript.readAgain)),
				...news.map(({alert}) => ({text: alertText(alert)})),
			];
		},
	};
}

/** Returns the text that was appended to a line after the line was read, such as the branch of the project. */
function newPart(text: string, before: ReadonlySet<string>): string {
	const known = [...before].find(each => text.startsWith(`${each} · `));
	return known === undefined ? text : text.slice(known.length + 3);
}

type Said = {readonly block: Block; readonly phase: Phase; readonly words: string};

function createBlockReading(): (store: TranscriptStore, readAgain: ReadAgain | undefined) => readonly Entry[] {
	const said = new Set<string>();
	const recent = new Map<string, Said>();
	let lastAgain = 0;
	/** The number of lines that have been read of each streamed answer. */
	const parts = new Map<string, number>();

	function say(store: TranscriptStore, index: number): readonly Entry[] {
		const block = blockAt(store, index);
		const key = keyOf(block, index);
		const entry = entryOf(store, index, parts.get(key) ?? 0, store.rows(index).length);
		parts.delete(key);
		said.add(key);
		remember(store, index);
		return entry;
	}

	function remember(store: TranscriptStore, index: number): void {
		const block = blockAt(store, index);
		recent.set(keyOf(block, index), {block, phase: store.phase(index), words: wordsOf(store, index)});
		for (const oldest of recent.keys()) if (recent.size > maxAtOnce) recent.delete(oldest);
	}

	/** Returns the entries for a request to read blocks again. Only blocks before the block `end` are included. */
	function sayAgain(store: TranscriptStore, wanted: ReadAgain | undefined, end: number): readonly Entry[] {
		if (wanted === undefined || wanted.number === lastAgain) return [];
		lastAgain = wanted.number;
		const from = store.indexOf(wanted.from) ?? end;
		const to = Math.min(from + wanted.count, end);
		const read = indexes(from, Math.min(to, from + maxAtOnce));
		const rest = to - from - read.length;
		const entries = read.flatMap(index => {
			if (recent.has(keyOf(blockAt(store, index), index))) remember(store, index);
			return entryOf(store, index, 0, store.rows(index).length);
		});
		return rest > 0 ? [...entries, {text: laterBlocks(rest)}] : entries;
	}

	function sayPart(store: TranscriptStore, index: number): readonly Entry[] {
		const block = blockAt(store, index);
		if (block.kind !== 'assistant' || !block.open) return [];
		const key = keyOf(block, index);
		const rows = store.rows(index);
		const settled = Math.min(rows.length, store.settled(index));
		const entry = entryOf(store, index, parts.get(key) ?? 0, settled);
		parts.set(key, spokenLines(rows.slice(0, settled)).length);
		return entry;
	}

	function sayChanged(store: TranscriptStore, before: number): readonly Entry[] {
		const from = Math.max(0, before - recent.size);
		return indexes(from, before).flatMap(index => {
			const block = blockAt(store, index);
			const known = recent.get(keyOf(block, index));
			if (known === undefined || (known.block === block && known.phase === store.phase(index))) return [];
			return known.words === wordsOf(store, index) || !isFinished(store, index) ? [] : say(store, index);
		});
	}

	return (store, readAgain) => {
		const count = store.count();
		let start = count;
		while (start > 0 && !said.has(keyOf(blockAt(store, start - 1), start - 1))) start--;
		const again = sayAgain(store, readAgain, start);
		const entries: Entry[] = [...again, ...sayChanged(store, start)];
		if (said.size === 0 && count > maxAtOnce) {
			start = count - maxAtOnce;
			entries.push({text: earlierBlocks(start)});
		}
		const isOpening = said.size === 0;
		for (const index of indexes(start, count)) {
			// A derived block reports that a run has no end. When the session opens, this means that the process died.
			// Later, the end may still arrive, so the block is not read yet.
			if ('derived' in blockAt(store, index) && !isOpening) return entries;
			if (!isFinished(store, index)) return [...entries, ...sayPart(store, index)];
			entries.push(...say(store, index));
		}
		return entries;
	};
}

function blockAt(store: TranscriptStore, index: number): Block {
	const block = store.block(index);
	if (block === undefined) throw new RangeError(`the transcript has no block ${index}`);
	return block;
}

/** Tells whether the current run will no longer change the block. */
function isFinished(store: TranscriptStore, index: number): boolean {
	const block = blockAt(store, index);
	if (block.open) return false;
	const isRunning = store.transcript.status.kind === 'running';
	if (block.kind === 'usage') return block.end !== undefined || index < store.count() - 1 || !isRunning;
	// The output of a user's shell command will be added to the same block.
	const part = block.kind === 'system' ? block.parts.at(-1) : undefined;
	if (part !== undefined && isStart(part)) return !isRunning;
	const phase = store.phase(index);
	return block.kind !== 'tool' || phase === 'waiting' || phase === 'background';
}

/**
Returns an entry with the rows of a block, from the line `line` up to the row `end`. Returns nothing for a block that
the view hides.
*/
function entryOf(store: TranscriptStore, index: number, line: number, end: number): readonly Entry[] {
	const block = blockAt(store, index);
	const rows = store.rows(index).slice(0, end);
	const lines = spokenLines(rows);
	const first = lines[line];
	if (first === undefined) return [];
	const visible = rows
		.slice(first.from)
		.map((row, at): VisibleRow => ({key: `${block.id}:${first.from + at}`, row, block, index: first.from + at}));
	return [{block, rows: visible, phase: store.phase(index), isContinued: line > 0}];
}

function wordsOf(store: TranscriptStore, index: number): string {
	return [store.phase(index), ...spokenLines(store.rows(index)).map(({text}) => text)].join('\n');
}

/**
Returns the key of a block. The key of a derived block contains its index, because all derived blocks of this kind have
the same id.
*/
function keyOf(block: Block, index: number): string {
	return 'derived' in block ? `${block.id}:${index}` : block.id;
}

function indexes(from: number, to: number): readonly number[] {
	return Array.from({length: Math.max(0, to - from)}, (_, at) => from + at);
}

function alertText({level, text}: Alert): string {
	return `${levelNames[level]}: ${text}`;
}
