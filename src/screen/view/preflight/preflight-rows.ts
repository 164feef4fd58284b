import type {FileRef} from '../../../pod/protocol.ts';
import {draftLine, type Draft} from '../../editor/draft.ts';
import {statusOf} from '../../model/selectors.ts';
import type {AppState} from '../../model/app-state.ts';
import type {Row} from '../../spans/row.ts';
import {chipsOf, firstWord, mayStand, type Marks} from '../../model/preflight/marks.ts';
import {viewPreflight, type PreflightFacts} from './preflight-view.ts';
import {refName} from '../../model/preflight/secrets.ts';

/** Returns at most `maxRows` rows about the refs of the draft. */
export function preflightRows(state: AppState, columns: number, maxRows: number): readonly Row[] {
	return viewPreflight(factsOf(state), columns, maxRows);
}

function factsOf(state: AppState): PreflightFacts {
	const {marks, answer, isQuiet, isAsking, isConfirming, sent, told} = state.preflight;
	const base = {refs: [], reading: [], stale: false, told: (ref: FileRef) => told?.refs.has(refName(ref)) === true};
	const isSending = sent !== undefined && sent.length > 0;
	if (isSending && (isConfirming || statusOf(state).step === 'resolving')) return {...base, reading: sent};
	if (isQuiet) return base;
	const {forecast, problem} = answer ?? {};
	const fresh = answer?.draft === marks.draft;
	const refs = (forecast?.refs ?? []).filter(({ref}) => fresh || mayStand(ref, marks));
	const reading = fresh
		? []
		: unknownChips(
				marks,
				refs.map(({ref}) => ref.path),
			);
	const isKnown = fresh || sameStart(answer?.draft, marks.draft);
	const rejection = isKnown ? forecast?.rejection : undefined;
	if (rejection !== undefined && isCommandTyped(marks.draft)) return base;
	const counts = refs.length > 0 || (fresh && forecast?.segments.some(({type}) => type === 'workflow') === true);
	return {
		...base,
		refs,
		reading,
		stale: !fresh || isAsking,
		...(counts && forecast !== undefined && {tokens: forecast.tokens}),
		rejection,
		...(fresh && problem !== undefined && {problem}),
	};
}

/** While you type a command, nothing is reported about it. Enter reports it once, with the nearest name. */
function isCommandTyped(draft: Draft): boolean {
	return draft.length === 1 && firstWord(draftLine(draft, 0)).startsWith('/');
}

function unknownChips(marks: Marks, known: readonly string[]): FileRef[] {
	const chips = chipsOf(marks).filter(({path}) => !known.includes(path));
	return chips.filter((chip, index) => chips.findIndex(other => refName(other) === refName(chip)) === index);
}

function sameStart(one: Draft | undefined, other: Draft): boolean {
	return one !== undefined && firstWord(draftLine(one, 0)) === firstWord(draftLine(other, 0));
}
