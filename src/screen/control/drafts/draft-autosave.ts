import {messageIdOf, steadyNow, type Event, type QuestionAnswer, type Segment} from '../../../pod/protocol.ts';
import {asidesOf} from '../../model/composer/draft-history.ts';
import {draftLine, isEmpty, type Draft} from '../../editor/draft.ts';
import {pasteOf, type Line} from '../../editor/graphemes.ts';
import {toSegments} from '../../editor/segments.ts';
import type {HeldInput} from '../../model/keys/keys-state.ts';
import {age} from '../../../text/formats.ts';
import type {Action} from '../../model/app-state.ts';
import type {AppState} from '../../model/app-state.ts';
import {nextMessageId} from '../../model/submission-state.ts';
import {showAlert, update, type App} from '../app.ts';
import {asksOf, isBusy} from '../../model/selectors.ts';
import {answersMessage, isAnswerIn} from '../../model/drafts/answer-message.ts';
import type {DraftSlot, FoundDraft, Kept, KeptMessage} from './draft-store.ts';
import {draftRestored} from '../texts.ts';

/**
Saves the draft and the messages without a receipt, so that they survive the end of this process. A sent message is in a
file before a frame shows it as sent. The draft is saved shortly after an edit, and a few times per second while you
type. The first snapshot of a session restores the text of an earlier process.
*/
export function autosaveDraft(app: App, before: AppState, action: Action): void {
	const {drafts} = app.options;
	if (drafts === undefined) return;
	const autosave = autosaveOf(app);
	if (!autosave.isLeft && !isSame(writtenIn(before), writtenIn(app.state))) {
		const isSettled = isSettling(before, app.state);
		if (isDeparting(before, app.state)) saveSent(app, drafts);
		else if (isSettled && autosave.saving !== undefined) autosave.isUrgent = true;
		else if (isSettled) void save(app);
		else plan(app);
	}
	if (action.type === 'pod event' && action.event.type === 'snapshot' && drafts.isBound())
		start(app, drafts, action.event);
	else if (autosave.late !== undefined) returnLate(app);
}

/** Gives the slot a function that returns the current unsent text. */
export function watchDraft(app: App): void {
	app.options.drafts?.watch(() => keptOf(writtenIn(app.state), autosaveOf(app).late?.messages));
}

/** Tells whether Enter has to wait until the draft slot is open, because the message could not be saved yet. */
export function needsPlace({options: {drafts}, state}: App): boolean {
	return drafts?.isOpen() === false && state.asks.card === undefined && !isEmpty(state.composer.editor.draft);
}

/** Saves immediately. Resolves when the current text is saved, or when saving has failed. */
export async function saveDraftNow(app: App): Promise<void> {
	const autosave = autosaveOf(app);
	while (autosave.saving !== undefined) await autosave.saving;
	await save(app);
}

/** Saves for the last time when the screen closes. */
export function saveLastDraft(app: App): void {
	const autosave = autosaveOf(app);
	clearTimeout(autosave.timer);
	app.options.drafts?.leave();
	autosave.isLeft = true;
}

/** The mutable state of automatic saving for a screen. Times are in milliseconds of a monotonic clock. */
type Autosave = {
	timer: NodeJS.Timeout | undefined;
	saved: Written | undefined;
	savedAt: number;
	/** The time of the first unsaved edit. */
	editedAt: number | undefined;
	/** The save that is running. */
	saving: Promise<string | undefined> | undefined;
	/**
	Whether a message got its receipt during a save. Another save then follows immediately, so that the message is not
	restored after a crash.
	*/
	isUrgent: boolean;
	hasFailed: boolean;
	isRestored: boolean;
	/** Restored messages that are not in the composer yet. `at` is the time of their save, if an alert says so. */
	late: {readonly messages: readonly KeptMessage[]; readonly at: string | undefined} | undefined;
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
		late: undefined,
		isLeft: false,
	};
	autosaves.set(app, made);
	return made;
}

function start(app: App, drafts: DraftSlot, snapshot: Snapshot): void {
	const autosave = autosaveOf(app);
	const found = drafts.found();
	if (found !== undefined && !autosave.isRestored) restore(app, found, snapshot);
	autosave.isRestored = true;
	drafts.restored();
	// The slot now saves to the session's own store, so the text must be saved again.
	autosave.saved = undefined;
	void save(app);
}

/** Saves synchronously before the next frame. The planned save then makes the file durable. */
function saveSent(app: App, drafts: DraftSlot): void {
	report(app, drafts.saveNow());
	plan(app);
}

async function save(app: App): Promise<void> {
	const autosave = autosaveOf(app);
	clearTimeout(autosave.timer);
	autosave.editedAt = undefined;
	const {drafts} = app.options;
	const now = writtenIn(app.state);
	if (drafts === undefined || autosave.isLeft || isSame(now, autosave.saved)) return;
	if (autosave.saving !== undefined) {
		plan(app);
		return;
	}
	const saving = drafts.save();
	Object.assign(autosave, {saved: now, savedAt: steadyNow(), saving});
	const failure = await saving;
	autosave.saving = undefined;
	report(app, failure);
	if (failure !== undefined) autosave.saved = undefined;
	if (!autosave.isUrgent) return;
	autosave.isUrgent = false;
	await save(app);
}

/** Shows an alert about a failure, but only about the first of several failures in a row. */
function report(app: App, failure: string | undefined): void {
	const autosave = autosaveOf(app);
	if (failure !== undefined && !autosave.hasFailed && !autosave.isLeft)
		showAlert(app, {level: 'warn', text: failure});
	autosave.hasFailed = failure !== undefined;
}

/**
Plans a save `pause` milliseconds after the last edit, but at most `maxWait` after the first unsaved edit. Two saves are
at least `maxWait` apart.
*/
function plan(app: App): void {
	const autosave = autosaveOf(app);
	if (app.options.drafts?.isOpen() === false) void app.options.drafts.open();
	const now = steadyNow();
	autosave.editedAt ??= now;
	const due = Math.max(Math.min(now + pause, autosave.editedAt + maxWait), autosave.savedAt + maxWait);
	clearTimeout(autosave.timer);
	autosave.timer = setTimeout(() => void save(app), Math.max(0, due - now));
}

/**
The draft is saved after `pause` milliseconds without an edit. `maxWait` is the maximum time between an edit and the
start of its save. Including the time of the save itself, a draft on the screen is in a file after half a second.
*/
const pause = 100;
const maxWait = 250;

/**
The parts of the state that are saved. An unchanged part is the same object, so parts can be compared by identity.
*/
type Written = Pick<AppState['submission'], 'heldId' | 'returning' | 'sending' | 'unrecorded'> &
	Pick<AppState['composer'], 'held' | 'history'> & {
		readonly draft: Draft;
		readonly draftId: string;
		/**
		The input that the user typed while a page or screen opens. If the page or screen does not open, the input goes
		to the draft.
		*/
		readonly typed: readonly HeldInput[];
		/** The answers that the user has already given on the open card. */
		readonly answers: readonly QuestionAnswer[] | undefined;
		readonly callId: string | undefined;
	};

function writtenIn(state: AppState): Written {
	const {editor, held, history} = state.composer;
	const {heldId, returning, sending, unrecorded} = state.submission;
	const draftId = nextMessageId(state.submission);
	const typed =
		state.keys.hold === undefined || state.keys.hold.isSecret === true ? noInputs : state.keys.hold.inputs;
	const answers = state.asks.card?.questions?.answers;
	const callId = answers && asksOf(state)[0]?.callId;
	const sent = {heldId, returning, sending, unrecorded, answers, callId, held};
	return {draft: editor.draft, draftId, typed, history, ...sent};
}

const noInputs: readonly HeldInput[] = [];

function isSame(one: Written, other: Written | undefined): boolean {
	if (other === undefined || one.draft !== other.draft || one.held !== other.held) return false;
	if (one.typed !== other.typed || one.answers !== other.answers) return false;
	if (one.history.drafts !== other.history.drafts || one.unrecorded !== other.unrecorded) return false;
	return one.returning === other.returning && one.sending === other.sending;
}

/** Tells whether a message got its receipt or came into the history. */
function isSettling(before: AppState, after: AppState): boolean {
	const left = sentIds(after);
	return sentIds(before).some(id => !left.includes(id));
}

/**
Tells whether an action sent a new message or answered a question. A message that only moved within the state was sent
before.
*/
function isDeparting(before: AppState, after: AppState): boolean {
	const isAnswered =
		after.asks.card?.questions?.answers !== before.asks.card?.questions?.answers && after.asks.card !== undefined;
	if (isAnswered) return true;
	const known = sentIds(before);
	return sentIds(after).some(id => !known.includes(id));
}

function sentIds({composer: {held}, submission: {heldId = '', sending, unrecorded}}: AppState): readonly string[] {
	return [...(held === undefined ? [] : [heldId]), ...sending.map(({id}) => id), ...unrecorded.map(({id}) => id)];
}

/** `late` are restored messages that are not in the composer yet. */
function keptOf(written: Written, late: readonly KeptMessage[] = []): Kept {
	const {
		draft,
		draftId,
		typed,
		history,
		held,
		heldId,
		returning,
		sending,
		unrecorded,
		answers = [],
		callId,
	} = written;
	const messages: KeptMessage[] = [...late, answersMessage(answers, callId), ...returning, ...sending, ...unrecorded];
	if (held !== undefined) messages.push({id: heldId, segments: withoutKey(segmentsOf(held.draft))});
	// A message that moves between these lists may be in two of them for a moment. The map removes the duplicate.
	const sent = new Map(messages.map(({id, segments}) => [id, {id, segments}]));
	const aside = asidesOf(history).map(aside => withoutKey(segmentsOf(aside)));
	return {
		sent: [...sent.values()].filter(({segments}) => segments.length > 0),
		draft: withoutKey(withText(segmentsOf(draft), typed)),
		draftId,
		...(aside.length > 0 && {aside}),
	};
}

function withText(segments: readonly Segment[], typed: readonly HeldInput[]): readonly Segment[] {
	const text = typed.map(input => input.text).join('');
	if (text === '') return segments;
	const last = segments.at(-1);
	return last?.type === 'text'
		? [...segments.slice(0, -1), {type: 'text', text: last.text + text}]
		: [...segments, {type: 'text', text}];
}

/** Removes the text after `/login` at the start of a draft, because that text may be an API key. */
function withoutKey(segments: readonly Segment[]): readonly Segment[] {
	const [first] = segments;
	const isLogin = first?.type === 'text' && /^\/login(?:\s|$)/.test(first.text);
	return isLogin ? [{type: 'text', text: '/login'}] : segments;
}

/** Restores the saved text as the draft, except messages that the queue or the history contains. */
function restore(app: App, {kept, at, isOwn}: FoundDraft, {items, status}: Snapshot): void {
	const known = new Set([...items.map(messageIdOf), ...status.queue.map(({id}) => id)]);
	const isUnknown = (message: KeptMessage) =>
		message.id === undefined || !(known.has(message.id) || items.some(item => isAnswerIn(item, message)));
	const messages = [...kept.sent, {id: kept.draftId, segments: kept.draft}];
	const left = messages.filter(({segments}) => segments.length > 0).filter(isUnknown);
	const {aside = []} = kept;
	if (aside.length > 0) update(app, {type: 'set aside', drafts: aside});
	const isShown = left.length + aside.length > 0 && isOwn !== true;
	autosaveOf(app).late = {messages: left, at: isShown ? at : undefined};
	returnLate(app);
}

/**
Puts restored messages into the composer. If the user has already sent another message, they wait until the turn ends,
because the next keys may answer a card.
*/
function returnLate(app: App): void {
	const autosave = autosaveOf(app);
	const {late} = autosave;
	if (late === undefined || asksOf(app.state).length > 0 || isBusy(app.state)) return;
	autosave.late = undefined;
	for (const {segments} of late.messages.toReversed()) update(app, {type: 'returned', segments});
	if (late.at === undefined) return;
	showAlert(app, {level: 'info', text: draftRestored(age(Date.now() - Date.parse(late.at)))});
}

type Snapshot = Extract<Event, {readonly type: 'snapshot'}>;

/** The cached segments of lines that are not part of an expanded paste. */
const lines = new WeakMap<Line, readonly Segment[]>();

/**
Returns the same result as `toSegments`, but reuses the segments of unchanged lines. Lines can be converted one by one,
because the line range of a chip never continues on the next line. Only the lines of an expanded paste are converted
together.
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

/**
Returns the segments of a line. If the line is part of an expanded paste, also includes the following lines of that
paste.
*/
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
