import type {AnsweringEffect, AnsweringEvent, CardKey, EventOf, KeyEvent} from './events.ts';
import {required} from '../../../text/lines.ts';

/**
The state of a pure state machine that decides how keys answer a card. Events contain their time. Each step returns the
effects that the caller must carry out. `deadlineOf` returns when the machine needs a `time` event. The machine does not
depend on the screen, a timer or the source of the question.
*/
export type Answering = {
	/** The time when this terminal first drew the card. It is absent before that. */
	readonly drawnAt?: number;
	/**
	Whether the screen has shown the end of the detail. Until then, only the choices with `isUnread` can be taken.
	*/
	readonly isSeen: boolean;
	/** The index of the marked choice. The index after the last choice is that of the row for more choices. */
	readonly marked: number;
	/** Whether the card shows all choices. */
	readonly isMore?: true;
	/**
	Tells what the draft is. `message`: the user began the draft before the card appeared. `reason`: the user began the
	draft afterwards, as a reason to deny.
	*/
	readonly draft: 'message' | 'reason';
	/** The choice that is highlighted and takes effect at its `due` time. */
	readonly lit?: Lit;
	/** The choice whose rule the card shows while it waits for a second Enter. */
	readonly confirming?: Confirming;
	/** The note that explains why the last key did nothing. */
	readonly note?: Note;
	/** Whether the answer is being sent. */
	readonly isAnswered?: true;
	/** The time when Esc denied this call, or the call of the previous card. */
	readonly escapedAt?: number | undefined;
};

/**
`typed` is the digit, which goes to the draft if you type more. `isBlocked`: the choice has no effect, because the
screen has not shown the end of the detail. `isVoid`: the choice has no effect, because the digit came before the card
was drawn. `stops`: a second Esc stops the turn. Before that, it denies the call unless the first Esc did so.
*/
type Lit = {
	readonly choice: number;
	readonly typed: string;
	readonly due: number;
	readonly isBlocked?: true;
	readonly isVoid?: true;
	readonly stops?: 'only' | 'after denial';
};

/**
`since` is the time of the last Enter. `due` is the time when the second Enter takes effect, unless you hold the key
down.
*/
type Confirming = {readonly choice: number; readonly since: number; readonly due?: number};

/**
The reasons why a key did not answer the card. `typed_…` means that the key is in the draft. `noteTexts` has a sentence
for each reason.
*/
export type Note = 'unseen' | 'early' | 'together' | 'held' | 'too_long' | 'digit' | 'typed_together' | 'typed_held';

export type AnsweringChoice = {
	readonly choice: string;
	/** Whether you may take this choice before the screen has shown the end of the detail. */
	readonly isUnread: boolean;
	/** Whether this choice sends the draft as a reason. */
	readonly takesReason: boolean;
	/** Whether this choice writes a rule and needs a second confirmation. */
	readonly writesRule: boolean;
};

/**
The facts that the caller passes with each event. `choices` are the shown choices, at least one. `refusal` is the index
of the choice that denies. `hasMore`: there are choices that are not shown.
*/
export type AnsweringFacts = {
	readonly choices: readonly AnsweringChoice[];
	readonly hasMore: boolean;
	readonly refusal: number;
	readonly isDraftEmpty: boolean;
	/** Whether the draft is longer than a reason may be. */
	readonly isDraftTooLong: boolean;
	/** Whether the draft contains only digits. These are neither a message nor a reason. */
	readonly hasOnlyDigits: boolean;
	/** Whether a second Esc stops the turn. */
	readonly mayStop: boolean;
};

type AnsweringStep = {readonly state: Answering; readonly effects: readonly AnsweringEffect[]};

/**
No choice takes effect during this number of milliseconds after the card was drawn. A digit takes effect this number of
milliseconds after you pressed it, because it may be the beginning of a text.
*/
export const answerDelay = 400;

/**
No choice takes effect during this number of milliseconds after the first bytes of an escape sequence arrived. inkpod
waits less than this for the rest of the sequence.
*/
const partDelay = 600;

/**
An Enter within this number of milliseconds after a digit comes from a paste that arrived in two reads, because nobody
types so fast.
*/
const handGap = 40;

/** A key that is held down repeats within this number of milliseconds. */
export const repeatGap = 150;

/** A second Esc within this number of milliseconds after a denial by Esc stops the turn. */
const stopWindow = 1000;

/** Returns the state of a new card. `escapedAt` is the time when Esc denied the call of the previous card. */
export function newAnswering(
	{refusal, isDraftEmpty}: Pick<AnsweringFacts, 'refusal' | 'isDraftEmpty'>,
	escapedAt?: number,
): Answering {
	return {
		isSeen: false,
		marked: refusal,
		draft: isDraftEmpty ? 'reason' : 'message',
		...(escapedAt !== undefined && {escapedAt}),
	};
}

/** Returns the time when the machine needs a `time` event, or `undefined` if it needs none. */
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
		const note = formDoubtOf(event);
		if (note !== undefined) return toDraft(state, `typed_${note}`);
		const lit = {choice, typed: event.key.kind === 'digit' ? event.key.text : '', due: event.at + answerDelay};
		return state.drawnAt === undefined
			? quiet({...rested(state), lit: {...lit, isVoid: true}})
			: light(state, lit, facts);
	},
	text: state => toDraft(state),
	edit: state => ({state: rested(state), effects: [{type: 'edit'}]}),
	other: state => ({state: rested(state), effects: [{type: 'pass'}]}),
	previous: (state, _event, facts) => moveMarker(state, -1, facts),
	next: (state, _event, facts) => moveMarker(state, 1, facts),
	more: (state, _event, facts) =>
		facts.isDraftEmpty && facts.hasMore ? showMore(state, facts) : moveMarker(state, 1, facts),
	less: (state, _event, facts) =>
		facts.isDraftEmpty && state.isMore ? showLess(state, facts) : moveMarker(state, -1, facts),
	enter: pressEnter,
	escape: pressEscape,
};

/**
Handles Enter. If the draft is a message, Enter sends it. Otherwise Enter takes the highlighted choice, sends the
reason, confirms the rule, or takes the choice at the marker. A highlighted choice of a new card takes effect later.
*/
function pressEnter(state: Answering, event: KeyEvent, facts: AnsweringFacts): AnsweringStep {
	const {lit, confirming} = state;
	if (facts.hasOnlyDigits) return quiet(state.isAnswered === true ? state : {...state, note: 'digit'});
	const isMessage = !facts.isDraftEmpty && (state.draft === 'message' || state.isAnswered === true);
	if (isMessage) return {state, effects: [{type: 'submit'}]};
	if (state.isAnswered === true) return quiet(state);
	const doubt = formDoubtOf(event) ?? (isPasted(lit, event) ? 'together' : undefined);
	const isEarly = doubt === undefined && doubtOf(state, event) === 'early';
	if (isEarly && lit !== undefined && lit.typed !== '') return quiet(state);
	const note = isEarly ? 'early' : doubt;
	if (note !== undefined) return {state: {...withoutLit(sincePressed(state, event.at)), note}, effects: typed(state)};
	if (lit !== undefined) return takeLit(state, lit, event.at, facts);
	if (facts.isDraftTooLong) return quiet({...state, note: 'too_long'});
	if (!facts.isDraftEmpty) return answer(state, facts.refusal, facts);
	if (confirming === undefined) return take(state, state.marked, event.at, facts);
	if (event.at - confirming.since < answerDelay) return quiet({...sincePressed(state, event.at), note: 'held'});
	if (!state.isSeen) return quiet({...sincePressed(state, event.at), note: 'unseen'});
	return quiet({...rested(state), confirming: {...confirming, since: event.at, due: event.at + repeatGap}});
}

/**
Handles Esc, which denies, or returns from a rule to the question. A second Esc stops the turn. A lone ESC byte may
begin an escape sequence, so it takes effect only after a delay.
*/
function pressEscape(state: Answering, event: KeyEvent, facts: AnsweringFacts): AnsweringStep {
	const {lit, escapedAt} = state;
	const isAgain = lit?.typed === '' || (escapedAt !== undefined && event.at - escapedAt <= stopWindow);
	if (isAgain && facts.mayStop && event.alone) return pressEscapeAgain(state, event, facts);
	if (state.isAnswered === true) return quiet(state);
	if (lit?.typed === '' && event.isHeld) return quiet(state);
	const note = doubtOf(state, event);
	if (note !== undefined) return {state: {...withoutLit(state), note}, effects: typed(state)};
	if (state.confirming !== undefined) return quiet({...rested(state), isSeen: true});
	if (event.bare) return light(state, {choice: facts.refusal, typed: '', due: event.at + answerDelay}, facts);
	return takeEscape(state, {choice: facts.refusal, typed: '', due: event.at}, event.at, facts);
}

function pressEscapeAgain(state: Answering, event: KeyEvent, facts: AnsweringFacts): AnsweringStep {
	const stops = state.lit?.stops ?? (state.lit?.typed === '' ? 'after denial' : 'only');
	const lit = {choice: facts.refusal, typed: '', due: event.at + answerDelay, stops} as const;
	const isWhole = !event.bare || state.isAnswered === true;
	return isWhole ? takeLit(state, lit, event.at, facts) : quiet({...rested(state), lit});
}

function isPasted(lit: Lit | undefined, {at}: KeyEvent): boolean {
	return lit !== undefined && lit.typed !== '' && at - (lit.due - answerDelay) < handGap;
}

/** Returns the reason why this key cannot be an answer now. */
function doubtOf({drawnAt}: Answering, event: KeyEvent): 'early' | 'together' | 'held' | undefined {
	const isEarly = drawnAt === undefined || event.at - drawnAt < answerDelay;
	return formDoubtOf(event) ?? (isEarly ? 'early' : undefined);
}

/** Returns the reason why a key that arrived in this form is never an answer. */
function formDoubtOf({alone, isHeld}: KeyEvent): 'together' | 'held' | undefined {
	if (!alone) return 'together';
	return isHeld ? 'held' : undefined;
}

function light(state: Answering, lit: Lit, facts: AnsweringFacts): AnsweringStep {
	const isOpen = state.isSeen || choiceAt(facts, lit.choice).isUnread;
	return quiet(isOpen ? {...rested(state), lit} : {...rested(state), lit: {...lit, isBlocked: true}, note: 'unseen'});
}

/**
Takes the highlighted choice. If the choice was highlighted before the screen had shown the end of the detail, the card
only shows a note. A digit that was pressed before the card was drawn is dropped.
*/
function takeLit(state: Answering, lit: Lit, at: number, facts: AnsweringFacts): AnsweringStep {
	const left = withoutLit(state);
	if (lit.isVoid === true) return quiet(left);
	if (lit.isBlocked === true) return quiet({...left, note: 'unseen'});
	return lit.typed === '' ? takeEscape(left, lit, at, facts) : take(left, lit.choice, at, facts);
}

/** Denies, stops the turn, or both. The draft stays. After the turn was stopped, another Esc does not stop it again. */
function takeEscape(state: Answering, {choice, stops}: Lit, at: number, facts: AnsweringFacts): AnsweringStep {
	const {escapedAt: _, ...left} = state;
	if (stops === 'only') return {state: left, effects: [{type: 'stop'}]};
	const denied = answer(left, choice, facts, false);
	return stops === undefined
		? {...denied, state: {...denied.state, escapedAt: at}}
		: {...denied, effects: [...denied.effects, {type: 'stop'}]};
}

/** Handles a choice: shows the rule that the choice would write, or answers the question. */
function take(state: Answering, index: number, at: number, facts: AnsweringFacts): AnsweringStep {
	if (index === facts.choices.length) return showMore(state, facts);
	const {isUnread, writesRule} = choiceAt(facts, index);
	if (!state.isSeen && !isUnread) return quiet({...state, note: 'unseen'});
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

function moveMarker(state: Answering, by: -1 | 1, {choices, hasMore, isDraftEmpty}: AnsweringFacts): AnsweringStep {
	if (!isDraftEmpty) return {state: rested(state), effects: [{type: 'edit'}]};
	const last = hasMore ? choices.length : choices.length - 1;
	return quiet({...rested(state), marked: Math.max(0, Math.min(state.marked + by, last))});
}

/** Shows all choices. The marker moves to the choice that denies, so that a second Enter allows nothing. */
function showMore(state: Answering, {refusal}: AnsweringFacts): AnsweringStep {
	return quiet({...rested(state), isMore: true, marked: refusal});
}

function showLess({isMore: _isMore, ...state}: Answering, {refusal}: AnsweringFacts): AnsweringStep {
	return quiet({...rested(state), marked: refusal});
}

/** Sends the key to the draft. If a digit is highlighted, the digit goes to the draft first. */
function toDraft(state: Answering, note?: Note): AnsweringStep {
	return {state: {...rested(state), ...(note !== undefined && {note})}, effects: [...typed(state), {type: 'edit'}]};
}

function typed({lit}: Answering): readonly AnsweringEffect[] {
	return lit === undefined || lit.typed === '' ? [] : [{type: 'type', text: lit.typed}];
}

/**
Returns the state without highlight, confirmation and note. If the card showed a rule, its detail had already been shown
to the end.
*/
function rested({lit: _lit, confirming, note: _note, ...state}: Answering): Answering {
	return confirming === undefined ? state : {...state, isSeen: true};
}

function withoutNote({note: _note, ...state}: Answering): Answering {
	return state;
}

function withoutLit({lit: _lit, ...state}: Answering): Answering {
	return state;
}

/** Restarts the wait for a second confirmation after an Enter that had no effect. */
function sincePressed({confirming, ...state}: Answering, at: number): Answering {
	return confirming === undefined ? state : {...state, confirming: {choice: confirming.choice, since: at}};
}

function quiet(state: Answering): AnsweringStep {
	return {state, effects: []};
}
