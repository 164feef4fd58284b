import type {Event} from '../../pod/protocol.ts';
import type {Row} from '../text/row.ts';
import type {Block, View} from './fold/block.ts';
import {blockRows, folds} from './rows/index.ts';
import {phaseOf, type Phase} from './fold/phase.ts';
import {createRowCache} from './row-cache.ts';
import type {StaleState} from './rows/parts/render.ts';
import type {FoldState} from './fold/fold-state.ts';
import {onHighlightReady} from './markdown/highlight.ts';
import type {MarkdownStream} from './markdown/stream.ts';
import {blocksOf, createTranscript, reduce, type Transcript} from './fold/state.ts';
import type {RowSource} from './viewport/viewport.ts';

export type TranscriptLayout = {readonly columns: number; readonly view: View; readonly isSpoken?: boolean};

/**
The transcript with its rows. A block's rows are made when they are asked for and kept while they hold, so that
what a frame costs depends on what it shows and not on how long the session is: nobody needs the sum of all heights.
*/
export type TranscriptStore = RowSource & {
	readonly transcript: Transcript;
	readonly layout: TranscriptLayout;
	/** Where the call of a block is that has no result, or left a command running. */
	readonly phase: (index: number) => Phase;
	/**
	How many rows of an answer that streams, from the first one, no later text changes. For rows as they were asked for
	last.
	*/
	readonly settled: (index: number) => number;
	/** Takes an event in. `folded`: what was made of a snapshot ahead of it. */
	dispatch(event: Event, folded?: FoldState): void;
	setLayout(change: Partial<TranscriptLayout>): void;
	/** Shows one block in full, whatever the view, or no longer. */
	toggle(id: string): void;
	/**
	What became of the files of some items; `undefined` for one that is as the model saw it. Draws again only what it
	changes.
	*/
	setStale(states: ReadonlyMap<string, StaleState | undefined>): void;
	/** What became of the file of an item, as far as it is known. */
	readonly stale: (itemId: string) => StaleState | undefined;
	/** Grows with every change. */
	readonly version: () => number;
	/** Whether blocks of a kind show more when they are opened. */
	readonly folds: (kind: Block['kind']) => boolean;
	/** Stops listening for the highlighter. */
	dispose(): void;
};

/**
Rows that are kept, of the blocks that were shown last; and so many blocks, which a screen needs at once, whatever they
have.
*/
const keptRows = 20_000;
const keptBlocks = 4;

/** `onRecoloured` runs when code gets its colours, which needs a new frame. */
export function createTranscriptStore(initial: TranscriptLayout, onRecoloured = () => {}): TranscriptStore {
	const transcript = createTranscript();
	const expanded = new Set<string>();
	const streams = new Map<string, MarkdownStream>();
	const stale = createStaleStates();
	const cache = createRowCache(keptRows, keptBlocks);
	let layout = initial;
	let layoutVersion = 0;
	let version = 0;
	let epoch = transcript.epoch;

	function redrawAll(): void {
		layoutVersion++;
		cache.clear();
		streams.clear();
		version++;
	}

	function render(block: Block, phase: Phase): readonly Row[] {
		const view = expanded.has(block.id) ? 'detail' : layout.view;
		return blockRows(block, {...layout, view, phase, streams, stale: stale.of});
	}

	const stopListening = onHighlightReady(() => {
		redrawAll();
		onRecoloured();
	});
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
			return block === undefined ? noRows : cache.get(index, block, phaseOf(block, transcript), render);
		},
		phase: index => phaseOf(blocksOf(transcript)[index], transcript),
		settled: index => streams.get(blocksOf(transcript)[index]?.id ?? '')?.settled() ?? 0,
		layoutVersion: () => layoutVersion,
		dispatch(event, folded) {
			reduce(transcript, event, folded);
			if (transcript.epoch !== epoch) {
				epoch = transcript.epoch;
				cache.clear();
				streams.clear();
			}
			version++;
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
			version++;
		},
		stale: stale.of,
		version: () => version,
		folds,
		dispose: stopListening,
	};
}

const noRows: readonly Row[] = [];

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
