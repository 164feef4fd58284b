import type {ApprovalMode} from '../../pod/protocol.ts';
import {say, statusOf, tell, type App, type Part} from '../state/app.ts';
import {mayBypassCard} from '../card/card-keys.ts';
import {showChord} from '../keys.ts';

/**
The key that changes what tools may do without asking: from asking to accepting edits and back. Everything without asking comes only from
another press while the notice of that stands, and not from one that was on its way already.
*/
export function createApprovalPart(): Part {
	let toldAt = Number.NEGATIVE_INFINITY;
	return {
		press(app, key, press) {
			if (app.state.setup.keymap.action(key) !== 'approval mode') return false;
			// The mode answers what is asked: a key that cannot answer the card changes no mode either.
			if (!mayBypassCard(app, press)) return true;
			const mode = approvalOf(app);
			const since = app.options.now() - toldAt;
			if (mode === 'ask' && since < leastMs) return true;
			const isMeant = mode === 'ask' && since < longestMs;
			if (isMeant && press.isHeld) return true;
			toldAt = mode === 'accept-edits' ? app.options.now() : Number.NEGATIVE_INFINITY;
			void change(app, isMeant ? 'auto' : next[mode], mode === 'accept-edits' ? moreOf(app) : '');
			return true;
		},
	};
}

/** Sets the mode that a word names, or tells which one it is. Resolves with one sentence when it could not be done. */
export async function setApproval(app: App, word: string): Promise<string | undefined> {
	if (word === '') {
		const text = `${sentenceOf(app, approvalOf(app))} /approval ${names.join(', /approval ')} changes that.`;
		tell(app, {level: 'info', text}, 'approval');
		return undefined;
	}
	const mode = names.find(name => name === word);
	if (mode === undefined) return `There is no approval mode ${word}: it is ${names.slice(0, -1).join(', ')} or ${names.at(-1)!}.`;
	return change(app, mode);
}

function approvalOf(app: App): ApprovalMode {
	return statusOf(app.state).approval ?? 'ask';
}

/** How long after the notice a press takes everything along, in milliseconds. */
const leastMs = 400;
const longestMs = 4000;

const next: {readonly [Mode in ApprovalMode]: ApprovalMode} = {ask: 'accept-edits', 'accept-edits': 'ask', auto: 'ask'};

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

function sentenceOf({state: {transcript, setup}}: App, mode: ApprovalMode): string {
	const {scope} = transcript?.transcript.session ?? setup.session;
	return (scope.writable ? sentences : readOnlySentences)[mode];
}

function moreOf({state: {setup: {keymap}}}: App): string {
	return ` ${keymap.chords('approval mode').slice(0, 1).map(showChord).join('')} again now is auto: commands and MCP tools run too, and no scope confines them.`;
}

/** Says it to the pod, and tells what it means. */
async function change(app: App, mode: ApprovalMode, more = ''): Promise<string | undefined> {
	const receipt = await say(app, {method: 'approval', mode});
	if (!receipt.accepted) return receipt.sentence;
	const level = mode === 'auto' || more !== '' ? 'warn' : 'info';
	app.dispatch({type: 'dismiss alerts', topic: 'approval'});
	tell(app, {level, text: sentenceOf(app, mode) + more}, 'approval');
	return undefined;
}
