import type {Segment} from '../../../pod/protocol.ts';
import {meaningOf} from '../../commands/meaning.ts';
import {isShellDraft} from '../../composer/editor/draft.ts';
import {compose, submit, type ComposerState} from '../../composer/composer-state.ts';
import type {Editor} from '../../composer/editor/editor.ts';
import {emptyQueue, withdraw, type Queue, type Sending, type Way} from '../../queue/queue.ts';
import type {AppState} from '../app-state.ts';
import type {Reducers} from '../tables.ts';

export type SubmitAction =
	| 'submit'
	| 'confirm draft'
	| 'take back'
	| 'draft confirmed'
	| 'send draft'
	| 'queue draft'
	| 'steer draft'
	| 'send prompt'
	| 'send queued'
	| 'steer queued'
	| 'edit queued'
	| 'return queue'
	| 'run began'
	| 'receipt'
	| 'steer refused'
	| 'return undelivered';

/** These reducers move a message through the stages of its submission. `submit.ts` explains the stages. */
export const submitReducers: Reducers<SubmitAction> = {
	submit: state => ({...state, composer: submit(state.composer).state}),
	'confirm draft': state => ({...state, confirming: state.composer.held}),
	'take back': state => ({...state, confirming: undefined, composer: compose(state.composer, {type: 'refused'})}),
	'draft confirmed': state => (state.confirming === undefined ? state : {...state, confirming: undefined}),
	'send draft': state => state,
	'queue draft': (state, {segments}) => ({...released(state), queue: [...state.queue, segments]}),
	'steer draft': (state, {segments}) => departed(released(state), segments, 'steer'),
	'send prompt': (state, {segments}) => departed(state, segments, 'send'),
	'send queued': state => shifted(state, 'send'),
	'steer queued': state => shifted(state, 'steer'),
	'edit queued'(state) {
		const taken = withdraw(state.queue);
		if (taken === undefined) return state;
		return {...state, queue: taken.queue, composer: returned(state.composer, [taken.segments])};
	},
	'return queue'(state) {
		if (state.queue.length === 0) return state;
		return {...state, composer: returned(state.composer, state.queue), queue: emptyQueue};
	},
	'run began'(state, {committed}) {
		const isShell = state.composer.held !== undefined && isShellDraft(state.composer.held.draft);
		const sending = without(state.sending, ({segments}) => meaningOf(segments).type === 'shell');
		return {...(isShell ? released(state) : state), sending, committedBefore: committed};
	},
	receipt(state, {segments, held, receipt}) {
		const sending = without(state.sending, other => other.segments === segments);
		return {...state, sending, composer: settled(state.composer, segments, held, receipt.accepted)};
	},
	'steer refused': (state, {segments}) => ({...state, undelivered: [...state.undelivered, segments]}),
	'return undelivered'(state) {
		const {undelivered} = state;
		const sending = without(state.sending, ({segments}) => undelivered.includes(segments));
		return {...state, sending, undelivered: emptyQueue, composer: returned(state.composer, undelivered)};
	},
};

/** Removes the held draft from the composer. */
function released(state: AppState): AppState {
	return {...state, composer: compose(state.composer, {type: 'accepted'})};
}

/** Adds a message that is on its way until its receipt. */
function departed(state: AppState, segments: readonly Segment[], way: Way): AppState {
	return {...state, sending: [...state.sending, {segments, way}]};
}

/** Sends the next queued message on its way. */
function shifted(state: AppState, way: Way): AppState {
	const [first, ...queue] = state.queue;
	return first === undefined ? state : departed({...state, queue}, first, way);
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
function returned(composer: ComposerState, messages: Queue): ComposerState {
	return messages.reduceRight((before, segments) => compose(before, {type: 'returned', segments}), composer);
}

/** Returns the same value when no message is removed. */
function without(sending: readonly Sending[], leaves: (message: Sending) => boolean): readonly Sending[] {
	return sending.some(leaves) ? sending.filter(message => !leaves(message)) : sending;
}
