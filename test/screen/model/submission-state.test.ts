import {describe, expect, it} from 'vitest';
import type {Receipt, Segment} from '../../../src/pod/protocol.ts';
import {toSegments} from '../../../src/screen/editor/segments.ts';
import type {Action} from '../../../src/screen/model/app-state.ts';
import type {AppState} from '../../../src/screen/model/app-state.ts';
import {reduce} from '../../../src/screen/model/reduce.ts';
import {testApp} from '../../helpers/test-app.ts';

type Message = readonly Segment[];
const text = (words: string): Message => [{type: 'text', text: words}];
const type = (words: string): Action => ({type: 'compose', action: {type: 'insert', text: words}});
const after = (...actions: readonly Action[]) => {
	const {state} = testApp();
	return actions.reduce((next, action) => reduce(next, action, 0), state);
};
const refused: Receipt = {accepted: false, code: 'io', sentence: 'No.'};
const go = text('go');
const enter: readonly Action[] = [type('go'), {type: 'submit'}];
const sendPrompt: Action = {type: 'send prompt', segments: go};
const queue: Action = {type: 'queue draft', segments: go};
const messages = [
	{id: 'a', segments: go},
	{id: 'b', segments: text('on')},
];
const confirm: Action = {type: 'confirm draft'};
const confirmed: Action = {type: 'draft confirmed'};

/** Returns all places of a message before its receipt. Empty places are left out. */
function places({composer: {editor, held}, submission: {confirming, sending, returning}}: AppState): unknown {
	const all = {
		draft: toSegments(editor.draft),
		held: held === undefined ? [] : toSegments(held.draft),
		confirming: confirming === undefined ? [] : toSegments(confirming.draft),
		sending: sending.map(({segments, way}) => [way, segments]),
		returning: returning.map(({segments}) => segments),
	};
	return Object.fromEntries(Object.entries(all).filter(([, messages]) => messages.length > 0));
}

describe('a message', () => {
	it.each<readonly [string, readonly Action[], unknown]>([
		['submit', enter, {held: go}],
		['confirm draft', [...enter, confirm], {held: go, confirming: go}],
		['take back', [...enter, confirm, {type: 'take back'}], {draft: go}],
		['take back, with a newer draft', [...enter, type('new'), {type: 'take back'}], {draft: text('go\nnew')}],
		['send draft', [...enter, confirmed, {type: 'send draft'}], {held: go}],
		['queue draft', [...enter, confirmed, queue], {sending: [['queue', go]]}],
		['messages taken', [{type: 'messages taken', messages}], {returning: [go, text('on')]}],
		[
			'messages returned',
			[
				{type: 'messages taken', messages},
				{type: 'messages returned', messages, kept: messages},
			],
			{draft: text('go\non')},
		],
		[
			'messages returned, one of which the pod had sent',
			[
				{type: 'messages taken', messages},
				{type: 'messages returned', messages, kept: messages.slice(1)},
			],
			{draft: text('on')},
		],
		['an accepted receipt', [sendPrompt, {type: 'receipt', segments: go, receipt: {accepted: true}}], {}],
		[
			'a refused receipt',
			[sendPrompt, type('new'), {type: 'receipt', segments: go, receipt: refused}],
			{draft: text('go\nnew')},
		],
		[
			'run began, for a shell command',
			[{type: 'send prompt', segments: text('!ls')}, sendPrompt, {type: 'run began'}],
			{sending: [['run', go]]},
		],
	])('is in its place and nowhere else after the action %s', (_, actions, expected) => {
		expect(places(after(...actions))).toEqual(expected);
	});

	const outcomes = [
		[{accepted: true}, {}],
		[refused, {draft: go}],
	] as const;

	it.each(outcomes)('is in its place after the receipt %j comes while the composer keeps it', (receipt, expected) => {
		const sent = after(...enter);
		const settled = reduce(sent, {type: 'receipt', segments: go, held: sent.composer.held, receipt}, 0);
		expect(places(settled)).toEqual(expected);
	});
});
