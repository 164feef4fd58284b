import type {ApprovalMode} from '../../pod/protocol.ts';
import {showChord} from '../keymap.ts';
import type {AppState} from '../state/app-state.ts';
import {send, showAlert, type App} from '../state/app.ts';
import {statusOf} from '../state/selectors.ts';
import type {Effects} from '../state/tables.ts';

export const approvalEffects: Pick<Effects, 'change approval'> = {
	'change approval': (app, {mode, offersAuto}) => void change(app, mode, offersAuto ? offerOf(app.state) : ''),
};

/** Sets the mode that a word names, or tells which one it is. Resolves with one sentence when it could not be done. */
export async function setApproval(app: App, word: string): Promise<string | undefined> {
	if (word === '') {
		const text = `${sentenceOf(app.state, approvalOf(app.state))} /approval ${names.join(', /approval ')} changes that.`;
		showAlert(app, {level: 'info', text}, 'approval');
		return undefined;
	}
	const mode = names.find(name => name === word);
	if (mode !== undefined) return change(app, mode);
	return `There is no approval mode ${word}: it is ${names.slice(0, -1).join(', ')} or ${names.at(-1)!}.`;
}

/** What tools may do without asking. */
export function approvalOf(state: AppState): ApprovalMode {
	return statusOf(state).approval ?? 'ask';
}

const sentences: {readonly [Mode in ApprovalMode]: string} = {
	ask: 'Approval: ask. Edits, commands and MCP tools ask first.',
	'accept-edits': 'Approval: accept-edits. Files in the scope are edited without asking; commands and MCP tools ask.',
	auto: 'Approval: auto. Nothing asks: commands and MCP tools run too, and no scope confines them.',
};
const readOnlySentences: typeof sentences = {
	...sentences,
	ask: 'Approval: ask. Commands and MCP tools ask first; the scope is read-only, no file is edited.',
	'accept-edits': 'Approval: accept-edits. Commands and MCP tools ask; the scope is read-only, no file is edited.',
};
const names = Object.keys(sentences) as readonly ApprovalMode[];

function sentenceOf({transcript, setup}: AppState, mode: ApprovalMode): string {
	const {scope} = transcript?.transcript.session ?? setup.session;
	return (scope.writable ? sentences : readOnlySentences)[mode];
}

function offerOf({setup: {keymap}}: AppState): string {
	const key = keymap.chords('approval mode').slice(0, 1).map(showChord).join('');
	return ` ${key} again now is auto: commands and MCP tools run too, and no scope confines them.`;
}

/** Says it to the pod, and tells what it means. */
async function change(app: App, mode: ApprovalMode, offer = ''): Promise<string | undefined> {
	const receipt = await send(app, {method: 'approval', mode});
	if (!receipt.accepted) return receipt.sentence;
	const level = mode === 'auto' || offer !== '' ? 'warn' : 'info';
	app.dispatch({type: 'dismiss alerts', topic: 'approval'});
	showAlert(app, {level, text: sentenceOf(app.state, mode) + offer}, 'approval');
	return undefined;
}
