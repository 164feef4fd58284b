import {messageIdOf, type Event, type QueueMessage, type Segment} from '../../pod/protocol.ts';
import {classifyDraft} from './commands/classify-draft.ts';
import {isShellDraft} from '../editor/draft.ts';
import {compose, submit, type ComposerState} from './composer/composer-state.ts';
import type {Editor} from '../editor/editor.ts';
import {toSegments} from '../editor/segments.ts';
import type {Sending, Unrecorded} from './queue.ts';
import {isAnswerIn} from './drafts/answer-message.ts';
import {nextMessageId, type AppState} from './app-state.ts';
import type {Reducers} from './reducers.ts';

type SubmitAction =
	| 'submit'
	| 'confirm draft'
	| 'take back'
	| 'draft confirmed'
	| 'send draft'
	| 'queue draft'
	| 'steer draft'
	| 'send prompt'
	| 'messages taken'
	| 'messages returned'
	| 'take refused'
	| 'run began'
	| 'answer leaves'
	| 'answer refused'
	| 'receipt';

/** The reducers that move a message through the stages of its submission. `submit.ts` explains the stages. */
export const submitReducers: Reducers<SubmitAction> = {
	submit(state) {
		const composer = submit(state.composer).state;
		const isHeld = composer.held !== undefined && composer.held !== state.composer.held;
		return isHeld ? {...withId(state), composer} : {...state, composer};
	},
	'confirm draft': state => ({...state, confirming: state.composer.held}),
	'take back': state => ({...state, confirming: undefined, composer: compose(state.composer, {type: 'refused'})}),
	'draft confirmed': state => (state.confirming === undefined ? state : {...state, confirming: undefined}),
	'send draft': state => (state.heldId === undefined ? withId(state) : state),
	'queue draft': (state, {segments}) => departed(released(state), segments, 'queue'),
	'steer draft': (state, {segments}) => departed(released(state), segments, 'queue'),
	'send prompt': (state, {segments}) => departed({...state, heldId: undefined}, segments, 'run'),
	'messages taken': (state, {messages}) => ({...state, returning: [...state.returning, ...messages]}),
	'messages returned'(state, {messages, kept}) {
		const isUnsettled = ({id}: QueueMessage) => messages.every(message => message.id !== id);
		const returning = state.returning.filter(isUnsettled);
		return {...state, returning, composer: returned(state.composer, kept.map(segmentsOf))};
	},
	'take refused': (state, {ids}) => ({...state, queuedHere: state.queuedHere.filter(id => !ids.includes(id))}),
	'run began'(state) {
		const {
			composer: {held},
			heldId: id = '',
		} = state;
		const isHeld = held !== undefined && isShellDraft(held.draft);
		const isBegun = ({way, segments}: Sending) => way === 'run' && isShellMessage(segments);
		const begun = state.sending.filter(isBegun);
		if (!isHeld && begun.length === 0) return state;
		const unrecorded = [...state.unrecorded, ...begun, ...(isHeld ? [{id, segments: toSegments(held.draft)}] : [])];
		return {...(isHeld ? released(state) : state), sending: without(state.sending, isBegun), unrecorded};
	},
	'answer leaves': (state, {message, draft}) => ({
		...state,
		unrecorded: message.segments.length === 0 ? state.unrecorded : [...state.unrecorded, message],
		composer: draft.length === 0 ? state.composer : compose(state.composer, {type: 'clear'}),
	}),
	'answer refused': (state, {message, draft}) => ({
		...state,
		unrecorded: without(state.unrecorded, other => other === message),
		composer: draft.length === 0 ? state.composer : returned(state.composer, [draft]),
	}),
	receipt(state, {segments, held, receipt}) {
		const sending = without(state.sending, other => other.segments === segments);
		return {...state, sending, composer: settled(state.composer, segments, held, receipt.accepted)};
	},
};

/** Removes the messages that an event brings or settles. At the end of a run nothing is left of it to record. */
export function recordedIn(state: AppState, event: Event): AppState {
	if (state.unrecorded.length === 0) return state;
	const isOver = event.type === 'status' && event.status.kind !== 'running';
	const isIn = (message: Unrecorded) =>
		event.type === 'item' && (messageIdOf(event.item) === message.id || isAnswerIn(event.item, message));
	const unrecorded = without(state.unrecorded, message => isOver || isIn(message));
	return unrecorded === state.unrecorded ? state : {...state, unrecorded};
}

/** Removes the held draft from the composer. Its id stays for the message's next place. */
function released(state: AppState): AppState {
	return {...state, composer: compose(state.composer, {type: 'accepted'})};
}

/** Gives the held draft its id. The next draft gets another one. */
function withId(state: AppState): AppState {
	return {...state, heldId: nextMessageId(state), messageCount: state.messageCount + 1};
}

/** Adds a message that is on its way until its receipt. */
function departed(state: AppState, segments: readonly Segment[], way: Sending['way']): AppState {
	const {heldId: id = '', ...named} = state.heldId === undefined ? withId(state) : state;
	const queuedHere = way === 'queue' ? [...named.queuedHere, id] : named.queuedHere;
	return {...named, heldId: undefined, queuedHere, sending: [...named.sending, {id, segments, way}]};
}

function settled(
	composer: ComposerState,
	segments: readonly Segment[],
	held: Editor | undefined,
	isAccepted: boolean,
): ComposerState {
	const isHeld = held !== undefined && composer.held === held;
	if (isHeld) return compose(composer, {type: isAccepted ? 'accepted' : 'refused'});
	return isAccepted ? composer : returned(composer, [segments]);
}

/** Each message goes before the draft, so the last one is inserted first. */
function returned(composer: ComposerState, messages: ReadonlyArray<readonly Segment[]>): ComposerState {
	return messages.reduceRight((before, segments) => compose(before, {type: 'returned', segments}), composer);
}

function segmentsOf({segments}: QueueMessage): readonly Segment[] {
	return segments;
}

function isShellMessage(segments: readonly Segment[]): boolean {
	return classifyDraft(segments).type === 'shell';
}

/** Returns the same value when no message is removed. */
function without<Message>(sent: readonly Message[], leaves: (message: Message) => boolean): readonly Message[] {
	return sent.some(leaves) ? sent.filter(message => !leaves(message)) : sent;
}
