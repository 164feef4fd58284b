import {flatten, type Segment} from '../../pod/protocol.ts';
import {tell, update, type App, type Part} from './app.ts';
import type {AppState} from './app-state.ts';
import type {Draft} from '../composer/draft.ts';
import type {Editor} from '../composer/editor.ts';
import type {Line} from '../composer/graphemes.ts';
import {fromSegments, toSegments} from '../composer/segments.ts';
import {age} from '../picker/age.ts';

/** What the person has written and the history does not have: submissions on their way or waiting, oldest first, and the draft. */
export type Kept = {readonly sent: ReadonlyArray<readonly Segment[]>; readonly draft: readonly Segment[]};

/** Where it is kept. A save answers a sentence when it failed; `leave` is the last one, done when it returns. */
export type DraftStore = {
	readonly found?: {readonly kept: Kept; readonly at: string};
	save(kept: Kept): Promise<string | undefined>;
	leave(kept: Kept): string | undefined;
};

export type DraftKeeper = {
	readonly part: Part;
	/** The store that the pod's session has, before the screen hears of the pod: what was written before that is kept from then on. */
	bind(store: DraftStore): void;
	/** The screen was left and its draft taken along to another session: this one keeps it no longer. */
	forget(): void;
	/** Once the screen was left: why its draft is lost, in one sentence, if it is. */
	lost(): string | undefined;
};

/**
Keeps what stands in the composer, so that it survives whatever ends this process: some moments after the last edit, once a
second while typing goes on, and at once when the pod has taken a submission or the screen is left. A submission
counts as written until its receipt.
*/
export function createDraftKeeper(): DraftKeeper {
	let store: DraftStore | undefined;
	let restored = false;
	let saved: Written = nothing;
	let seen: Written = nothing;
	let timer: NodeJS.Timeout | undefined;
	let since: number | undefined;
	let savedAt = 0;
	let saving = false;
	/** A receipt came: what it settled must not be there after a crash. */
	let urgent = false;
	let failed = false;
	let left = false;
	let lost: string | undefined;

	async function save(app: App): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		since = undefined;
		const now = writtenIn(app.state);
		if (store === undefined || left || isSame(now, saved)) return;
		if (saving) return plan(app);
		[saved, savedAt, saving] = [now, Date.now(), true];
		const sentence = await store.save(keptOf(now));
		saving = false;
		if (sentence !== undefined && !failed && !left) tell(app, {level: 'warn', text: sentence});
		failed = sentence !== undefined;
		if (failed) saved = nothing;
		if (urgent) {
			urgent = false;
			await save(app);
		}
	}

	/** Soon after the last edit, but no later than `longest` after the first one, and not sooner than that after the save before. */
	function plan(app: App): void {
		const now = Date.now();
		since ??= now;
		const due = Math.max(Math.min(now + pause, since + longest), savedAt + longest);
		clearTimeout(timer);
		timer = setTimeout(() => void save(app), Math.max(0, due - now));
	}

	function look(app: App): void {
		const before = seen;
		seen = writtenIn(app.state);
		if (store === undefined || left || isSame(seen, before)) return;
		const isSettled = (before.held !== undefined && seen.held === undefined) || seen.sending.length < before.sending.length;
		if (isSettled && saving) urgent = true;
		else if (isSettled) void save(app);
		else plan(app);
	}

	return {
		bind(to) {
			store = to;
			seen = nothing;
		},
		forget() {
			store?.leave({sent: [], draft: []});
		},
		lost: () => lost,
		part: {
			edited: look,
			heard(app, event) {
				if (event.type === 'snapshot' && store?.found !== undefined && !restored) {
					restored = true;
					restore(app, store.found);
				}
				look(app);
				if (event.type === 'snapshot') void save(app);
			},
			leave(app) {
				clearTimeout(timer);
				left = true;
				lost = store?.leave(keptOf(writtenIn(app.state)));
			},
		},
	};
}

/** Milliseconds without an edit before a save, and between two saves. */
const pause = 300;
const longest = 1000;

/** Each part is as it was when it is the same value. */
type Written = {readonly draft: Draft | undefined; readonly held: Editor | undefined; readonly queue: AppState['queue'] | undefined; readonly sending: AppState['sending']};
const none: AppState['sending'] = [];
const nothing: Written = {draft: undefined, held: undefined, queue: undefined, sending: none};

function writtenIn({composer: {editor, held}, queue, sending}: AppState): Written {
	return {draft: editor.draft, held, queue, sending};
}

function isSame(one: Written, other: Written): boolean {
	return one.draft === other.draft && one.held === other.held && one.queue === other.queue && one.sending === other.sending;
}

function keptOf({draft, held, queue = [], sending}: Written): Kept {
	return {sent: [...sending.map(({segments}) => segments), ...(held === undefined ? [] : [segmentsOf(held.draft)]), ...queue], draft: segmentsOf(draft ?? [])};
}

/** All of it becomes the draft: what was on its way is for the person to send again, unless the history has it. */
function restore(app: App, {kept, at}: NonNullable<DraftStore['found']>): void {
	const last = app.state.composer.history.entries.at(-1);
	const sent = kept.sent.filter(segments => last === undefined || wordsOf(segments) !== wordsOf(last));
	const left = [...sent, kept.draft].filter(segments => segments.length > 0);
	for (const segments of left.toReversed()) update(app, {type: 'returned', segments});
	if (left.length > 0) tell(app, {level: 'info', text: `The draft from ${age(Date.now() - Date.parse(at))} was restored.`});
}

/** Whatever became of the file refs. */
function wordsOf(segments: readonly Segment[]): string {
	return flatten(toSegments(fromSegments(segments)));
}

const lines = new WeakMap<Line, readonly Segment[]>();

/** What `toSegments` gives, but a line that did not change since costs nothing. A chip's range never goes on on the next line. */
function segmentsOf(draft: Draft): Segment[] {
	const segments: Segment[] = [];
	let text = '';
	for (const [index, line] of draft.entries()) {
		if (index > 0) text += '\n';
		let pieces = lines.get(line);
		if (pieces === undefined) lines.set(line, (pieces = toSegments([line])));
		for (const piece of pieces) {
			if (piece.type === 'text') text += piece.text;
			else {
				if (text !== '') segments.push({type: 'text', text});
				text = '';
				segments.push(piece);
			}
		}
	}
	if (text !== '') segments.push({type: 'text', text});
	return segments;
}
