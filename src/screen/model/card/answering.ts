import type {AnsweringEffect, AnsweringEvent, CardKey, EventOf, KeyEvent} from './events.ts';
import {required} from '../../../text/lines.ts';

/**
A pure state machine that decides how keys answer a card. Events carry their time, and effects are what the caller must
do. `deadlineOf` returns when the card needs a `time` event. The machine does not depend on the screen, a timer or the
source of the question.
*/
export type Answering = {
	/** The time when this terminal first drew the card. It is absent before that. */
	readonly drawnAt?: number;
	/** Whether the screen has shown the end of the detail. Until then you can only choose the refusal. */
	readonly isSeen: boolean;
	/** The index of the choice at the marker. */
	readonly marked: number;
	/** Whether the draft's text is a message from before the card, or a reason that you began after it. */
	readonly draft: 'message' | 'reason';
	/** The choice that is highlighted and takes effect when it is due. */
	readonly lit?: Lit;
	/** The choice whose rule the card shows while it waits for a second Enter. */
	readonly confirming?: Confirming;
	/** The note that explains why the last key did nothing. */
	readonly note?: Note;
	/** Whether the answer is being sent. */
	readonly isAnswered?: true;
};

/** `typed` goes to the draft if you type more. `isBlocked`: the choice has no effect, because the end was not shown. */
type Lit = {readonly choice: number; readonly typed: string; readonly due: number; readonly isBlocked?: true};

/**
`since` is the time of the last Enter. `due` is the time when the second Enter takes effect, unless the key is held
down.
*/
type Confirming = {readonly choice: number; readonly since: number; readonly due?: number};

/** The reasons why a key did not answer. After `typed_…` it is in the draft. Their sentences are in `notes.ts`. */
export type Note =
	| 'unseen'
	| 'early'
	| 'together'
	| 'held'
	| 'too_long'
	| 'typed_early'
	| 'typed_together'
	| 'typed_held';

export type AnsweringChoice = {
	readonly choice: string;
	/** Whether this choice denies the request. */
	readonly isRefusal: boolean;
	/** Whether this choice sends the draft as a reason. */
	readonly takesReason: boolean;
	/** Whether this choice writes a rule and needs a second confirmation. */
	readonly writesRule: boolean;
};

/** The machine gets these facts with each event. `choices` is not empty, and `refusal` is an index in it. */
export type AnsweringFacts = {
	readonly choices: readonly AnsweringChoice[];
	readonly refusal: number;
	readonly isDraftEmpty: boolean;
	/** Whether the draft is longer than a reason may be. */
	readonly isDraftTooLong: boolean;
};

type AnsweringStep = {readonly state: Answering; readonly effects: readonly AnsweringEffect[]};

/**
The number of milliseconds after the card was drawn in which no key answers. A digit waits equally long, because it may
still turn out to be text.
*/
export const answerDelay = 400;

/**
The number of milliseconds after a part of a sequence in which no choice takes effect. inkpod waits less than this for
the rest of a sequence.
*/
const partDelay = 600;

/** Nobody presses Enter this many milliseconds after a digit. A paste that arrives in two reads does. */
const handGap = 40;

/** The number of milliseconds within which a held Enter repeats. */
export const repeatGap = 150;

export function newAnswering({refusal, isDraftEmpty}: Pick<AnsweringFacts, 'refusal' | 'isDraftEmpty'>): Answering {
	return {isSeen: false, marked: refusal, draft: isDraftEmpty ? 'reason' : 'message'};
}

/** Returns the time when the card needs a `time` event. */
export function deadlineOf({lit, confirming}: Answering): number | undefined {
	return lit?.due ?? confirming?.due;
}

export function stepAnswering<Type extends AnsweringEvent['type']>(
	state: Answering,
	event: EventOf<Type>,
	facts: AnsweringFacts,
): AnsweringStep {
	const type: Type = event.type;
	return steps[type](state, event, facts);
}

type Handler<Event> = (state: Answering, event: Event, facts: AnsweringFacts) => AnsweringStep;

const steps: {readonly [Type in AnsweringEvent['type']]: Handler<EventOf<Type>>} = {
	key: (state, event, facts) => keys[event.key.kind](state, event, facts),
	paste: state => toDraft(state),
	hidden: ({drawnAt: _drawnAt, ...state}) => quiet(withoutLit(state)),
	seen: state => quiet(state.note === 'unseen' ? {...withoutNote(state), isSeen: true} : {...state, isSeen: true}),
	refused: ({isAnswered: _isAnswered, ...state}) => quiet(state),
	draft(state, {isSetByProgram}, {isDraftEmpty}) {
		if (isDraftEmpty) return quiet({...state, draft: 'reason'});
		return isSetByProgram ? {state: {...withoutLit(state), draft: 'message'}, effects: typed(state)} : quiet(state);
	},
	late: state => quiet(state.lit?.typed === '' ? withoutLit(state) : state),
	part(state, {at}) {
		const {lit} = state;
		return quiet(lit === undefined ? state : {...state, lit: {...lit, due: Math.max(lit.due, at + partDelay)}});
	},
	drawn: (state, {at}) => quiet(state.drawnAt === undefined ? {...state, drawnAt: at} : state),
	time(state, {at}, facts) {
		const {lit, confirming} = state;
		if (lit !== undefined && at >= lit.due) return takeLit(state, lit, at, facts);
		if (confirming?.due !== undefined && at >= confirming.due) return answer(state, confirming.choice, facts);
		return quiet(state);
	},
};

const keys: {readonly [Kind in CardKey['kind']]: Handler<KeyEvent>} = {
	digit(state, event, facts) {
		const choice = event.key.kind === 'digit' ? event.key.digit - 1 : -1;
		const isFree = state.lit === undefined && state.isAnswered !== true && facts.isDraftEmpty;
		if (!isFree || facts.choices[choice] === undefined) return toDraft(state);
		const note = doubtOf(state, event);
		if (note !== undefined) return toDraft(state, `typed_${note}`);
		const text = event.key.kind === 'digit' ? event.key.text : '';
		return light(state, {choice, typed: text, due: event.at + answerDelay}, facts);
	},
	text: state => toDraft(state),
	edit: state => ({state: rested(state), effects: [{type: 'edit'}]}),
	other: state => ({state: rested(state), effects: [{type: 'pass'}]}),
	previous: (state, _event, facts) => moveMarker(state, -1, facts),
	next: (state, _event, facts) => moveMarker(state, 1, facts),
	enter: pressEnter,
	escape: pressEscape,
};

/**
Handles Enter, which sends a message, whatever the card shows. Without a message it takes the highlighted choice, the
reason, the rule, or the choice at the marker.
*/
function pressEnter(state: Answering, event: KeyEvent, facts: AnsweringFacts): AnsweringStep {
	const {lit, confirming} = state;
	const isMessage = !facts.isDraftEmpty && (state.draft === 'message' || state.isAnswered === true);
	if (isMessage) return {state, effects: [{type: 'submit'}]};
	if (state.isAnswered === true) return quiet(state);
	const note = doubtOf(state, event) ?? (isPasted(lit, event) ? 'together' : undefined);
	if (note !== undefined) return {state: {...withoutLit(sincePressed(state, event.at)), note}, effects: typed(state)};
	if (lit !== undefined) return takeLit(state, lit, event.at, facts);
	if (facts.isDraftTooLong) return quiet({...state, note: 'too_long'});
	if (!facts.isDraftEmpty) return answer(state, facts.refusal, facts);
	if (confirming === undefined) return take(state, state.marked, event.at, facts);
	if (event.at - confirming.since < answerDelay) return quiet({...sincePressed(state, event.at), note: 'held'});
	if (!state.isSeen) return quiet({...sincePressed(state, event.at), note: 'unseen'});
	return quiet({...rested(state), confirming: {...confirming, since: event.at, due: event.at + repeatGap}});
}

/** Handles Esc, which denies. A lone ESC may begin a sequence, so it denies only when nothing follows it. */
function pressEscape(state: Answering, event: KeyEvent, facts: AnsweringFacts): AnsweringStep {
	const {lit} = state;
	if (state.isAnswered === true) return quiet(state);
	if (lit?.typed === '' && event.isHeld) return quiet(state);
	const note = doubtOf(state, event);
	if (note !== undefined) return {state: {...withoutLit(state), note}, effects: typed(state)};
	if (state.confirming !== undefined) return quiet({...rested(state), isSeen: true});
	if (event.bare) return light(state, {choice: facts.refusal, typed: '', due: event.at + answerDelay}, facts);
	return answer(state, facts.refusal, facts, false);
}

function isPasted(lit: Lit | undefined, {at}: KeyEvent): boolean {
	return lit !== undefined && lit.typed !== '' && at - (lit.due - answerDelay) < handGap;
}

/** Returns the reason why this key cannot be an answer. */
function doubtOf({drawnAt}: Answering, {at, alone, isHeld}: KeyEvent): 'early' | 'together' | 'held' | undefined {
	if (!alone) return 'together';
	if (isHeld) return 'held';
	return drawnAt === undefined || at - drawnAt < answerDelay ? 'early' : undefined;
}

function light(state: Answering, lit: Lit, facts: AnsweringFacts): AnsweringStep {
	const isOpen = state.isSeen || choiceAt(facts, lit.choice).isRefusal;
	return quiet(isOpen ? {...rested(state), lit} : {...rested(state), lit: {...lit, isBlocked: true}, note: 'unseen'});
}

/** Takes the highlighted choice. A choice that was highlighted before the end was shown only leaves a note. */
function takeLit(state: Answering, {choice, isBlocked}: Lit, at: number, facts: AnsweringFacts): AnsweringStep {
	return isBlocked === true
		? quiet({...withoutLit(state), note: 'unseen'})
		: take(withoutLit(state), choice, at, facts);
}

/** Handles a choice: shows the rule that the choice would write, or answers the question. */
function take(state: Answering, index: number, at: number, facts: AnsweringFacts): AnsweringStep {
	const {isRefusal, writesRule} = choiceAt(facts, index);
	if (!state.isSeen && !isRefusal) return quiet({...state, note: 'unseen'});
	if (!writesRule) return answer(state, index, facts);
	return quiet({...rested(state), isSeen: false, confirming: {choice: index, since: at}});
}

function answer(state: Answering, index: number, facts: AnsweringFacts, mayReason = true): AnsweringStep {
	const {choice, takesReason} = choiceAt(facts, index);
	const withReason = mayReason && takesReason && !facts.isDraftEmpty;
	return {state: {...rested(state), isAnswered: true}, effects: [{type: 'answer', choice, withReason}]};
}

function choiceAt({choices}: AnsweringFacts, index: number): AnsweringChoice {
	return required(choices[index], 'choice');
}

function moveMarker(state: Answering, by: -1 | 1, {choices, isDraftEmpty}: AnsweringFacts): AnsweringStep {
	if (!isDraftEmpty) return {state: rested(state), effects: [{type: 'edit'}]};
	return quiet({...rested(state), marked: Math.max(0, Math.min(state.marked + by, choices.length - 1))});
}

/** Sends the key to the draft, after the highlighted digit. */
function toDraft(state: Answering, note?: Note): AnsweringStep {
	return {state: {...rested(state), ...(note !== undefined && {note})}, effects: [...typed(state), {type: 'edit'}]};
}

function typed({lit}: Answering): readonly AnsweringEffect[] {
	return lit === undefined || lit.typed === '' ? [] : [{type: 'type', text: lit.typed}];
}

/** Returns the state without highlight, confirmation and note. A card that showed a rule has been read to its end. */
function rested({lit: _lit, confirming, note: _note, ...state}: Answering): Answering {
	return confirming === undefined ? state : {...state, isSeen: true};
}

function withoutNote({note: _note, ...state}: Answering): Answering {
	return state;
}

function withoutLit({lit: _lit, ...state}: Answering): Answering {
	return state;
}

/** Restarts the wait for a second confirmation after an Enter that did not count. */
function sincePressed({confirming, ...state}: Answering, at: number): Answering {
	return confirming === undefined ? state : {...state, confirming: {choice: confirming.choice, since: at}};
}

function quiet(state: Answering): AnsweringStep {
	return {state, effects: []};
}
