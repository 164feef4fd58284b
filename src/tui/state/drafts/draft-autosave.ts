import {messageIdOf, steadyNow, type Event, type Segment} from '../../../pod/protocol.ts';
import {draftLine, type Draft} from '../../composer/editor/draft.ts';
import {pasteOf, type Line} from '../../composer/editor/graphemes.ts';
import {toSegments} from '../../composer/editor/segments.ts';
import type {HeldInput} from '../../hold/hold.ts';
import {age} from '../../text/formats.ts';
import type {Action} from '../actions.ts';
import {nextMessageId, type AppState} from '../app-state.ts';
import {showAlert, update, type App} from '../app.ts';
import type {FoundDraft, Kept, KeptMessage} from './draft-store.ts';
import {draftRestored} from '../texts.ts';

/**
Saves unsent text, so that it survives the end of this process: the draft, and messages without a receipt. It saves
shortly after an edit, once a second while you type, and at once after a receipt. The first snapshot of a session
restores the text of an earlier process.
*/
export function autosaveDraft(app: App, before: AppState, action: Action): void {
	const store = app.options.drafts?.store();
	if (store === undefined) return;
	const autosave = autosaveOf(app);
	if (!autosave.isLeft && !isSame(writtenIn(before), writtenIn(app.state))) {
		const isSettled = isSettling(before, app.state);
		if (isSettled && autosave.saving !== undefined) autosave.isUrgent = true;
		else if (isSettled) void save(app);
		else plan(app);
	}
	if (action.type === 'pod event' && action.event.type === 'snapshot') start(app, store.found, action.event);
}

/** Saves at once. Resolves when the state of this moment is saved, or when that has failed. */
export async function saveDraftNow(app: App): Promise<void> {
	const autosave = autosaveOf(app);
	while (autosave.saving !== undefined) await autosave.saving;
	await save(app);
}

/** Saves one last time when the screen closes. */
export function saveLastDraft(app: App): void {
	const autosave = autosaveOf(app);
	clearTimeout(autosave.timer);
	autosave.isLeft = true;
	app.options.drafts?.leave(keptOf(writtenIn(app.state)));
}

/** The state of automatic saving for a screen. It is changed in place. Times are in milliseconds since the epoch. */
type Autosave = {
	timer: NodeJS.Timeout | undefined;
	saved: Written | undefined;
	savedAt: number;
	/** The time of the first unsaved edit. */
	editedAt: number | undefined;
	/** The current save. */
	saving: Promise<string | undefined> | undefined;
	/** A receipt came during a save, so its message must not be restored after a crash. */
	isUrgent: boolean;
	hasFailed: boolean;
	isRestored: boolean;
	isLeft: boolean;
};

const autosaves = new WeakMap<App, Autosave>();

function autosaveOf(app: App): Autosave {
	const known = autosaves.get(app);
	if (known !== undefined) return known;
	const made: Autosave = {
		timer: undefined,
		saved: undefined,
		savedAt: Number.NEGATIVE_INFINITY,
		editedAt: undefined,
		saving: undefined,
		isUrgent: false,
		hasFailed: false,
		isRestored: false,
		isLeft: false,
	};
	autosaves.set(app, made);
	return made;
}

function start(app: App, found: FoundDraft | undefined, snapshot: Snapshot): void {
	const autosave = autosaveOf(app);
	if (found !== undefined && !autosave.isRestored) restore(app, found, snapshot);
	autosave.isRestored = true;
	void save(app);
}

async function save(app: App): Promise<void> {
	const autosave = autosaveOf(app);
	clearTimeout(autosave.timer);
	autosave.editedAt = undefined;
	const store = app.options.drafts?.store();
	const now = writtenIn(app.state);
	if (store === undefined || autosave.isLeft || isSame(now, autosave.saved)) return;
	if (autosave.saving !== undefined) {
		plan(app);
		return;
	}
	const saving = store.save(keptOf(now));
	Object.assign(autosave, {saved: now, savedAt: steadyNow(), saving});
	const failure = await saving;
	autosave.saving = undefined;
	if (failure !== undefined && !autosave.hasFailed && !autosave.isLeft)
		showAlert(app, {level: 'warn', text: failure});
	autosave.hasFailed = failure !== undefined;
	if (autosave.hasFailed) autosave.saved = undefined;
	if (!autosave.isUrgent) return;
	autosave.isUrgent = false;
	await save(app);
}

/**
Plans a save soon after the last edit, and at most `maxWait` after the first one. Two saves are at least `maxWait`
apart.
*/
function plan(app: App): void {
	const autosave = autosaveOf(app);
	const now = steadyNow();
	autosave.editedAt ??= now;
	const due = Math.max(Math.min(now + pause, autosave.editedAt + maxWait), autosave.savedAt + maxWait);
	clearTimeout(autosave.timer);
	autosave.timer = setTimeout(() => void save(app), Math.max(0, due - now));
}

/**
The number of milliseconds without an edit after which the draft is saved. `maxWait` is the maximum time between an edit
and its save.
*/
const pause = 300;
const maxWait = 1000;

/** Each part keeps its identity while it does not change. */
type Written = Pick<AppState, 'heldId' | 'returning' | 'sending'> &
	Pick<AppState['composer'], 'held'> & {
		readonly draft: Draft;
		readonly draftId: string;
		/** What you typed while something opens. It becomes a part of the draft if that does not open. */
		readonly typed: readonly HeldInput[];
	};

function writtenIn(state: AppState): Written {
	const {
		composer: {editor, held},
		heldId,
		returning,
		sending,
	} = state;
	const draftId = nextMessageId(state);
	const typed = state.hold === undefined || state.hold.isSecret === true ? noInputs : state.hold.inputs;
	return {draft: editor.draft, draftId, typed, heldId, returning, sending, ...(held !== undefined && {held})};
}

const noInputs: readonly HeldInput[] = [];

function isSame(one: Written, other: Written | undefined): boolean {
	if (other === undefined || one.draft !== other.draft || one.held !== other.held) return false;
	if (one.typed !== other.typed) return false;
	return one.returning === other.returning && one.sending === other.sending;
}

/** Tells whether an action brought a receipt. */
function isSettling(before: AppState, after: AppState): boolean {
	const isReleased = before.composer.held !== undefined && after.composer.held === undefined;
	return isReleased || after.sending.length < before.sending.length;
}

function keptOf({draft, draftId, typed, held, heldId, returning, sending}: Written): Kept {
	const onItsWay = [...returning, ...sending].map(({id, segments}) => ({id, segments}));
	const inComposer = held === undefined ? [] : [{id: heldId, segments: withoutKey(segmentsOf(held.draft))}];
	// A message that moves between these places is in two of them for a moment.
	const sent = new Map([...onItsWay, ...inComposer].map(message => [message.id, message]));
	return {sent: [...sent.values()], draft: withoutKey(withText(segmentsOf(draft), typed)), draftId};
}

function withText(segments: readonly Segment[], typed: readonly HeldInput[]): readonly Segment[] {
	const text = typed.map(input => input.text).join('');
	if (text === '') return segments;
	const last = segments.at(-1);
	return last?.type === 'text'
		? [...segments.slice(0, -1), {type: 'text', text: last.text + text}]
		: [...segments, {type: 'text', text}];
}

/** Leaves out the rest of a draft that begins with `/login`, because it may be a key. */
function withoutKey(segments: readonly Segment[]): readonly Segment[] {
	const [first] = segments;
	const isLogin = first?.type === 'text' && /^\/login(?:\s|$)/.test(first.text);
	return isLogin ? [{type: 'text', text: '/login'}] : segments;
}

/** Restores the saved text as the draft, except messages that the queue or the history contains. */
function restore(app: App, {kept, at, isOwn}: FoundDraft, {items, status}: Snapshot): void {
	const known = new Set([...items.map(messageIdOf), ...status.queue.map(({id}) => id)]);
	const isUnknown = ({id}: KeptMessage) => id === undefined || !known.has(id);
	const messages = [...kept.sent, {id: kept.draftId, segments: kept.draft}];
	const left = messages.filter(({segments}) => segments.length > 0).filter(isUnknown);
	for (const {segments} of left.toReversed()) update(app, {type: 'returned', segments});
	if (left.length === 0 || isOwn === true) return;
	showAlert(app, {level: 'info', text: draftRestored(age(Date.now() - Date.parse(at)))});
}

type Snapshot = Extract<Event, {readonly type: 'snapshot'}>;

/** The segments of lines without an open paste. */
const lines = new WeakMap<Line, readonly Segment[]>();

/**
Does the same as `toSegments`, but reuses the segments of unchanged lines. The range of a chip never continues on the
next line. The lines of an open paste belong together.
*/
function segmentsOf(draft: Draft): Segment[] {
	const segments: Segment[] = [];
	let text = '';
	for (let index = 0; index < draft.length;) {
		if (index > 0) text += '\n';
		const {pieces, end} = piecesAt(draft, index);
		for (const piece of pieces) {
			if (piece.type === 'text') text += piece.text;
			else {
				if (text !== '') segments.push({type: 'text', text});
				text = '';
				segments.push(piece);
			}
		}
		index = end;
	}
	if (text !== '') segments.push({type: 'text', text});
	return segments;
}

/** Returns the segments of a line, or of this line and those that may continue its open paste. */
function piecesAt(draft: Draft, index: number): {readonly pieces: readonly Segment[]; readonly end: number} {
	const line = draftLine(draft, index);
	const known = lines.get(line);
	if (known !== undefined) return {pieces: known, end: index + 1};
	let end = index + 1;
	if (!hasOpenPaste(line)) {
		const pieces = toSegments([line]);
		lines.set(line, pieces);
		return {pieces, end};
	}
	while (end < draft.length && mayContinuePaste(draftLine(draft, end))) end++;
	return {pieces: toSegments(draft.slice(index, end)), end};
}

function mayContinuePaste(line: Line): boolean {
	return line.length === 0 || hasOpenPaste(line);
}

function hasOpenPaste(line: Line): boolean {
	return line.some(atom => pasteOf(atom) !== undefined);
}
