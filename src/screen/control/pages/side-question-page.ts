import {chordOf} from '../../model/keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import {showAlert, dismissAlerts, type App} from '../app.ts';
import {moveInList} from '../../model/pages/list.ts';
import type {PageSize} from '../../view/pages/page-size.ts';
import {sideQuestionPageTexts} from '../../model/pages/texts.ts';
import {sideQuestionBody, roomOf} from '../../view/pages/side-question-rows.ts';
import {sideQuestionPage, type SideQuestionPage, type SideQuestionState} from '../../model/pages/tasks-state.ts';
import type {SideQuestionStep} from '../../../pod/protocol.ts';
import type {AppState} from '../../model/app-state.ts';
import {statusOf} from '../../model/selectors.ts';
import {isPage} from '../../model/pages/page-state.ts';

/**
Handles a key on the page of a side question: k keeps the question as a session, a attaches its answer, and the arrow
keys scroll.
*/
export function pressOnSideQuestion(
	app: App,
	{answer, below}: SideQuestionPage,
	key: Key,
	{columns, height}: PageSize,
): boolean {
	const {keymap} = app.state.setup;
	const room = roomOf(height);
	const last = Math.max(0, sideQuestionBody(answer, columns, app.state).length - room);
	const at = Math.max(0, last - below);
	const moved = moveInList({at, top: 0}, key, {keymap, count: last + 1, room});
	const chord = chordOf(key);
	if (moved !== undefined) app.dispatch({type: 'scroll side question', below: last - moved.at});
	else if (chord === 'k') void changeSideQuestion(app, 'keep');
	else if (chord === 'a') void changeSideQuestion(app, 'attach');
	else if (keymap.action(key) === 'submit') showAlert(app, {level: 'info', text: sideQuestionPageTexts.one});
	else return false;
	return true;
}

/** Asks a side question and opens its page. Resolves with a sentence if the question cannot be asked. */
export async function askSideQuestion(app: App, question: string): Promise<string | undefined> {
	if (question.trim() === '') return sideQuestionPageTexts.usage;
	const answer = await step(app, {op: 'ask', question});
	if (typeof answer === 'string') return answer;
	app.dispatch({type: 'open page', page: sideQuestionPage(answer)});
	return undefined;
}

/** Reads the answer while it streams in. When the page closes, discards the question and stops a running answer. */
export function watchSideQuestion(app: App, before: AppState): void {
	const {page} = app.state;
	if (before.page === page) return;
	const id = isPage(page, 'btw') ? page.answer.id : undefined;
	const old = isPage(before.page, 'btw') ? before.page.answer : undefined;
	if (old !== undefined && old.id !== id) void step(app, {op: 'discard', id: old.id});
	if (isPage(page, 'btw') && page.answer !== old && page.answer.isRunning)
		setTimeout(read, interval, app, page.answer).unref();
}

/** Keeps the side question as a session, or attaches its answer. */
async function changeSideQuestion(app: App, op: 'keep' | 'attach'): Promise<void> {
	const {page} = app.state;
	if (!isPage(page, 'btw')) return;
	dismissAlerts(app);
	const {id, isRunning} = page.answer;
	const waits = op === 'attach' && !isRunning && statusOf(app.state).kind === 'running';
	if (waits) showAlert(app, {level: 'info', text: sideQuestionPageTexts.attaching});
	const answer = await step(app, {op, id});
	if (typeof answer === 'string') {
		showAlert(app, {level: 'error', text: answer});
		return;
	}
	showAnswer(app, answer);
	const text = op === 'attach' ? sideQuestionPageTexts.attached : sideQuestionPageTexts.kept(answer.kept ?? '');
	showAlert(app, {level: 'info', text});
}

/** The number of milliseconds between two reads of a running answer. */
const interval = 80;

async function read(app: App, shown: SideQuestionState): Promise<void> {
	const {page} = app.state;
	const {quitting} = app.state.lifecycle;
	// If the page shows a newer state, another timer reads that state.
	if (quitting || !isPage(page, 'btw') || page.answer !== shown) return;
	const answer = await step(app, {op: 'read', id: shown.id});
	if (typeof answer === 'string') {
		if (isPage(app.state.page, 'btw')) showAlert(app, {level: 'error', text: answer});
	} else showAnswer(app, answer);
}

function showAnswer(app: App, answer: SideQuestionState): void {
	app.dispatch({type: 'side question read', answer});
	app.changed('soon');
}

/** Sends a step of the side question to the pod. Resolves with a sentence if the step fails. */
async function step(app: App, given: SideQuestionStep): Promise<SideQuestionState | string> {
	const client = await app.client.promise;
	try {
		const answer = await client.btw(given);
		return 'sentence' in answer ? answer.sentence : answer;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
