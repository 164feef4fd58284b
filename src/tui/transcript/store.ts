import type {Event} from '../../pod/protocol.ts';
import type {Row} from '../text/row.ts';
import type {Block, View} from './fold/block.ts';
import {blockRows} from './rows/index.ts';
import type {Phase, StaleState} from './rows/render.ts';
import type {Folded} from './fold/folded.ts';
import {onHighlightReady} from './markdown/highlight.ts';
import type {MarkdownStream} from './markdown/stream.ts';
import {blocksOf, createTranscript, reduce, type Transcript} from './fold/state.ts';
import type {RowSource} from './viewport.ts';

export type TranscriptLayout = {readonly columns: number; readonly view: View};

/**
The transcript with its rows. A block's rows are made when they are asked for and kept while they hold, so that
what a frame costs depends on what it shows and not on how long the session is: nobody needs the sum of all heights.
*/
export type TranscriptStore = RowSource & {
	readonly transcript: Transcript;
	readonly layout: TranscriptLayout;
	/** Takes an event in. `folded`: what was made of a snapshot ahead of it. */
	dispatch(event: Event, folded?: Folded): void;
	setLayout(change: Partial<TranscriptLayout>): void;
	/** Shows one block in full, whatever the view, or no longer. */
	toggle(id: string): void;
	/** What became of the files of some items; `undefined` for one that is as the model saw it. Draws again only what it changes. */
	setStale(states: ReadonlyMap<string, StaleState | undefined>): void;
	/** What became of the file of an item, as far as it was told. */
	readonly stale: (itemId: string) => StaleState | undefined;
	/** Calls after every change, synchronously: who draws decides when. Returns its undo. */
	readonly subscribe: (listener: () => void) => () => void;
	/** Grows with every change. */
	readonly version: () => number;
	/** Stops listening for the highlighter. */
	dispose(): void;
};

/** Rows that are kept, of the blocks that were shown last. */
const keptRows = 20_000;

export function createTranscriptStore(initial: TranscriptLayout): TranscriptStore {
	const transcript = createTranscript();
	const listeners = new Set<() => void>();
	const expanded = new Set<string>();
	const streams = new Map<string, MarkdownStream>();
	const stale = createStaleStates();
	const cache = createRowCache(keptRows);
	let layout = initial;
	let layoutVersion = 0;
	let version = 0;
	let epoch = transcript.epoch;

	function changed(): void {
		version++;
		for (const listener of listeners) listener();
	}

	function redrawAll(): void {
		layoutVersion++;
		cache.clear();
		streams.clear();
		changed();
	}

	function render(block: Block, phase: Phase): readonly Row[] {
		const view = expanded.has(block.id) ? 'detail' : layout.view;
		return blockRows(block, {...layout, view, phase, streams, stale: stale.of});
	}

	const stopListening = onHighlightReady(redrawAll);
	return {
		transcript,
		get layout() {
			return layout;
		},
		count: () => blocksOf(transcript).length,
		block: index => blocksOf(transcript)[index],
		indexOf: id => transcript.folded.indexOf.get(id),
		rows(index) {
			const block = blocksOf(transcript)[index];
			if (block === undefined) return noRows;
			const phase = phaseOf(block, transcript);
			return cache.get(index, block, phase, render);
		},
		layoutVersion: () => layoutVersion,
		dispatch(event, folded) {
			reduce(transcript, event, folded);
			if (transcript.epoch !== epoch) {
				epoch = transcript.epoch;
				cache.clear();
				streams.clear();
			}
			changed();
		},
		setLayout(change) {
			const next = {...layout, ...change};
			if (next.columns === layout.columns && next.view === layout.view) return;
			layout = next;
			redrawAll();
		},
		toggle(id) {
			if (!expanded.delete(id)) expanded.add(id);
			redrawAll();
		},
		setStale(states) {
			const changes = stale.take(states);
			if (changes.length === 0) return;
			for (const id of changes) cache.drop(transcript.folded.byItem.get(id));
			layoutVersion++;
			changed();
		},
		stale: stale.of,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		version: () => version,
		dispose: stopListening,
	};
}

const noRows: readonly Row[] = [];

type RowCache = {
	get(index: number, block: Block, phase: Phase, make: (block: Block, phase: Phase) => readonly Row[]): readonly Row[];
	drop(index: number | undefined): void;
	clear(): void;
};

/** Rows by block index, valid for the very block that they were made of. The ones not asked for longest go first. */
function createRowCache(limit: number): RowCache {
	const entries = new Map<number, {readonly block: Block; readonly phase: Phase; readonly rows: readonly Row[]; readonly count: number}>();
	let total = 0;

	function drop(index: number | undefined): void {
		if (index === undefined) return;
		total -= entries.get(index)?.count ?? 0;
		entries.delete(index);
	}

	return {
		get(index, block, phase, make) {
			const known = entries.get(index);
			const holds = known !== undefined && known.block === block && known.phase === phase;
			const rows = holds ? known.rows : make(block, phase);
			drop(index);
			entries.set(index, {block, phase, rows, count: rows.length});
			total += rows.length;
			for (const oldest of entries.keys()) {
				if (total <= limit || oldest === index) break;
				drop(oldest);
			}
			return rows;
		},
		drop,
		clear() {
			entries.clear();
			total = 0;
		},
	};
}

/** What became of the files of items, by the items' ids. */
function createStaleStates() {
	const known = new Map<string, StaleState>();
	return {
		of: (id: string) => known.get(id),
		/** Answers the ids of those that changed. */
		take(states: ReadonlyMap<string, StaleState | undefined>): readonly string[] {
			const changes = [...states].filter(([id, state]) => known.get(id) !== state);
			for (const [id, state] of changes) {
				if (state === undefined) known.delete(id);
				else known.set(id, state);
			}
			return changes.map(([id]) => id);
		},
	};
}

/**
Where a call stands that has no result, or left a command running: the status says it, not history. No call begins before
all of its batch are approved. Other blocks do not depend on it.
*/
function phaseOf(block: Block, {status}: Transcript): Phase {
	if (block.kind !== 'tool') return 'waiting';
	if (block.result !== undefined && block.result.partialOf === undefined) {
		const isRunning = status.background?.some(({call}) => call === block.call?.id) === true;
		return isRunning ? 'background' : 'waiting';
	}
	if (status.asks.some(ask => ask.callId === block.call?.callId)) return 'asking';
	if (status.kind !== 'running') return 'waiting';
	return status.asks.some(ask => ask.callId !== undefined) ? 'queued' : 'running';
}
