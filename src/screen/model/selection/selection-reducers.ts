import type {AppState} from '../app-state.ts';
import type {Reducers} from '../reducers.ts';
import type {TranscriptStore} from '../../rows/store.ts';
import {draggedTo, pressed, withCaret, type SelectionState} from './selection-state.ts';

type SelectionActions =
	| 'press transcript'
	| 'drag selection'
	| 'scroll selection'
	| 'stop edge scroll'
	| 'end drag'
	| 'clear selection'
	| 'forget selection'
	| 'copy selection'
	| 'set caret';

export const selectionReducers: Reducers<SelectionActions> = {
	'press transcript': (state, {x, y, point}) =>
		withSelection(state, (selection, store) =>
			pressed(selection, store, {x, y, point, followed: state.scroll.follow, now: state.now}),
		),
	'drag selection': (state, {head, mayRise, edge}) =>
		withSelection(state, (selection, store) => {
			const {drag} = selection;
			if (drag === undefined) return selection;
			return draggedTo({...selection, drag: {...drag, hasMoved: true, mayRise}, edge}, store, head);
		}),
	'scroll selection': (state, {scroll, head}) =>
		withSelection({...state, scroll}, (selection, store) => {
			const {drag} = selection;
			if (drag === undefined) return selection;
			return draggedTo({...selection, drag: {...drag, hasScrolled: true}}, store, head);
		}),
	'stop edge scroll': state => ({...state, selection: {...state.selection, edge: undefined}}),
	'end drag': state => ({...state, selection: {...state.selection, drag: undefined, edge: undefined}}),
	'clear selection': state => ({...state, selection: {...state.selection, shown: undefined}}),
	'forget selection': state => ({
		...state,
		selection: {...state.selection, shown: undefined, drag: undefined, edge: undefined},
	}),
	'copy selection': state => state,
	'set caret': (state, {caret}) => withSelection(state, (selection, store) => withCaret(selection, store, caret)),
};

function withSelection(
	state: AppState,
	change: (selection: SelectionState, store: TranscriptStore) => SelectionState,
): AppState {
	const {transcript, selection} = state;
	return transcript === undefined ? state : {...state, selection: change(selection, transcript)};
}
