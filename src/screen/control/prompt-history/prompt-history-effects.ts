import type {FoundPrompts, PromptQuery} from '../../../pod/protocol.ts';
import type {Action} from '../../model/actions.ts';
import type {AppState} from '../../model/app-state.ts';
import {showAlert, update, type App} from '../app.ts';
import {resourceFor} from '../runtime.ts';
import type {ComposerAction, ComposerState} from '../../model/composer/composer-state.ts';
import {isAnswered, isSameQuery, queryOf} from '../../model/prompt-history/prompt-history-state.ts';
import {promptHistoryFailed} from '../../view/prompt-history/texts.ts';

/** Loads the prompts of earlier sessions when you go back past those of this one. */
export function recallOnUp(app: App, {type}: ComposerAction, before: AppState): void {
	if (type === 'up' || type === 'previous') recallEarlier(app, before.composer);
}

/** Asks the pod for each new query of an open search. */
export function followPromptHistory(app: App, before: AppState, _action: Action): void {
	if (app.state.promptHistory === undefined || app.state.promptHistory === before.promptHistory) return;
	if (wantedQuery(app) !== undefined) void ask(app);
}

/** `earlier`: whether the prompts of earlier sessions are in the composer. */
type Runtime = {
	isAsking: boolean;
	earlier: 'unknown' | 'loading' | 'loaded';
	/** The composer at the last Up that found no earlier prompt. */
	waiting: ComposerState | undefined;
};

const runtimeOf = resourceFor((): Runtime => ({isAsking: false, earlier: 'unknown', waiting: undefined}));

/** Returns the query of the open search, unless it has an answer or has failed. */
function wantedQuery({state: {promptHistory}}: App): PromptQuery | undefined {
	if (promptHistory === undefined || isAnswered(promptHistory)) return undefined;
	const query = queryOf(promptHistory);
	return isSameQuery(query, promptHistory.problem?.query) ? undefined : query;
}

/** Asks one query at a time. The latest one follows, and the reducer drops an answer to an earlier one. */
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
Loads the prompts of earlier sessions at the first Up that recalls a prompt. If there is no prompt of this session, the
same key recalls the latest one of them, unless the message has changed in the meantime.
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

/** The maximum number of prompts of earlier sessions that Up reaches. The search finds the others. */
const maxEarlier = 500;
