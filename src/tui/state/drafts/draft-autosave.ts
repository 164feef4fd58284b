import {flatten, type Segment} from '../../../pod/protocol.ts';
import type {Draft} from '../../composer/editor/draft.ts';
import type {Line} from '../../composer/editor/graphemes.ts';
import {fromSegments, toSegments} from '../../composer/editor/segments.ts';
import {age} from '../../text/age.ts';
import type {Action} from '../actions.ts';
import type {AppState} from '../app-state.ts';
import {showAlert, update, type App} from '../app.ts';
import type {FoundDraft, Kept} from './draft-store.ts';
import {draftRestored} from '../texts.ts';

/**
Saves unsent text, so that it survives the end of this process: the draft, the queue, and messages without a receipt. It
saves shortly after an edit, once a second while you type, and at once after a receipt. The first snapshot of a session
restores the text of an earlier process.
*/
export function autosaveDraft(app: App, before: AppState, action: Action): void {
	const store = app.options.drafts?.store();
	if (store === undefined) return;
	const autosave = autosaveOf(app);
	if (!autosave.isLeft && !isSame(writtenIn(before), writtenIn(app.state))) {
		const isSettled = isSettling(before, app.state);
		if (isSettled && autosave.isSaving) autosave.isUrgent = true;
		else if (isSettled) void save(app);
		else plan(app);
	}
	if (action.type === 'pod event' && action.event.type === 'snapshot') start(app, store.found);
}

/** Saves one last time when the screen closes. */
export function saveLastDraft(app: App): void {
	const autosave = autosaveOf(app);
	clearTimeout(autosave.timer);
	autosave.isLeft = true;
	app.options.drafts?.leave(keptOf(writtenIn(app.state)));
}

/** The data of autosaving for a screen, changed in place. Times are in milliseconds since the epoch. */
type Autosave = {
	timer: NodeJS.Timeout | undefined;
	saved: Written | undefined;
	savedAt: number;
	/** The time of the first unsaved edit. */
	editedAt: number | undefined;
	isSaving: boolean;
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
		savedAt: 0,
		editedAt: undefined,
		isSaving: false,
		isUrgent: false,
		hasFailed: false,
		isRestored: false,
		isLeft: false,
	};
	autosaves.set(app, made);
	return made;
}

function start(app: App, found: FoundDraft | undefined): void {
	const autosave = autosaveOf(app);
	if (found !== undefined && !autosave.isRestored) restore(app, found);
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
	if (autosave.isSaving) {
		plan(app);
		return;
	}
	Object.assign(autosave, {saved: now, savedAt: Date.now(), isSaving: true});
	const failure = await store.save(keptOf(now));
	autosave.isSaving = false;
	if (failure !== undefined && !autosave.hasFailed && !autosave.isLeft)
		showAlert(app, {level: 'warn', text: failure});
	autosave.hasFailed = failure !== undefined;
	if (autosave.hasFailed) autosave.saved = undefined;
	if (!autosave.isUrgent) return;
	autosave.isUrgent = false;
	await save(app);
}

/**
Plans a save soon after the last edit, but at most `maxWait` after the first one. Two saves are at least `maxWait`
apart.
*/
function plan(app: App): void {
	const autosave = autosaveOf(app);
	const now = Date.now();
	autosave.editedAt ??= now;
	const due = Math.max(Math.min(now + pause, autosave.editedAt + maxWait), autosave.savedAt + maxWait);
	clearTimeout(autosave.timer);
	autosave.timer = setTimeout(() => void save(app), Math.max(0, due - now));
}

/** A save follows after `pause` milliseconds without an edit. `maxWait` limits the time between saves. */
const pause = 300;
const maxWait = 1000;

/** Each part keeps its identity while it does not change. */
type Written = Pick<AppState, 'queue' | 'sending'> & Pick<AppState['composer'], 'held'> & {readonly draft: Draft};

function writtenIn({composer: {editor, held}, queue, sending}: AppState): Written {
	return {draft: editor.draft, queue, sending, ...(held !== undefined && {held})};
}

function isSame(one: Written, other: Written | undefined): boolean {
	if (other === undefined || one.draft !== other.draft || one.held !== other.held) return false;
	return one.queue === other.queue && one.sending === other.sending;
}

/** Checks whether a receipt came. */
function isSettling(before: AppState, after: AppState): boolean {
	const isReleased = before.composer.held !== undefined && after.composer.held === undefined;
	return isReleased || after.sending.length < before.sending.length;
}

function keptOf({draft, held, queue, sending}: Written): Kept {
	const onItsWay = sending.map(({segments}) => segments);
	return {
		sent: [...onItsWay, ...(held === undefined ? [] : [segmentsOf(held.draft)]), ...queue],
		draft: segmentsOf(draft),
	};
}

/** Restores all saved text as the draft. You send a message again unless the history contains it. */
function restore(app: App, {kept, at}: FoundDraft): void {
	const last = app.state.composer.history.entries.at(-1);
	const sent = kept.sent.filter(segments => last === undefined || wordsOf(segments) !== wordsOf(last));
	const left = [...sent, kept.draft].filter(segments => segments.length > 0);
	for (const segments of left.toReversed()) update(app, {type: 'returned', segments});
	if (left.length === 0) return;
	showAlert(app, {level: 'info', text: draftRestored(age(Date.now() - Date.parse(at)))});
}

/** Returns the text without the outcomes of file refs. */
function wordsOf(segments: readonly Segment[]): string {
	return flatten(toSegments(fromSegments(segments)));
}

const lines = new WeakMap<Line, readonly Segment[]>();

/** Does the same as `toSegments`, but reuses unchanged lines. A chip's range never continues on the next line. */
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
