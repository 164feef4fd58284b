import {describe, expect, it} from 'vitest';
import type {Event} from '../../../src/pod/protocol.ts';
import {update} from '../../../src/screen/control/app.ts';
import {connect} from '../../../src/screen/control/pod-events.ts';
import {sendPrompt} from '../../../src/screen/control/submit/submit.ts';
import {fakePod, idle, running} from '../../helpers/fake-app.ts';
import {createItems} from '../../helpers/items.ts';
import {testApp} from '../../helpers/test-app.ts';

describe('the preload', () => {
	function watched() {
		const calls: string[] = [];
		const app = testApp({preload: {typed: () => calls.push('typed'), stop: () => calls.push('stop')}});
		return {app, calls};
	}

	it('continues when you type, but not when a program sets the message', () => {
		const {app, calls} = watched();
		update(app, {type: 'returned', segments: [{type: 'text', text: 'back'}]});
		app.dispatch({type: 'scroll', scroll: app.state.transcript.scroll});
		expect(calls).toEqual([]);
		update(app, {type: 'insert', text: 'x'});
		expect(calls).toEqual(['typed']);
	});

	it('stops when you leave the screen', () => {
		const {app, calls} = watched();
		app.dispatch({type: 'leave screen'});
		expect(calls).toEqual(['stop']);
	});
});

describe('the frame for an event', () => {
	async function connected() {
		const asked: string[] = [];
		const app = testApp({}, undefined, when => asked.push(when));
		const pod = fakePod();
		await connect(app, pod);
		return {app, pod, asked};
	}

	const make = createItems();
	const item = (of: Extract<Event, {type: 'item'}>['item']): Event => ({type: 'item', item: of});

	it('waits while a message becomes a request, because Enter has drawn it', async () => {
		const {app, pod, asked} = await connected();
		await sendPrompt(app, [{type: 'text', text: 'Hello'}]);
		expect(asked.at(-1)).toBe('later');
		asked.length = 0;
		pod.emit({type: 'status', status: running});
		for (const each of [make.setup(), make.user('Hello'), make.file('a.ts', 'x'), make.sent()])
			pod.emit(item(each));
		pod.emit({type: 'delta', id: 'a', text: '', begin: make.assistant('')});
		expect(new Set(asked)).toEqual(new Set(['later', 'soon']));
	});

	it.each([
		['an answer', item(make.assistant('Hi'))],
		['a call', item(make.call('c', 'bash', {}))],
		['the end of a run', item(make.end())],
		['an idle session', {type: 'status', status: idle}],
		['a queued message', {type: 'status', status: {...running, queue: [{id: 'm', state: 'queued', preview: []}]}}],
		[
			'a question',
			{type: 'status', status: {...running, asks: [{kind: 'confirm', id: 'q', title: 'Go?', choices: []}]}},
		],
	] as unknown as ReadonlyArray<[string, Event]>)('comes at once for %s', async (_, event) => {
		const {pod, asked} = await connected();
		asked.length = 0;
		pod.emit(event);
		expect(asked).toContain('now');
	});
});
