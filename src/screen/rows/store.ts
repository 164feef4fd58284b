import type {Event, Item, StoredConversation} from '../../pod/protocol.ts';
import type {Row} from '../spans/row.ts';
import type {Block} from '../../transcript/block.ts';
import {conversationRows, foldConversation, type Conversation, blockRows, folds} from './conversation.ts';
import {createGroupStarts, type Blocks, type Group} from './groups.ts';
import {spokenRows} from './spoken/spoken-block.ts';
import {alone, createOpened, neighboursOf, rowsInPlace, type Neighbours, type Opened} from './groups.ts';
import {phaseOf, type Phase} from '../../transcript/phase.ts';
import type {RenderContext, StaleState} from './parts/render.ts';
import type {FoldState} from '../../transcript/fold-state.ts';
import {createCallOrigins, type CallOrigins} from './call-origins.ts';
import {onHighlightReady} from '../markdown/highlight.ts';
import type {MarkdownStream} from '../markdown/stream.ts';
import {blocksOf, createTranscript, reduce, type Transcript} from '../../transcript/state.ts';
import type {RowSource} from './viewport/viewport.ts';

export type TranscriptLayout = Pick<RenderContext, 'columns' | 'view' | 'isSpoken' | 'isSplit' | 'resumeKeys'>;

/**
The transcript with its rows. The rows of a block are created on demand and cached. So the time for a frame depends on
the visible rows, not on the length of the session.
*/
export type TranscriptStore = RowSource &
	CallOrigins & {
		readonly transcript: Transcript;
		readonly layout: TranscriptLayout;
		/** Returns the phase of a call without a result, or of a call whose command is still running. */
		readonly phase: (index: number) => Phase;
		/**
	Returns the number of rows at the start of a streamed answer that later text cannot change. The number refers to the
	rows that were last requested.
	*/
		readonly settled: (index: number) => number;
		/** Applies an event to the transcript. `folded` are the blocks of a snapshot, if they were created in advance. */
		dispatch(event: Event, folded?: FoldState): void;
		setLayout(change: Partial<TranscriptLayout>): void;
		/**
	Opens or closes a block. An opened block shows less than in the detail view, which adds arguments and headers of
	diffs.
	*/
		toggle(id: string): void;
		/** Opens or closes the group that begins with a block. */
		toggleGroup(id: string): void;
		/** Returns the group that begins with a block, if the view has groups. */
		readonly groupOf: (index: number) => Group | undefined;
		/**
	Stores the file states of some items. `undefined` means that the file is unchanged. Only the blocks of items whose
	state has changed are rendered again.
	*/
		setStale(states: ReadonlyMap<string, StaleState | undefined>): void;
		/** The loaded conversations in which the model wrote summaries. */
		readonly conversations: Conversations;
		/** Returns the rows of another conversation, rendered in the same way as this session. */
		readonly rowsOf: (items: readonly Item[], columns: number) => readonly Row[];
		/** Tells whether a block is opened, or the view is the detail view. */
		readonly isDetailed: (id: string) => boolean;
		/** Tells whether the group that begins with a block is open. */
		readonly isGroupOpen: (id: string) => boolean;
		/** Returns the stored state of an item's file. */
		readonly stale: (itemId: string) => StaleState | undefined;
		/** Returns a number that grows with every change. */
		readonly version: () => number;
		/** Tells whether blocks of a kind can be expanded. */
		readonly folds: (kind: Block['kind']) => boolean;
		/** Stops listening to the highlighter. */
		dispose(): void;
	};

/**
The maximum number of rows in the cache. The `keptBlocks` blocks that were used last stay cached regardless of their
size, because a screen needs all of them at once.
*/
const keptRows = 20_000;

const keptBlocks = 4;

/**
The maximum number of loaded conversations. It is more than fit on a screen, so that a visible conversation is not
loaded repeatedly.
*/
const keptConversations = 16;

/** `onRecoloured` is called when code has got its colours, so a new frame is needed. */
export function createTranscriptStore(initial: TranscriptLayout, onRecoloured = () => {}): TranscriptStore {
	const transcript = createTranscript();
	const opened = createOpened();
	const streams = new Map<string, MarkdownStream>();
	const stale = createStaleStates();
	const conversations = createConversations(transcript, renew);
	const origins = createCallOrigins(transcript, redrawAll);
	const sources = {streams, stale: stale.of, conversation: conversations.rows, originsOf: origins.originsOf};
	const cache = createRowCache(keptRows, keptBlocks);
	let layout = initial;
	let [layoutVersion, version, epoch] = [0, 0, transcript.epoch];
	/** Removes the blocks of these items from the cache, so that they are rendered again. */
	function renew(itemIds: readonly string[]): void {
		if (itemIds.length === 0) return;
		for (const id of itemIds) cache.drop(transcript.folded.byItem.get(id));
		layoutVersion++;
		version++;
	}

	function redrawAll(): void {
		cache.clear();
		streams.clear();
		layoutVersion++;
		version++;
	}

	const blockAt = (index: number) => blocksOf(transcript)[index];
	const neighbours = createNeighbours(blockAt, opened, () => ({layout, version}));

	function render(block: Block, phase: Phase, place: Neighbours): readonly Row[] {
		const own = layout.view !== 'detail' && opened.isBlock(block.id) ? openedView : {};
		return rowsInPlace(place, block, {...layout, ...sources, phase, ...own});
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
		block: blockAt,
		indexOf: id => transcript.folded.indexOf.get(id),
		rows(index) {
			const block = blockAt(index);
			const place = neighbours(index);
			const make = (of: Block, phase: Phase) => render(of, phase, place);
			return block === undefined ? noRows : cache.get(index, block, phaseOf(block, transcript), place.key, make);
		},
		phase: index => phaseOf(blockAt(index), transcript),
		settled: index => streams.get(blockAt(index)?.id ?? '')?.settled() ?? 0,
		layoutVersion: () => layoutVersion,
		dispatch(event, folded) {
			reduce(transcript, event, folded);
			if (transcript.epoch !== epoch) redrawAll();
			[epoch, version] = [transcript.epoch, version + 1];
		},
		setLayout(change) {
			const {columns, view, isSplit} = layout;
			layout = {...layout, ...change};
			if (layout.columns !== columns || layout.view !== view || layout.isSplit !== isSplit) redrawAll();
		},
		...togglesOf(opened, redrawAll),
		groupOf: index => neighbours(index).group,
		setStale: states => renew(stale.take(states)),
		conversations,
		rowsOf: (items, columns) => rowsOfItems(items, {...layout, columns}, transcript),
		isDetailed: id => opened.isBlock(id) || layout.view === 'detail',
		...origins,
		stale: stale.of,
		version: () => version,
		folds,
		dispose: stopListening,
	};
}

/** Returns the rows of the items of another conversation in the normal view. */
function rowsOfItems(items: readonly Item[], layout: TranscriptLayout, {session}: Transcript): readonly Row[] {
	const folded = foldConversation({items}, session?.prices);
	const context = {...layout, view: 'normal', phase: 'waiting'} as const;
	if (!('blocks' in folded)) return [];
	return folded.blocks.flatMap(block => {
		const rows = blockRows(block, context);
		return layout.isSpoken === true ? spokenRows(block, rows, layout.columns) : rows;
	});
}

const openedView = {view: 'detail', isOpened: true} as const;

const noRows: readonly Row[] = [];

/** Tells whether the layout has groups. A screen reader has none, because it reads each block once, separately. */
function hasGroups({view, isSpoken}: TranscriptLayout): boolean {
	return view === 'normal' && isSpoken !== true;
}

/** Creates a function that returns the facts about a block's neighbours in this layout. */
function createNeighbours(
	blocks: Blocks,
	opened: Opened,
	now: () => {readonly layout: TranscriptLayout; readonly version: number},
): (index: number) => Neighbours {
	const startOf = createGroupStarts(blocks, () => now().version);
	return index => (hasGroups(now().layout) ? neighboursOf(blocks, index, opened, startOf) : alone);
}

function togglesOf(
	opened: Opened,
	onChange: () => void,
): Pick<TranscriptStore, 'toggle' | 'toggleGroup' | 'isGroupOpen'> {
	return {
		toggle(id) {
			opened.toggleBlock(id);
			onChange();
		},
		toggleGroup(id) {
			opened.toggleGroup(id);
			onChange();
		},
		isGroupOpen: id => opened.isGroup(id),
	};
}

/**
The conversations in which the model wrote summaries, by the id of the compaction. Only the latest ones stay loaded.
*/
type Conversations = {
	readonly get: (id: string) => Conversation | undefined;
	readonly set: (id: string, stored: StoredConversation) => void;
	readonly rows: (id: string, context: RenderContext) => readonly Row[];
};

/** `onChange` is called with the ids of the compactions whose conversations were added or removed. */
function createConversations(transcript: Transcript, onChange: (ids: readonly string[]) => void): Conversations {
	const known = new Map<string, Conversation>();
	return {
		get: id => known.get(id),
		set(id, stored) {
			known.delete(id);
			known.set(id, foldConversation(stored, transcript.session?.prices));
			const oldest = [...known.keys()].slice(0, -keptConversations);
			for (const old of oldest) known.delete(old);
			onChange([id, ...oldest]);
		},
		rows: (id, context) => conversationRows(known.get(id), context),
	};
}

/** Stores the file states of items by item id. */
function createStaleStates() {
	const known = new Map<string, StaleState>();
	return {
		of: (id: string) => known.get(id),
		/** Stores new states and returns the ids of the items that changed. */
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

type RowCache = {
	/** `near` is the key of the other facts on which the rows depend, besides the block and its phase. */
	get(
		index: number,
		block: Block,
		phase: Phase,
		near: string,
		make: (block: Block, phase: Phase) => readonly Row[],
	): readonly Row[];
	drop(index: number | undefined): void;
	clear(): void;
};

/**
Caches rows by block index. A change of a block invalidates its rows. If the cache has more than `limit` rows, the rows
of the least recently used blocks are removed. The rows of the `blocks` most recently used blocks always stay.
*/
function createRowCache(limit: number, blocks: number): RowCache {
	const entries = new Map<
		number,
		{
			readonly block: Block;
			readonly phase: Phase;
			readonly near: string;
			readonly rows: readonly Row[];
			readonly count: number;
		}
	>();
	let total = 0;

	function drop(index: number | undefined): void {
		if (index === undefined) return;
		total -= entries.get(index)?.count ?? 0;
		entries.delete(index);
	}

	return {
		get(index, block, phase, near, make) {
			const known = entries.get(index);
			const holds = known !== undefined && known.block === block && known.phase === phase && known.near === near;
			const rows = holds ? known.rows : make(block, phase);
			drop(index);
			entries.set(index, {block, phase, near, rows, count: rows.length});
			total += rows.length;
			for (const oldest of entries.keys()) {
				if (total <= limit || entries.size <= blocks) break;
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
