import type {ApprovalMode} from '../../../pod/protocol.ts';
import {showChord} from '../../model/keys/keymap.ts';
import type {AppState} from '../../model/app-state.ts';
import {send, showAlert, type App} from '../app.ts';
import {sessionOf, statusOf} from '../../model/selectors.ts';
import {autoOffer, changeMode, confinedAuto, modeTexts, readOnlyModeTexts, unknownMode} from './texts.ts';

/** Changes the mode by a key. `offersAuto`: the same key switches to `auto` next. */
export function changeApproval(app: App, mode: ApprovalMode, offersAuto: boolean): void {
	app.dispatch({type: 'change approval', offersAuto});
	void change(app, mode, offersAuto ? offerOf(app.state) : '');
}

/** Sets the approval mode that a word names, or shows the current mode. Resolves with a sentence when this fails. */
export async function setApproval(app: App, word: string): Promise<string | undefined> {
	if (word === '') {
		const text = sentenceOf(app.state, approvalOf(app.state)) + changeMode(names);
		showAlert(app, {level: 'info', text}, 'approval');
		return undefined;
	}
	const mode = names.find(name => name === word);
	if (mode !== undefined) return change(app, mode);
	return unknownMode(word, names);
}

/** Returns the approval mode, which decides which tools run without asking. */
export function approvalOf(state: AppState): ApprovalMode {
	return statusOf(state).approval ?? 'ask';
}

const names = Object.keys(modeTexts) as readonly ApprovalMode[];

function sentenceOf(state: AppState, mode: ApprovalMode): string {
	if (mode === 'auto' && isConfined(state)) return confinedAuto;
	return (sessionOf(state).scope.writable ? modeTexts : readOnlyModeTexts)[mode];
}

function offerOf(state: AppState): string {
	const key = state.setup.keymap.chords('approval mode').slice(0, 1).map(showChord).join('');
	return autoOffer(key, isConfined(state));
}

function isConfined(state: AppState): boolean {
	return statusOf(state).confined === true;
}

/** Sends the mode to the pod and shows an alert that explains it. */
async function change(app: App, mode: ApprovalMode, offer = ''): Promise<string | undefined> {
	const receipt = await send(app, {method: 'approval', mode});
	if (!receipt.accepted) return receipt.sentence;
	const level = mode === 'auto' || offer !== '' ? 'warn' : 'info';
	app.dispatch({type: 'dismiss alerts', topic: 'approval'});
	showAlert(app, {level, text: sentenceOf(app.state, mode) + offer}, 'approval');
	return undefined;
}
