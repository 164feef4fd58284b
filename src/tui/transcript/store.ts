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
The transcript with its rows. The rows of a block are made on demand and cached. So the cost of a frame depends on its
visible rows, not on the length of the session.
*/
export type TranscriptStore = RowSource & {
	readonly transcript: Transcript;
	readonly layout: TranscriptLayout;
	/** Returns the phase of a call without a result, or with a running command. */
	readonly phase: (index: number) => Phase;
	/**
	Returns how many of the first rows of a streamed answer no later text can change. It refers to the last requested
	rows.
	*/
	readonly settled: (index: number) => number;
	/** Takes in an event. `folded` is the prepared fold of a snapshot. */
	dispatch(event: Event, folded?: FoldState): void;
	setLayout(change: Partial<TranscriptLayout>): void;
	/** Expands one block in any view, or folds it. */
	toggle(id: string): void;
	/** Stores the file states of some items; `undefined` means unchanged. Only changed items are rendered again. */
	setStale(states: ReadonlyMap<string, StaleState | undefined>): void;
	/** Returns the known state of an item's file. */
	readonly stale: (itemId: string) => StaleState | undefined;
	/** The version grows with every change. */
	readonly version: () => number;
	/** Checks whether blocks of a kind can be expanded. */
	readonly folds: (kind: Block['kind']) => boolean;
	/** Stops listening to the highlighter. */
	dispose(): void;
};

/**
The cache has at most this many rows, of the latest blocks. A few blocks stay cached whatever their size, since a screen
needs them at once.
*/
const keptRows = 20_000;
const keptBlocks = 4;

/** `onRecoloured` is called when code gets its colours, which needs a new frame. */
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

/** Stores the file states of items by item id. */
function createStaleStates() {
	const known = new Map<string, StaleState>();
	return {
		of: (id: string) => known.get(id),
		/** Returns the ids of the changed items. */
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
