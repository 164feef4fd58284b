import type {Event, FileRef, Preflight, Segment} from '../../../pod/protocol.ts';
import type {ComposerState} from '../composer/composer-state.ts';
import type {Draft} from '../../editor/draft.ts';
import {chipsOf, isCommand, marksOf, noMarks, type Marks} from './marks.ts';
import type {Told} from './marks.ts';

/** The state of the forecast: what the pod would do with each file reference of the draft. */
export type PreflightState = {
	/** The marks of the current draft. */
	readonly marks: Marks;
	/** Whether the draft certainly contains no file reference. */
	readonly isQuiet: boolean;
	/** The latest answer, for this draft or an earlier draft. */
	readonly answer: PreflightAnswer | undefined;
	/** Whether a request for the draft's forecast is planned or pending. */
	readonly isAsking: boolean;
	/** The draft that is being sent. `sent` are its known file references. */
	readonly held: Draft | undefined;
	readonly sent: readonly FileRef[] | undefined;
	/** Whether the draft that is being sent waits for its forecast. */
	readonly isConfirming: boolean;
	readonly told: ToldDraft | undefined;
};

export type PreflightAnswer = {
	readonly draft: Draft;
	readonly segments: readonly Segment[];
	readonly forecast?: Preflight;
	/** The reason why there is no forecast. */
	readonly problem?: string;
};

/** The secrets of a draft about which inkpod asked you. An edit of the draft makes this value invalid. */
type ToldDraft = Told & {readonly of: Draft};

export type PreflightAction =
	/** The pod answered with the forecast of the draft. */
	| {readonly type: 'preflight answered'; readonly answer: PreflightAnswer}
	/** The draft that is being sent waits for its forecast. */
	| {readonly type: 'confirm began'}
	/** The wait for a forecast ends, with or without one. */
	| {readonly type: 'confirm answered'; readonly answer: PreflightAnswer | undefined}
	/** inkpod asked you about secrets in a draft. */
	| {readonly type: 'secrets told'; readonly told: ToldDraft | undefined};

export const noPreflight: PreflightState = {
	marks: noMarks,
	isQuiet: true,
	answer: undefined,
	isAsking: false,
	held: undefined,
	sent: undefined,
	isConfirming: false,
	told: undefined,
};

export function reducePreflight(preflight: PreflightState, action: PreflightAction): PreflightState {
	switch (action.type) {
		case 'preflight answered':
			return {...remember(preflight, action.answer), isAsking: false};
		case 'confirm began':
			return {...preflight, isConfirming: true};
		case 'confirm answered': {
			const {answer} = action;
			return {...(answer === undefined ? preflight : remember(preflight, answer)), isConfirming: false};
		}
		case 'secrets told':
			return {...preflight, told: action.told};
		default:
			return action satisfies never;
	}
}

/** Updates the state after a change of the current draft, or of the draft that is being sent. */
export function afterEdit(preflight: PreflightState, composer: ComposerState): PreflightState {
	const {
		editor: {draft},
		held,
	} = composer;
	const next = withMarks(withTold(withHeld(preflight, held?.draft), draft), draft);
	return next.isQuiet && held === undefined && next.answer !== undefined ? {...next, answer: undefined} : next;
}

/**
Updates the state after an event of the pod. inkpod requests the forecast of the initial draft as soon as a session
exists. It requests the forecast again after each run, because the run may have changed files.
*/
export function afterEvent(preflight: PreflightState, event: Event, composer: ComposerState): PreflightState {
	if (event.type === 'snapshot') return afterEdit(preflight, composer);
	const asksAgain = isRunEnd(event) && !preflight.isQuiet && !preflight.isAsking;
	return asksAgain ? {...preflight, isAsking: true} : preflight;
}

export function isRunEnd(event: Event): boolean {
	return event.type === 'item' && event.item.type === 'run_end';
}

function remember(preflight: PreflightState, answer: PreflightAnswer): PreflightState {
	return {...preflight, answer, ...(answer.draft === preflight.held && {sent: readRefs(answer.forecast)})};
}

/** Keeps the known file references of the draft that is being sent until its receipt arrives. */
function withHeld(preflight: PreflightState, held: Draft | undefined): PreflightState {
	if (held === preflight.held) return preflight;
	const {answer, marks} = preflight;
	const known = answer?.draft === held ? readRefs(answer?.forecast) : undefined;
	const sent = held === undefined ? undefined : (known ?? chipsOf(marksOf(held, marks)));
	return {...preflight, held, sent, isConfirming: false};
}

function withTold(preflight: PreflightState, draft: Draft): PreflightState {
	const {told, held} = preflight;
	return told === undefined || told.of === draft || told.of === held ? preflight : {...preflight, told: undefined};
}

function withMarks(preflight: PreflightState, draft: Draft): PreflightState {
	if (draft === preflight.marks.draft) return preflight;
	const marks = marksOf(draft, preflight.marks);
	const isQuiet = marks.lines.length === 0 || isCommand(draft);
	return {...preflight, marks, isQuiet, isAsking: !isQuiet && preflight.answer?.draft !== draft};
}

/** Returns the file references that the pod will read. */
function readRefs(forecast: Preflight | undefined): FileRef[] | undefined {
	return forecast?.refs.filter(({ok}) => ok).map(({ref}) => ref);
}
