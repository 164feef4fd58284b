import type {SideQuestionStep} from '../../../pod/protocol.ts';
import type {AppState} from '../../model/app-state.ts';
import {dismissAlerts, showAlert, type App} from '../app.ts';
import {statusOf} from '../../model/selectors.ts';
import {isPage} from '../../model/pages/page-state.ts';
import {sideQuestionPageTexts} from '../../model/pages/texts.ts';
import {sideQuestionPage, type SideQuestionState} from '../../model/pages/side-question-state.ts';

/** Asks a side question and opens its page. Resolves with a sentence when this is not possible. */
export async function askSideQuestion(app: App, question: string): Promise<string | undefined> {
	if (question.trim() === '') return sideQuestionPageTexts.usage;
	const answer = await step(app, {op: 'ask', question});
	if (typeof answer === 'string') return answer;
	app.dispatch({type: 'open page', page: sideQuestionPage(answer)});
	return undefined;
}

/** Reads the answer while it is written. Closing the page discards the question and stops a running answer. */
export function watchSideQuestion(app: App, before: AppState): void {
	const {page} = app.state;
	if (before.page === page) return;
	const id = isPage(page, 'btw') ? page.answer.id : undefined;
	const old = isPage(before.page, 'btw') ? before.page.answer : undefined;
	if (old !== undefined && old.id !== id) void step(app, {op: 'discard', id: old.id});
	if (isPage(page, 'btw') && page.answer !== old && page.answer.isRunning)
		setTimeout(read, interval, app, page.answer).unref();
}

/** Milliseconds between two reads of a running answer. */
const interval = 80;

async function read(app: App, shown: SideQuestionState): Promise<void> {
	const {page} = app.state;
	const {quitting} = app.state.lifecycle;
	// A newer state has its own timer.
	if (quitting || !isPage(page, 'btw') || page.answer !== shown) return;
	const answer = await step(app, {op: 'read', id: shown.id});
	if (typeof answer === 'string') {
		if (isPage(app.state.page, 'btw')) showAlert(app, {level: 'error', text: answer});
	} else showAnswer(app, answer);
}

/** Keeps the side question as a session, or attaches its answer. */
export async function changeSideQuestion(app: App, op: 'keep' | 'attach'): Promise<void> {
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

function showAnswer(app: App, answer: SideQuestionState): void {
	app.dispatch({type: 'side question read', answer});
	app.changed('soon');
}

/** Takes a step in the pod. Resolves with a sentence when it fails. */
async function step(app: App, given: SideQuestionStep): Promise<SideQuestionState | string> {
	const client = await app.client.promise;
	try {
		const answer = await client.btw(given);
		return 'sentence' in answer ? answer.sentence : answer;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
