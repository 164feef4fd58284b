import type {ApprovalMode} from '../../../pod/protocol.ts';
import {showChord} from '../../model/keys/keymap.ts';
import type {AppState} from '../../model/app-state.ts';
import {send, showAlert, type App} from '../app.ts';
import {sessionOf, statusOf} from '../../model/selectors.ts';
import {t} from '../../../language/index.ts';
import {mayBypassCard} from '../card/card-keys.ts';
import type {Key} from '../../terminal/input/input.ts';
import type {Press} from '../../model/keys/keys-state.ts';
import {changeOf} from '../../model/approval/approval-state.ts';

/** Changes the mode after a key press. `offersAuto`: the next press of the same key changes the mode to `auto`. */
function changeApproval(app: App, mode: ApprovalMode, offersAuto: boolean): void {
	app.dispatch({type: 'change approval', offersAuto});
	void change(app, mode, offersAuto ? offerOf(app.state) : '');
}

/**
Sets the approval mode with this name. If `word` is empty, shows the current mode. Resolves with a sentence if the mode
cannot be set.
*/
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
function approvalOf(state: AppState): ApprovalMode {
	return statusOf(state).approval ?? 'ask';
}

/**
Handles the key that cycles the approval mode. If a card is open, the same conditions apply as for an answer to the
card, because the new mode could answer the card.
*/
export function pressApproval(app: App, key: Key, press: Press): boolean {
	if (app.state.setup.keymap.action(key) !== 'approval mode') return false;
	if (!mayBypassCard(app, press)) return true;
	const change = changeOf(app.state.asks.approval, {
		mode: approvalOf(app.state),
		isHeld: press.isHeld,
		now: app.options.now(),
	});
	if (change !== undefined) changeApproval(app, change.mode, change.offersAuto);
	return true;
}

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

/** The explanations of the approval modes. */
const modeTexts = {
	ask: t`Approval: ask. Edits, commands with effects, and MCP tools need approval.`,
	'accept-edits': t`Approval: accept-edits. Files in the scope are edited without asking; other effects of commands,
		and MCP tools, need approval.`,
	plan: t`Plan mode: the model reads and proposes a plan. It edits no files; commands with effects and MCP
		tools need approval.`,
	auto: t`Auto-approve is on: commands and MCP tools run without asking and outside any sandbox.`,
} as const;

const names = Object.keys(modeTexts) as readonly ApprovalMode[];

/** The explanation of `auto` in a session that confines commands. */
const confinedAuto = t`Auto-approve is on: commands and MCP tools run without asking. Commands are confined, MCP
	tools are not.`;

/** The explanations of the approval modes in a session that edits no files. */
const readOnlyModeTexts = {
	...modeTexts,
	ask: t`Approval: ask. Commands with effects and MCP tools need approval; this session is read-only and edits
		no files.`,
	'accept-edits': t`Approval: accept-edits. Commands with effects and MCP tools need approval; this session is
		read-only and edits no files.`,
} as const;

function changeMode(names: readonly string[]): string {
	return t` Change it with /approval ${names.join(', /approval ')}.`;
}

function unknownMode(word: string, names: readonly string[]): string {
	return t`Unknown approval mode "${word}": use ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`;
}

/**
Offers `auto` as the next mode. `key` is the key that changes the mode to `auto`. `isConfined`: commands are confined.
*/
function autoOffer(key: string, isConfined: boolean): string {
	if (isConfined)
		return t` Press ${key} again for auto-approve: commands (confined) and MCP tools (not confined) run without
			asking.`;
	return t` Press ${key} again for auto-approve: commands and MCP tools run without asking and outside any sandbox.`;
}
