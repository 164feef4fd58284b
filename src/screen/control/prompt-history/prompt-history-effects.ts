import type {FoundPrompts, PromptQuery} from '../../../pod/protocol.ts';
import type {Action} from '../../model/app-state.ts';
import type {AppState} from '../../model/app-state.ts';
import {showAlert, update, type App} from '../app.ts';
import {resourceFor} from '../runtime.ts';
import type {ComposerAction, ComposerState} from '../../model/composer/composer-state.ts';
import {
	isAnswered,
	isSameQuery,
	queryOf,
	markedPrompt,
	type PromptHistoryState,
} from '../../model/prompt-history/prompt-history-state.ts';
import {promptHistoryFailed} from '../../view/prompt-history/texts.ts';
import type {ActionName} from '../../model/keys/keymap.ts';
import {endSearch} from '../search/search-effects.ts';
import {asksOf} from '../../model/selectors.ts';
import {settleView} from '../scroll/transcript-mouse.ts';
import type {Key} from '../../terminal/input/input.ts';
import {editField, fieldEditOf, type FieldEdit} from '../../model/field-state.ts';

/** Loads the prompts of earlier sessions when you recall a prompt. */
export function recallOnUp(app: App, {type}: ComposerAction, before: AppState): void {
	if (type === 'up' || type === 'previous') recallEarlier(app, before.composer);
}

/** Sends each new query of an open search to the pod. */
export function followPromptHistory(app: App, before: AppState, _action: Action): void {
	if (app.state.promptHistory === undefined || app.state.promptHistory === before.promptHistory) return;
	if (wantedQuery(app) !== undefined) void ask(app);
}

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

/** `earlier`: whether the prompts of earlier sessions are loaded into the composer. */
type Runtime = {
	isAsking: boolean;
	earlier: 'unknown' | 'loading' | 'loaded';
	/** The composer at the last Up key that found no earlier prompt. */
	waiting: ComposerState | undefined;
};

const runtimeOf = resourceFor((): Runtime => ({isAsking: false, earlier: 'unknown', waiting: undefined}));

/** Returns the query of the open search, unless it has an answer or has failed. */
function wantedQuery({state: {promptHistory}}: App): PromptQuery | undefined {
	if (promptHistory === undefined || isAnswered(promptHistory)) return undefined;
	const query = queryOf(promptHistory);
	return isSameQuery(query, promptHistory.problem?.query) ? undefined : query;
}

/** Sends one query at a time, always the latest one. The reducer discards the answer to an outdated query. */
async function ask(app: App): Promise<void> {
	const runtime = runtimeOf(app);
	if (runtime.isAsking) return;
	runtime.isAsking = true;
	for (let query = wantedQuery(app); query !== undefined; query = wantedQuery(app)) {
		const found = await promptsOf(app, query);
		if ('sentence' in found) app.dispatch({type: 'prompts failed', query, sentence: found.sentence});
		else app.dispatch({type: 'prompts came', answer: found});
		app.changed('now');
	}
	runtime.isAsking = false;
}

async function promptsOf(app: App, query: PromptQuery): Promise<FoundPrompts | {readonly sentence: string}> {
	const client = await app.client.promise;
	return client.prompts(query).catch((error: unknown) => ({
		sentence: promptHistoryFailed(error instanceof Error ? error.message : String(error)),
	}));
}

/**
Loads the prompts of earlier sessions when Up first recalls a prompt. If this session has no earlier prompt, the latest
loaded prompt becomes the draft, unless the message has changed in the meantime.
*/
function recallEarlier(app: App, before: ComposerState): void {
	const {composer} = app.state;
	const runtime = runtimeOf(app);
	const isAtTop = composer === before;
	if (runtime.earlier === 'loaded' || (!isAtTop && composer.history.at === before.history.at)) return;
	if (isAtTop) runtime.waiting = composer;
	if (runtime.earlier === 'unknown') void loadEarlier(app, runtime);
}

async function loadEarlier(app: App, runtime: Runtime): Promise<void> {
	runtime.earlier = 'loading';
	const found = await promptsOf(app, {text: '', scope: 'others', limit: maxEarlier});
	if (app.state.lifecycle.quitting) return;
	if ('sentence' in found) {
		runtime.earlier = 'unknown';
		showAlert(app, {level: 'warn', text: found.sentence});
		return;
	}
	runtime.earlier = 'loaded';
	const entries = found.prompts
		.slice(0, maxEarlier)
		.map(({segments}) => segments)
		.toReversed();
	update(app, {type: 'earlier', entries, recalls: runtime.waiting === app.state.composer});
	app.changed('now');
}

/** The maximum number of prompts of earlier sessions that Up can recall. The search finds older prompts, too. */
const maxEarlier = 500;

/** Tells whether a card covers the search and gets its keys. */
function isBehindCard(app: App): boolean {
	return asksOf(app.state).length > 0;
}

/** Opens the search in earlier prompts. Ends a search in the transcript. */
function open(app: App): true {
	if (app.state.search.open !== undefined) {
		endSearch(app);
		settleView(app);
	}
	app.dispatch({type: 'open prompt history'});
	return true;
}

/** Puts the marked prompt into the composer without sending it. Undo restores the earlier message. */
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
