import {messageIdOf, type Event, type QueueMessage, type Receipt, type Segment} from '../../pod/protocol.ts';
import {classifyDraft} from './commands/commands.ts';
import {isShellDraft} from '../editor/draft.ts';
import {compose, submit, type ComposerState} from './composer/composer-state.ts';
import type {Editor} from '../editor/editor.ts';
import {toSegments} from '../editor/segments.ts';
import type {Sending, Unrecorded} from './queue.ts';
import {isAnswerIn} from './drafts/answer-message.ts';
import type {TranscriptStore} from '../rows/store.ts';
import {atEnd, type Scroll} from '../rows/viewport/viewport.ts';
import type {ReadAgain} from './scroll/read-again.ts';
import type {ScrollTo} from './scroll/read-again.ts';
import {stillWheel, turnWheel, type Wheel} from './scroll/read-again.ts';

/** The messages that have left the editor and are not in the history yet. */
export type SubmissionState = {
	/** The id of this screen. The id of a message consists of `screenId` and `messageCount`. */
	readonly screenId: string;
	readonly messageCount: number;
	/** The id of the composer's held draft, which is the draft that inkpod is sending. */
	readonly heldId: string | undefined;
	/** The held draft while inkpod waits for its confirmation. Until then you can still take it back. */
	readonly confirming: Editor | undefined;
	/**
	Messages that were sent to the pod and have no receipt yet, oldest first. The composer's held draft is not included.
	*/
	readonly sending: readonly Sending[];
	/** Commands that have begun, and answers to cards. They stay here until their items are in the history. */
	readonly unrecorded: readonly Unrecorded[];
	/** Messages that this screen has taken out of the pod's queue. They stay here until they are in the composer. */
	readonly returning: readonly QueueMessage[];
	/** The ids of the messages that this screen has queued. */
	readonly queuedHere: readonly string[];
};

/** The stages of a submission. `control/submit/submit.ts` explains them. */
export type SubmissionAction =
	/** The draft leaves the editor and becomes the held draft. */
	| {readonly type: 'submit'}
	| {readonly type: 'confirm draft'}
	/** Cancels the confirmation. The message goes back into the draft. */
	| {readonly type: 'take back'}
	| {readonly type: 'draft confirmed'}
	| {readonly type: 'send draft'}
	| {readonly type: 'queue draft'; readonly segments: readonly Segment[]}
	/** Sends the prompt of the command line. */
	| {readonly type: 'send prompt'; readonly segments: readonly Segment[]}
	/** The pod has returned queued messages to this screen. */
	| {readonly type: 'messages taken'; readonly messages: readonly QueueMessage[]}
	/**
	The pod no longer has the `kept` messages, so they go back into the draft. The other `messages` are in the pod's
	queue or in the history.
	*/
	| {
			readonly type: 'messages returned';
			readonly messages: readonly QueueMessage[];
			readonly kept: readonly QueueMessage[];
	  }
	/** This screen takes its refused messages back. */
	| {readonly type: 'take refused'; readonly ids: readonly string[]}
	/** `held` is the sent editor state, if the composer keeps it until the receipt. */
	| {
			readonly type: 'receipt';
			readonly segments: readonly Segment[];
			readonly held?: Editor | undefined;
			readonly receipt: Receipt;
	  }
	/**
	An answer to a card is sent, with the text that the user typed. `draft` is the part of this text that was in the
	draft.
	*/
	| {readonly type: 'answer leaves'; readonly message: Unrecorded; readonly draft: readonly Segment[]}
	| {readonly type: 'answer refused'; readonly message: Unrecorded; readonly draft: readonly Segment[]}
	| {readonly type: 'run began'};

/** The two slices between which a message moves. The message is always in one of them. */
type Places = {readonly submission: SubmissionState; readonly composer: ComposerState};

export function createSubmission(): SubmissionState {
	return {
		// The id must only differ from the ids of other screens. `crypto` is not used, because its code would load
		// before the first frame.
		screenId: `${Math.random().toString(36).slice(2)}-${Math.random().toString(36).slice(2)}`,
		messageCount: 0,
		heldId: undefined,
		confirming: undefined,
		sending: [],
		unrecorded: [],
		returning: [],
		queuedHere: [],
	};
}

/** Returns the id under which the draft in the editor will be sent. */
export function nextMessageId({screenId, messageCount}: SubmissionState): string {
	return `${screenId}.${messageCount}`;
}

export function reduceSubmission({submission, composer}: Places, action: SubmissionAction): Places {
	const places = {submission, composer};
	switch (action.type) {
		case 'submit': {
			const next = submit(composer).state;
			const isHeld = next.held !== undefined && next.held !== composer.held;
			return {submission: isHeld ? withId(submission) : submission, composer: next};
		}
		case 'confirm draft':
			return {...places, submission: {...submission, confirming: composer.held}};
		case 'take back':
			return {
				submission: {...submission, confirming: undefined},
				composer: compose(composer, {type: 'refused'}),
			};
		case 'draft confirmed':
			return submission.confirming === undefined
				? places
				: {...places, submission: {...submission, confirming: undefined}};
		case 'send draft':
			return submission.heldId === undefined ? {...places, submission: withId(submission)} : places;
		case 'queue draft':
			return {submission: departed(submission, action.segments, 'queue'), composer: released(composer)};
		case 'send prompt':
			return {...places, submission: departed({...submission, heldId: undefined}, action.segments, 'run')};
		case 'messages taken':
			return {...places, submission: {...submission, returning: [...submission.returning, ...action.messages]}};
		case 'messages returned': {
			const {messages, kept} = action;
			const isUnsettled = ({id}: QueueMessage) => messages.every(message => message.id !== id);
			return {
				submission: {...submission, returning: submission.returning.filter(isUnsettled)},
				composer: returned(
					composer,
					kept.map(({segments}) => segments),
				),
			};
		}
		case 'take refused': {
			const queuedHere = submission.queuedHere.filter(id => !action.ids.includes(id));
			return {...places, submission: {...submission, queuedHere}};
		}
		case 'receipt': {
			const sending = without(submission.sending, other => other.segments === action.segments);
			return {submission: {...submission, sending}, composer: settled(composer, action)};
		}
		case 'answer leaves':
		case 'answer refused':
			return withAnswer(places, action);
		case 'run began':
			return afterRunBegan(places);
		default:
			return action satisfies never;
	}
}

/**
Removes a message when an event shows that it is in the history. Removes all messages when the run ends, because the pod
records nothing of that run afterwards.
*/
export function recordedIn(submission: SubmissionState, event: Event): SubmissionState {
	if (submission.unrecorded.length === 0) return submission;
	const isOver = event.type === 'status' && event.status.kind !== 'running';
	const isIn = (message: Unrecorded) =>
		event.type === 'item' && (messageIdOf(event.item) === message.id || isAnswerIn(event.item, message));
	const unrecorded = without(submission.unrecorded, message => isOver || isIn(message));
	return unrecorded === submission.unrecorded ? submission : {...submission, unrecorded};
}

/** The transcript, and the part of it that the screen shows. */
export type TranscriptState = {
	/** The session's blocks and their rows. Absent until a session exists. */
	readonly store: TranscriptStore | undefined;
	/** A number that grows with every change of the transcript. */
	readonly version: number;
	/**
	Set while the screen shows only the end of a session and is loading the whole session. `since` is the start time.
	`wanted` are the scroll movements that went above the loaded part.
	*/
	readonly tail: {readonly since: number; readonly wanted: readonly ScrollTo[]} | undefined;
	readonly scroll: Scroll;
	readonly wheel: Wheel;
	/** The last request to a screen reader to read blocks again. */
	readonly readAgain: ReadAgain | undefined;
};

export type TranscriptAction =
	/** Opens a session or its end. */
	| {readonly type: 'open transcript'; readonly transcript: TranscriptStore; readonly isSessionTail?: boolean}
	/**
	The transcript has changed. `isStreaming`: the change is a delta, which may be drawn later. `isSnapshot`: the whole
	transcript is new.
	*/
	| {readonly type: 'transcript changed'; readonly isStreaming?: boolean; readonly isSnapshot?: boolean}
	| {readonly type: 'scroll'; readonly scroll: Scroll}
	| {readonly type: 'turn wheel'; readonly direction: -1 | 1}
	/** A screen reader reads blocks again. */
	| {readonly type: 'read again'; readonly from: string; readonly count: number}
	/** The user scrolls above the loaded part of a session. */
	| {readonly type: 'want scroll'; readonly to: ScrollTo}
	| {readonly type: 'forget wanted scrolls'}
	/** The whole session is loaded. */
	| {readonly type: 'session loaded'};

export const noTranscript: TranscriptState = {
	store: undefined,
	version: 0,
	tail: undefined,
	scroll: atEnd,
	wheel: stillWheel,
	readAgain: undefined,
};

export function reduceTranscript(transcript: TranscriptState, action: TranscriptAction, now: number): TranscriptState {
	const {store, version, tail, wheel, readAgain} = transcript;
	switch (action.type) {
		case 'open transcript': {
			const {transcript: opened, isSessionTail = false} = action;
			const nextTail = isSessionTail ? {since: now, wanted: []} : tail;
			return {...transcript, store: opened, tail: nextTail, version: version + 1};
		}
		case 'transcript changed':
			return {...transcript, version: version + 1};
		case 'scroll':
			return withScroll(transcript, action.scroll);
		case 'turn wheel':
			return {...transcript, wheel: turnWheel(wheel, action.direction, now)};
		case 'read again': {
			const {from, count} = action;
			const number = (readAgain?.number ?? 0) + 1;
			return {...transcript, readAgain: {number, from, count, total: store?.count() ?? 0}};
		}
		case 'want scroll':
			return tail === undefined
				? transcript
				: {...transcript, tail: {...tail, wanted: [...tail.wanted, action.to]}};
		case 'forget wanted scrolls':
			return tail === undefined ? transcript : {...transcript, tail: {...tail, wanted: []}};
		case 'session loaded':
			return {...transcript, tail: undefined};
		default:
			return action satisfies never;
	}
}

export function withScroll(transcript: TranscriptState, scroll: Scroll): TranscriptState {
	return transcript.scroll === scroll ? transcript : {...transcript, scroll};
}

type ActionOf<Type extends SubmissionAction['type']> = Extract<SubmissionAction, {readonly type: Type}>;

function withAnswer({submission, composer}: Places, action: ActionOf<'answer leaves' | 'answer refused'>): Places {
	const {type, message, draft} = action;
	const {unrecorded} = submission;
	if (type === 'answer refused') {
		return {
			submission: {...submission, unrecorded: without(unrecorded, other => other === message)},
			composer: draft.length === 0 ? composer : returned(composer, [draft]),
		};
	}
	return {
		submission: message.segments.length === 0 ? submission : {...submission, unrecorded: [...unrecorded, message]},
		composer: draft.length === 0 ? composer : compose(composer, {type: 'clear'}),
	};
}

/**
Updates the slices after a shell command has begun. The command is now in the transcript, so it leaves the composer.
*/
function afterRunBegan({submission, composer}: Places): Places {
	const {held} = composer;
	const {heldId: id = '', sending} = submission;
	const isHeld = held !== undefined && isShellDraft(held.draft);
	const isBegun = ({way, segments}: Sending) => way === 'run' && isShellMessage(segments);
	const begun = sending.filter(isBegun);
	if (!isHeld && begun.length === 0) return {submission, composer};
	const own = isHeld ? [{id, segments: toSegments(held.draft)}] : [];
	const unrecorded = [...submission.unrecorded, ...begun, ...own];
	return {
		submission: {...submission, sending: without(sending, isBegun), unrecorded},
		composer: isHeld ? released(composer) : composer,
	};
}

/** Removes the held draft from the composer. `heldId` stays, because the message keeps its id. */
function released(composer: ComposerState): ComposerState {
	return compose(composer, {type: 'accepted'});
}

/** Gives the held draft its id and increments `messageCount`, so that the next draft gets another id. */
function withId(submission: SubmissionState): SubmissionState {
	return {...submission, heldId: nextMessageId(submission), messageCount: submission.messageCount + 1};
}

/** Adds a message to `sending`, where it stays until its receipt arrives. */
function departed(submission: SubmissionState, segments: readonly Segment[], way: Sending['way']): SubmissionState {
	const {heldId: id = '', ...named} = submission.heldId === undefined ? withId(submission) : submission;
	const queuedHere = way === 'queue' ? [...named.queuedHere, id] : named.queuedHere;
	return {...named, heldId: undefined, queuedHere, sending: [...named.sending, {id, segments, way}]};
}

function settled(composer: ComposerState, {segments, held, receipt}: ActionOf<'receipt'>): ComposerState {
	const {accepted} = receipt;
	const isHeld = held !== undefined && composer.held === held;
	if (isHeld) return compose(composer, {type: accepted ? 'accepted' : 'refused'});
	return accepted ? composer : returned(composer, [segments]);
}

/**
Inserts the messages before the draft. Each insertion goes to the start of the draft, so the last message is inserted
first.
*/
function returned(composer: ComposerState, messages: ReadonlyArray<readonly Segment[]>): ComposerState {
	return messages.reduceRight((before, segments) => compose(before, {type: 'returned', segments}), composer);
}

function isShellMessage(segments: readonly Segment[]): boolean {
	return classifyDraft(segments).type === 'shell';
}

/** Returns the same array if no message is removed. */
function without<Message>(sent: readonly Message[], leaves: (message: Message) => boolean): readonly Message[] {
	return sent.some(leaves) ? sent.filter(message => !leaves(message)) : sent;
}
