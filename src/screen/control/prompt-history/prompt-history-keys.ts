import type {ActionName} from '../../model/keys/keymap.ts';
import {update, type App} from '../app.ts';
import {endSearch} from '../search/search-effects.ts';
import {asksOf} from '../../model/selectors.ts';
import {settleView} from '../scroll/scroll-view.ts';
import type {Key} from '../../terminal/input/input.ts';
import {editField, fieldEditOf, type FieldEdit} from '../../model/field-state.ts';
import {markedPrompt, type PromptHistoryState} from '../../model/prompt-history/prompt-history-state.ts';

/** Handles a key of the search in earlier prompts, and the key that opens it. */
export function pressPromptHistory(app: App, key: Key): boolean {
	if (isBehindCard(app)) return false;
	const {
		promptHistory,
		page,
		setup: {keymap},
	} = app.state;
	const action = keymap.action(key);
	if (promptHistory === undefined) return action === 'search prompts' && page === undefined && open(app);
	const step = action === undefined ? undefined : steps[action];
	if (step !== undefined) app.dispatch({type: 'move prompt history', by: step});
	else if (action === 'pause' || action === 'cancel') app.dispatch({type: 'close prompt history'});
	else if (action === 'submit') use(app, promptHistory);
	else if (action === 'pick') app.dispatch({type: 'widen prompt history'});
	else if (action !== undefined && passing.has(action)) return false;
	else write(app, promptHistory, fieldEditOf(key, keymap));
	return true;
}

export function pasteInPromptHistory(app: App, text: string): boolean {
	const {promptHistory} = app.state;
	if (promptHistory === undefined || isBehindCard(app)) return false;
	write(app, promptHistory, {type: 'paste', text});
	return true;
}

/** Tells whether a card covers the search and gets its keys. */
function isBehindCard(app: App): boolean {
	return asksOf(app.state).length > 0;
}

/** Opens the search. It ends a search in the transcript. */
function open(app: App): true {
	if (app.state.search.open !== undefined) {
		endSearch(app);
		settleView(app);
	}
	app.dispatch({type: 'open prompt history'});
	return true;
}

/** Puts the marked prompt into the composer, and sends nothing. Undo brings the earlier message back. */
function use(app: App, promptHistory: PromptHistoryState): void {
	const prompt = markedPrompt(promptHistory);
	if (prompt === undefined) return;
	app.dispatch({type: 'close prompt history'});
	update(app, {type: 'replace', segments: [...prompt.segments]});
}

function write(app: App, {query}: PromptHistoryState, edit: FieldEdit | undefined): void {
	if (edit !== undefined) app.dispatch({type: 'write prompt history', query: editField(query, edit)});
}

const page = 7;
const steps: {readonly [Name in ActionName]?: number} = {
	'search prompts': 1,
	down: 1,
	'next draft': 1,
	up: -1,
	'previous draft': -1,
	'page down': page,
	'page up': -page,
	'draft start': Number.NEGATIVE_INFINITY,
	'draft end': Number.POSITIVE_INFINITY,
};

/** The actions that keep their meaning while the search is open. */
const passing: ReadonlySet<ActionName> = new Set(['suspend', 'redraw', 'mouse', 'switch view', 'row up', 'row down']);
