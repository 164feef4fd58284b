import {describe, expect, it, vi} from 'vitest';
import type {Receipt} from '../../../../src/pod/protocol.ts';
import {createAsks} from '../../../../src/pod/permissions/approval/asks.ts';
import {attached, handPod, heard, rawClient, served, textItem} from '../../../helpers/socket-pod.ts';

const until = async (condition: () => boolean) =>
	vi.waitFor(() => expect(condition()).toBe(true), {timeout: 20_000, interval: 2});
const attach = '{"attach":2}\n';

describe('a connection', () => {
	it.each<[string, string | Buffer, string]>([
		['no JSON', 'GET / HTTP/1.1\r\n\r\n', 'A line was not JSON.'],
		['no UTF-8', Buffer.from([0x22, 0xff, 0x22, 0x0a]), 'A line was not JSON.'],
		['a value that is not an object', 'null\n', 'A line contained an unknown message.'],
		['something before it attaches', '{"id":1,"method":"cancel"}\n', 'A line contained an unknown message.'],
		['an unknown method', `${attach}{"id":1,"method":"rm"}\n`, 'A line contained an unknown message.'],
		[
			'a method without its parts',
			`${attach}{"id":1,"method":"run","segments":"x"}\n`,
			'A line contained an unknown message.',
		],
		['a method without an id', `${attach}{"method":"pause"}\n`, 'A line contained an unknown message.'],
		['an unknown version', '{"attach":99}\n', 'This session runs in another version of inkpod.'],
		['a line without an end', 'x'.repeat(5000), 'A line was too long.'],
		['deep nonsense', `${'['.repeat(4000)}\n`, 'A line was nested too deeply or had too many values.'],
		['nothing', '', 'The client sent nothing.'],
	])(
		'that sends invalid data is closed with one line, and others do not notice: %s',
		async (_name, bytes, sentence) => {
			const {client, hub, sent} = handPod();
			const {path} = await served(client, {limits: {maxLineBytes: 4096, ...(bytes === '' && {silenceMs: 300})}});
			const events = heard(await attached(path));
			const {socket, ended} = rawClient(path);
			socket.write(bytes);
			const lines = (await ended).trim().split('\n');
			expect(JSON.parse(lines.at(-1)!)).toEqual({error: sentence});
			hub.setStatus({kind: 'paused'});
			await until(() => events.length === 2);
			expect(sent).toEqual([]);
		},
	);

	it('that sends too many queries at once is closed, and its queries are aborted', async () => {
		let open = 0;
		const {client} = handPod([], {
			preflight: async (_segments, signal = new AbortController().signal) =>
				new Promise((_resolve, reject) => {
					open++;
					signal.addEventListener('abort', () => {
						open--;
						reject(new Error('given up'));
					});
				}),
		});
		const {path} = await served(client, {limits: {maxPending: 3}});
		const {socket, ended} = rawClient(path);
		socket.write(attach + [1, 2, 3, 4].map(id => `{"id":${id},"ask":"preflight","segments":[]}\n`).join(''));
		expect(await ended).toContain('Too many requests are waiting for an answer.');
		expect(open).toBe(0);
	});

	it('that closes only its own half is closed completely', async () => {
		const {client} = handPod();
		const {path} = await served(client);
		const {socket, ended} = rawClient(path);
		socket.end(attach);
		await ended;
		expect(await (await attached(path)).send({method: 'pause'})).toEqual({accepted: true});
	});
});

describe('a server', () => {
	it('drops a client that does not read 50 MB, while others receive everything', async () => {
		const {client, hub} = handPod([textItem('0', 'x'.repeat(3_000_000))]);
		const {path} = await served(client);
		const reader = await attached(path);
		let chars = 0;
		reader.subscribe(event => {
			if (event.type === 'delta') chars += event.text.length;
		});
		const {socket} = rawClient(path);
		socket.pause();
		socket.write(attach);
		const text = 'y'.repeat(50_000);
		let most = 0;
		const before = process.memoryUsage().rss;
		for (let n = 1; n <= 1000; n++) {
			hub.delta({id: `${n}`, text});
			most = Math.max(most, process.memoryUsage().rss - before);
			await until(() => chars >= (n - 20) * text.length);
		}
		await until(() => chars === 50_000_000);
		expect(most).toBeLessThan(250_000_000);
		const late = rawClient(path);
		late.socket.write(attach);
		socket.resume();
		await until(() => socket.destroyed);
		expect(await reader.send({method: 'pause'})).toEqual({accepted: true});
	});

	it('loses no event of a client that pauses within its snapshot', async () => {
		const items = Array.from({length: 400}, (_, n) => textItem(`${n}`, 'z'.repeat(5000)));
		const {client, history, hub} = handPod(items);
		const {path} = await served(client);
		const {socket, text} = rawClient(path);
		socket.write(attach);
		await until(() => text().length > 100);
		socket.pause();
		await history.append([textItem('late', 'late')]);
		hub.renew();
		await history.append([textItem('later', 'later')]);
		socket.resume();
		await until(() => text().endsWith('\n') && text().includes('"later"'));
		const lines = text()
			.trim()
			.split('\n')
			.map(line => JSON.parse(line) as {type?: string; count?: number; items?: unknown[]; item?: {id: string}});
		const heads = lines.flatMap((line, index) => (line.type === 'snapshot' ? [index] : []));
		const after = lines.slice(heads.at(-1));
		expect(heads).toHaveLength(2);
		expect(after[0]!.count).toBe(401);
		expect(after.flatMap(line => line.items ?? [])).toEqual([...items, textItem('late', 'late')]);
		expect(after.flatMap(line => (line.item === undefined ? [] : [line.item.id]))).toEqual(['later']);
	});

	it('serves sixteen clients and refuses the seventeenth until one leaves', async () => {
		const {client, hub} = handPod();
		const {path} = await served(client);
		const pods = await Promise.all(Array.from({length: 16}, async () => attached(path)));
		const all = pods.map(heard);
		expect(await rawClient(path).ended).toContain('16 terminals are already attached.');
		for (let n = 0; n < 200; n++) hub.delta({id: 'd', text: `${n}`});
		await until(() => all.every(events => events.length === 201));
		for (const events of all) expect(events).toEqual(all[0]);
		await pods[0]!.send({method: 'shutdown'});
		await vi.waitFor(async () => attached(path), {timeout: 20_000});
	});

	it('takes the first of two answers to a question, and removes the question from both clients', async () => {
		const asks = createAsks(
			() => 'q',
			list => hub.setStatus({asks: list}),
		);
		const places: Array<string | undefined> = [];
		const {client, hub} = handPod([], {
			async send(method): Promise<Receipt> {
				if (method.method !== 'answer') return {accepted: true};
				places.push(method.from);
				return asks.answer(method.askId, {choice: method.choice})
					? {accepted: true}
					: {accepted: false, code: 'no_such_ask', sentence: 'Gone.'};
			},
		});
		const {path} = await served(client);
		const [one, two] = [await attached(path), await attached(path)];
		const [seen, seenToo] = [heard(one), heard(two)];
		const answer = asks.ask(
			{
				title: 'May I?',
				detail: '',
				choices: [
					{choice: 'allow', label: 'Yes'},
					{choice: 'deny', label: 'No', refuses: true},
				],
			},
			new AbortController().signal,
		);
		await until(() => seen.length === 2 && seenToo.length === 2);
		const claim = {from: 'editor'};
		expect(await one.send({method: 'answer', askId: 'q', choice: 'allow', ...claim})).toEqual({accepted: true});
		expect(await two.send({method: 'answer', askId: 'q', choice: 'allow'})).toMatchObject({code: 'no_such_ask'});
		expect(await answer).toEqual({choice: 'allow'});
		// A client cannot claim that the user answered somewhere else.
		expect(places).toEqual(['attached', 'attached']);
		for (const events of [seen, seenToo])
			expect(events.at(-1)).toEqual({type: 'status', status: {kind: 'idle', asks: [], queue: []}});
	});
});
