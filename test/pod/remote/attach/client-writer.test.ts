import {describe, expect, it, vi} from 'vitest';
import {createReconnectingClient, type Reconnected} from '../../../../src/pod/remote/attach/client-writer.ts';
import type {Alert} from '../../../../src/pod/protocol.ts';
import {handPod, heard, textItem} from '../../../helpers/socket-pod.ts';

const info = (text: string): Alert => ({level: 'info', text});

describe('a reconnecting client', () => {
	it('continues with the next pod after a snapshot and an alert, while requests wait', async () => {
		const [first, second] = [
			handPod([textItem('1', 'one')]),
			handPod([textItem('1', 'one'), textItem('2', 'two')]),
		];
		const found = Promise.withResolvers<Reconnected>();
		const pod = createReconnectingClient(first.client, {
			alerts: [info('attached')],
			reconnect: async () => found.promise,
		});
		const events = heard(pod);
		const late = heard(pod);
		first.hub.close('gone');
		const receipt = pod.send({method: 'resume'});
		const answer = pod.complete({kind: 'path', text: '', limit: 1});
		expect(first.sent).toEqual([]);
		found.resolve({ok: true, pod: second.client, alerts: [info('goes on')]});
		expect(await receipt).toEqual({accepted: true});
		expect((await answer).matches).toEqual([]);
		second.hub.setStatus({kind: 'paused'});
		expect(second.sent).toEqual([{method: 'resume'}]);
		expect(
			events.map(event =>
				event.type === 'snapshot' ? event.items.length : event.type === 'alert' ? event.alert.text : event.type,
			),
		).toEqual([1, 'attached', 2, 'goes on', 'status']);
		expect(late.map(({type}) => type)).toEqual(['snapshot', 'snapshot', 'alert', 'status']);
		expect(heard(pod)).toHaveLength(1);
	});

	it('is closed with the sentence when there is no next pod', async () => {
		const first = handPod();
		const pod = createReconnectingClient(first.client, {
			alerts: [],
			reconnect: async () => ({ok: false, sentence: 'None.'}),
		});
		const events = heard(pod);
		first.hub.close();
		expect(await pod.send({method: 'resume'})).toMatchObject({accepted: false, code: 'closed'});
		expect(events.at(-1)).toEqual({type: 'closed', sentence: 'None.'});
	});

	it('tells a listener that comes after the end that it is closed, and why', async () => {
		const first = handPod();
		const pod = createReconnectingClient(first.client, {
			alerts: [info('attached')],
			reconnect: async () => ({ok: false, sentence: 'None.'}),
		});
		first.hub.close();
		await pod.send({method: 'resume'});
		expect(heard(pod).map(event => (event.type === 'alert' ? event.alert.text : event))).toMatchObject([
			{type: 'snapshot'},
			'attached',
			{type: 'closed', sentence: 'None.'},
		]);
	});

	it('keeps the alerts of a next pod for the first listener', async () => {
		const [first, second] = [handPod(), handPod([textItem('2', 'two')])];
		const pod = createReconnectingClient(first.client, {
			alerts: [info('attached')],
			reconnect: async () => ({ok: true, pod: second.client, alerts: [info('goes on')]}),
		});
		first.hub.close();
		await pod.send({method: 'resume'});
		const texts = heard(pod).map(event => (event.type === 'alert' ? event.alert.text : event.type));
		expect(texts).toEqual(['snapshot', 'attached', 'goes on']);
		expect(heard(pod).map(({type}) => type)).toEqual(['snapshot']);
	});

	it('does not reconnect after a shutdown, and shuts down a pod that comes late', async () => {
		const first = handPod();
		const calls: AbortSignal[] = [];
		const second = handPod();
		const found = Promise.withResolvers<Reconnected>();
		const reconnect = async (signal: AbortSignal) => {
			calls.push(signal);
			return found.promise;
		};
		const still = createReconnectingClient(first.client, {alerts: [], reconnect});
		await still.send({method: 'shutdown'});
		first.hub.close();
		expect([first.sent, calls]).toEqual([[{method: 'shutdown'}], []]);

		const third = handPod();
		const pod = createReconnectingClient(third.client, {alerts: [], reconnect});
		third.hub.close();
		const left = pod.send({method: 'shutdown'});
		expect(calls[0]!.aborted).toBe(true);
		found.resolve({ok: true, pod: second.client, alerts: []});
		await left;
		expect(second.sent).toEqual([{method: 'shutdown'}]);
	});
});

describe('a reconnecting client whose pods hang up at once', () => {
	it('is closed with one sentence after several pods in a row', async () => {
		const first = handPod();
		const tries: number[] = [];
		const reconnect = async (): Promise<Reconnected> => {
			const next = handPod();
			tries.push(tries.length);
			setImmediate(() => next.hub.close('bye'));
			return {ok: true, pod: next.client, alerts: [info('attached')]};
		};
		const pod = createReconnectingClient(first.client, {alerts: [], reconnect, now: () => 0});
		const events = heard(pod);
		first.hub.close();
		await vi.waitFor(() => expect(events.at(-1)?.type).toBe('closed'));
		expect(events.at(-1)).toEqual({
			type: 'closed',
			sentence: 'The other terminal disconnected several times in a row. Start inkpod again to attach to it.',
		});
		expect(tries).toHaveLength(5);
		expect(await pod.send({method: 'resume'})).toMatchObject({accepted: false, code: 'closed'});
	});

	it('continues when each pod lasts a while', async () => {
		let ms = 0;
		let found = 0;
		let last = handPod();
		const reconnect = async (): Promise<Reconnected> => {
			found += 1;
			last = handPod();
			return {ok: true, pod: last.client, alerts: []};
		};
		const pod = createReconnectingClient(last.client, {alerts: [], reconnect, now: () => ms});
		for (let n = 1; n <= 20; n++) {
			ms += 10_000;
			last.hub.close();
			await vi.waitFor(() => expect(found).toBe(n));
			expect(await pod.send({method: 'pause'})).toEqual({accepted: true});
		}
	});
});
