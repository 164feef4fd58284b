import type {AnsweringEffect, AnsweringEvent, CardKey, EventOf, KeyEvent} from './events.ts';
import {required} from '../../text/checks/required.ts';

/**
How a card is answered: a pure state machine. Events carry their time, effects say what to do, and `deadlineOf` says
when the card wants a `time` event. Nothing here knows the screen, a timer or where the question came from.
*/
export type Answering = {
	/** When this terminal first drew the card. Absent: it was not on the screen yet. */
	readonly drawnAt?: number;
	/** Whether the end of the detail was on the screen. Before that only a refusal can be chosen. */
	readonly isSeen: boolean;
	/** The choice at the marker. */
	readonly marked: number;
	/** What text in the draft is: a message from before the card, or a reason that was begun after it. */
	readonly draft: 'message' | 'reason';
	/** A choice that lights up and takes effect when it is due. */
	readonly lit?: Lit;
	/** A choice whose rule is shown and waits for the second Enter. */
	readonly confirming?: Confirming;
	/** Why the last key did nothing. */
	readonly note?: Note;
	/** The answer is on its way. */
	readonly isAnswered?: true;
};

/** `typed`: what goes to the draft if more is typed. `isBlocked`: nothing comes of it, since the end was not seen. */
export type Lit = {readonly choice: number; readonly typed: string; readonly due: number; readonly isBlocked?: true};

/** `since`: the last Enter. `due`: the second Enter came, and takes effect then unless the key is held down. */
export type Confirming = {readonly choice: number; readonly since: number; readonly due?: number};

/** Why a key did nothing. The sentence of each is in `notes.ts`. */
export type Note = 'unseen' | 'early' | 'together' | 'held' | 'too_long';

export type AnsweringChoice = {
	readonly choice: string;
	/** It lets nothing happen. */
	readonly isRefusal: boolean;
	/** It takes a reason along. */
	readonly takesReason: boolean;
	/** It writes a rule, and needs a second confirmation. */
	readonly writesRule: boolean;
};

/**
What the machine knows of the world at each event. `choices` has at least one, and `refusal` is one of them.
*/
export type AnsweringFacts = {
	readonly choices: readonly AnsweringChoice[];
	readonly refusal: number;
	readonly isDraftEmpty: boolean;
	/** The draft is longer than a reason may be. */
	readonly isDraftTooLong: boolean;
};

export type AnsweringStep = {readonly state: Answering; readonly effects: readonly AnsweringEffect[]};

/** Milliseconds after the card was drawn in which nothing answers, and in which a digit can turn out to be text. */
export const answerDelay = 400;

/** Milliseconds after a part of a sequence in which nothing takes effect: longer than its rest is waited for. */
const partDelay = 600;

/** Milliseconds in which an Enter that was held down comes again. */
export const repeatGap = 150;

export function newAnswering({refusal, isDraftEmpty}: Pick<AnsweringFacts, 'refusal' | 'isDraftEmpty'>): Answering {
	return {isSeen: false, marked: refusal, draft: isDraftEmpty ? 'reason' : 'message'};
}

/** When the card wants a `time` event. */
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
	seen: state => quiet({...state, isSeen: true}),
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
		if (note !== undefined) return toDraft(state, note);
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
Enter sends a message whatever the card does. Else it takes what is lit, the reason, the rule, or the choice at the
marker.
*/
function pressEnter(state: Answering, event: KeyEvent, facts: AnsweringFacts): AnsweringStep {
	const {lit, confirming} = state;
	const isMessage = !facts.isDraftEmpty && (state.draft === 'message' || state.isAnswered === true);
	if (isMessage) return {state, effects: [{type: 'submit'}]};
	if (state.isAnswered === true) return quiet(state);
	const note = doubtOf(state, event);
	if (note !== undefined) return {state: {...withoutLit(sincePressed(state, event.at)), note}, effects: typed(state)};
	if (lit !== undefined) return takeLit(state, lit, event.at, facts);
	if (facts.isDraftTooLong) return quiet({...state, note: 'too_long'});
	if (!facts.isDraftEmpty) return answer(state, facts.refusal, facts);
	if (confirming === undefined) return take(state, state.marked, event.at, facts);
	if (event.at - confirming.since < answerDelay) return quiet({...sincePressed(state, event.at), note: 'held'});
	if (!state.isSeen) return quiet({...sincePressed(state, event.at), note: 'unseen'});
	return quiet({...rested(state), confirming: {...confirming, since: event.at, due: event.at + repeatGap}});
}

/** Esc refuses; a lone ESC that may be the beginning of a sequence only when nothing follows it. */
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

/** Why a key cannot be an answer, whatever it is. */
function doubtOf({drawnAt}: Answering, {at, alone, isHeld}: KeyEvent): Note | undefined {
	if (!alone) return 'together';
	if (isHeld) return 'held';
	return drawnAt === undefined || at - drawnAt < answerDelay ? 'early' : undefined;
}

function light(state: Answering, lit: Lit, facts: AnsweringFacts): AnsweringStep {
	const isOpen = state.isSeen || choiceAt(facts, lit.choice).isRefusal;
	return quiet(isOpen ? {...rested(state), lit} : {...rested(state), lit: {...lit, isBlocked: true}, note: 'unseen'});
}

/** What was lit before the end was shown says so, and nothing comes of it. */
function takeLit(state: Answering, {choice, isBlocked}: Lit, at: number, facts: AnsweringFacts): AnsweringStep {
	return isBlocked === true
		? quiet({...withoutLit(state), note: 'unseen'})
		: take(withoutLit(state), choice, at, facts);
}

/** Takes a choice: shows the rule that it writes, or answers. */
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

/** The key goes to the draft, after the digit that was lit. */
function toDraft(state: Answering, note?: Note): AnsweringStep {
	return {state: {...rested(state), ...(note !== undefined && {note})}, effects: [...typed(state), {type: 'edit'}]};
}

function typed({lit}: Answering): readonly AnsweringEffect[] {
	return lit === undefined || lit.typed === '' ? [] : [{type: 'type', text: lit.typed}];
}

/** Neither lit nor confirming, and nothing said. What was shown before a rule was shown has been seen. */
function rested({lit: _lit, confirming, note: _note, ...state}: Answering): Answering {
	return confirming === undefined ? state : {...state, isSeen: true};
}

function withoutLit({lit: _lit, ...state}: Answering): Answering {
	return state;
}

/** An Enter that did not count: the second confirmation waits from here on. */
function sincePressed({confirming, ...state}: Answering, at: number): Answering {
	return confirming === undefined ? state : {...state, confirming: {choice: confirming.choice, since: at}};
}

function quiet(state: Answering): AnsweringStep {
	return {state, effects: []};
}
