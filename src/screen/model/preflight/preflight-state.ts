import type {FileRef, Preflight, Segment} from '../../../pod/protocol.ts';
import type {ComposerState} from '../composer/composer-state.ts';
import type {Draft} from '../../editor/draft.ts';
import {chipsOf, isCommand, marksOf, noMarks, type Marks} from './marks.ts';
import type {Told} from './secrets.ts';

/** The pod's forecast for each ref of the draft. */
export type PreflightState = {
	/** The marks of the current draft. */
	readonly marks: Marks;
	/** Whether the draft cannot contain a ref. */
	readonly isQuiet: boolean;
	/** The latest answer, about this draft or an earlier one. */
	readonly answer: PreflightAnswer | undefined;
	/** Whether a question about the draft is planned or pending. */
	readonly isAsking: boolean;
	/** The draft that is being sent, and its known refs. */
	readonly held: Draft | undefined;
	readonly sent: readonly FileRef[] | undefined;
	/** Whether the held draft waits for a forecast. */
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

/** The secrets of a draft about which you were asked. After an edit they no longer count. */
export type ToldDraft = Told & {readonly of: Draft};

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

/** Updates the state after a change of the draft or of the held draft. */
export function afterEdit(preflight: PreflightState, composer: ComposerState): PreflightState {
	const {
		editor: {draft},
		held,
	} = composer;
	const next = withMarks(withTold(withHeld(preflight, held?.draft), draft), draft);
	return next.isQuiet && held === undefined && next.answer !== undefined ? {...next, answer: undefined} : next;
}

/** Adds the pod's answer about the draft. */
export function afterPreflight(preflight: PreflightState, answer: PreflightAnswer): PreflightState {
	return {...remember(preflight, answer), isAsking: false};
}

/** Asks about the draft again after a run, because the run may have changed files. */
export function afterRun(preflight: PreflightState): PreflightState {
	return preflight.isQuiet || preflight.isAsking ? preflight : {...preflight, isAsking: true};
}

/** Ends the wait of the held draft, with or without a forecast. */
export function afterConfirm(preflight: PreflightState, answer: PreflightAnswer | undefined): PreflightState {
	const next = answer === undefined ? preflight : remember(preflight, answer);
	return {...next, isConfirming: false};
}

function remember(preflight: PreflightState, answer: PreflightAnswer): PreflightState {
	return {...preflight, answer, ...(answer.draft === preflight.held && {sent: readRefs(answer.forecast)})};
}

/** Keeps the known refs of a sent draft until its receipt. */
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

/** Returns the refs that the pod will read. */
function readRefs(forecast: Preflight | undefined): FileRef[] | undefined {
	return forecast?.refs.filter(({ok}) => ok).map(({ref}) => ref);
}
