import type {Socket} from 'node:net';
import {describe, expect, it, vi} from 'vitest';
import {connectPod, type Connected, type ConnectOptions} from '../../../../src/pod/remote/attach/client.ts';
import {probe} from '../../../../src/pod/remote/attach/probe.ts';
import {lineOf} from '../../../../src/pod/ground/text/lines.ts';
import {handTimer} from '../../../helpers/hand-timer.ts';
import {greetingLine, heard, rawServer, snapshotLine, textItem} from '../../../helpers/socket-pod.ts';

const until = async (condition: () => boolean) =>
	vi.waitFor(() => expect(condition()).toBe(true), {timeout: 20_000, interval: 2});
const strange = 'The other terminal sent a message that this version of inkpod does not know.';
const large = 'The other terminal sent more data than this terminal can store.';
const mib = 1024 * 1024;

/**
Writes the same piece repeatedly, as fast as the peer reads, until the connection ends or `most` pieces are written.
*/
function flood(socket: Socket, piece: string | Buffer, most = Number.POSITIVE_INFINITY): void {
	let written = 0;
	const pour = () => {
		while (!socket.destroyed && written < most) {
			written += 1;
			if (!socket.write(piece)) return;
		}
	};
	socket.on('drain', pour);
	pour();
}

/** Connects to a server that sends one text at once and another one repeatedly. Returns the end of the connection. */
async function meet(
	said: readonly (string | Buffer)[],
	again?: string | Buffer,
	options: ConnectOptions = {},
): Promise<{readonly connected: Connected; readonly sentence: string}> {
	const path = await rawServer(socket => {
		for (const piece of said) socket.write(piece);
		if (again !== undefined) flood(socket, again);
	});
	const connected = await connectPod(path, options);
	return {connected, sentence: connected.ok ? await connected.pod.closed : connected.sentence};
}

describe('a hostile server', () => {
	const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
	const asking = (choices: readonly string[]) => ({
		kind: 'idle',
		asks: [{id: 'a', title: 'Run?', detail: '', choices: choices.map(choice => ({choice, label: choice}))}],
		queue: [],
	});
	const item = (more: object) => lineOf({type: 'item', item: {...textItem('i', 'x'), ...more}});

	it.each<[string, readonly (string | Buffer)[], string]>([
		['sends text that is not JSON', ['HTTP/1.1 400 Bad Request\r\n\r\n'], strange],
		['sends bytes that are not UTF-8', [Buffer.from([0x22, 0xff, 0x22, 0x0a])], strange],
		['sends nothing and hangs up', [''], 'The connection to the other terminal was lost.'],
		['has another version', [greetingLine({inkpod: 3})], 'The other terminal runs another version of inkpod.'],
		['has a text as its version', [greetingLine({inkpod: '1'})], strange],
		[
			'has the version -1e308',
			[greetingLine({inkpod: -1e308})],
			'The other terminal runs another version of inkpod.',
		],
		['has another session', [greetingLine({session: '01JDBBBBBBBBBBBBBBBBBBBBBB'})], strange],
		['has a path as its id', [greetingLine({session: '../../etc'})], strange],
		['asks without a choice', [greetingLine(), snapshotLine({status: asking([])})], strange],
		['asks without a choice that refuses', [greetingLine(), snapshotLine({status: asking(['yes'])})], strange],
		['has the process -1', [greetingLine({pid: -1})], strange],
		['has a long greeting', [greetingLine({pwd: `/${'p'.repeat(100_000)}`})], strange],
		['greets twice', [greetingLine(), greetingLine()], strange],
		['begins with a snapshot', [snapshotLine()], strange],
		['begins with an event', [item({})], strange],
		['sends events before a snapshot', [greetingLine(), item({})], strange],
		['sends items before a snapshot', [greetingLine(), '{"type":"items","items":[]}\n'], strange],
		['promises -1 items', [greetingLine(), snapshotLine({count: -1})], strange],
		['promises half an item', [greetingLine(), snapshotLine({count: 0.5})], strange],
		[
			'sends more items than promised',
			[
				greetingLine(),
				snapshotLine({count: 1}),
				lineOf({type: 'items', items: [textItem('1', ''), textItem('2', '')]}),
			],
			strange,
		],
		[
			'sends values that are not items',
			[greetingLine(), snapshotLine({count: 1}), '{"type":"items","items":[{"id":"1"}]}\n'],
			strange,
		],
		[
			'sends an items line without a list',
			[greetingLine(), snapshotLine({count: 9}), '{"type":"items","items":[]}\n'],
			strange,
		],
		[
			'sends a deep item',
			[
				greetingLine(),
				snapshotLine(),
				`{"type":"item","item":{"id":"i","at":"t","type":"message","role":"user","text":"","x":${deep}}}\n`,
			],
			strange,
		],
		[
			'sends an item with many values',
			[
				greetingLine(),
				snapshotLine(),
				`{"type":"item","item":{"id":"i","at":"t","type":"message","role":"user","text":"",` +
					`"x":[${'{},'.repeat(5_000_000)}{}]}}\n`,
			],
			strange,
		],
		[
			'answers a query that was never sent',
			[greetingLine(), snapshotLine(), '{"id":77,"receipt":{"accepted":true}}\n'],
			strange,
		],
		['sends an unknown event', [greetingLine(), snapshotLine(), '{"type":"exec","command":"id"}\n'], strange],
		['sends an empty status', [greetingLine(), snapshotLine(), '{"type":"status","status":{}}\n'], strange],
		['sends a prototype', [greetingLine(), snapshotLine(), '{"__proto__":{"type":"closed"}}\n'], strange],
		[
			'is closed at once',
			[greetingLine(), snapshotLine(), '{"type":"closed"}\n'],
			'The connection to the other terminal was lost.',
		],
		[
			'is closed twice',
			[greetingLine(), snapshotLine(), '{"type":"closed","sentence":"x"}\n{"type":"closed","sentence":"y"}\n'],
			'x',
		],
		['sends an error', ['{"error":"no"}\n'], 'no'],
	])('is disconnected with one sentence when it %s', async (_what, said, sentence) => {
		const path = await rawServer(socket => {
			for (const piece of said) socket.write(piece);
			if (said[0] === '') socket.end();
		});
		const connected = await connectPod(path);
		const end = connected.ok ? await connected.pod.closed : connected.sentence;
		expect(end).toBe(sentence);
	});

	it.each<[string, readonly string[], string | Buffer, string]>([
		['a line without an end as its greeting', [], Buffer.alloc(65_536, 'x'), strange],
		['a line without an end', [greetingLine(), snapshotLine()], Buffer.alloc(mib, 'x'), strange],
		['empty lines', [greetingLine(), snapshotLine()], '\n'.repeat(1000), strange],
		['greetings', [greetingLine()], greetingLine(), strange],
		['items', [greetingLine(), snapshotLine()], item({text: 'x'.repeat(1000)}), large],
		[
			'items within a snapshot',
			[greetingLine(), snapshotLine({count: 1e15})],
			lineOf({type: 'items', items: [textItem('1', 'x'.repeat(1000))]}),
			large,
		],
		[
			'items with many values',
			[greetingLine(), snapshotLine()],
			`{"type":"item","item":{"id":"i","at":"t","type":"message","role":"user","text":"","x":[${'0,'.repeat(1000)}0]}}\n`,
			large,
		],
		[
			'deltas',
			[greetingLine(), snapshotLine({tail: [textItem('1', '')]})],
			lineOf({type: 'delta', id: '1', text: 'x'.repeat(1000)}),
			large,
		],
		[
			'deltas that begin items',
			[greetingLine(), snapshotLine()],
			lineOf({type: 'delta', id: '1', text: '', begin: textItem('1', '')}),
			large,
		],
	])('is disconnected when it floods with %s', async (_what, said, again, sentence) => {
		const met = await meet(said, again, {maxWeight: 4 * mib});
		expect(met.sentence).toBe(sentence);
	});

	it('is disconnected when it begins more items than can be searched', async () => {
		const begin = lineOf({type: 'delta', id: '1', text: '', begin: textItem('1', '')});
		expect((await meet([greetingLine(), snapshotLine()], begin.repeat(50))).sentence).toBe(strange);
	});

	it.each<[string, (text: string) => string]>([
		['an error', text => lineOf({error: text})],
		['its end', text => `${greetingLine()}${snapshotLine()}${lineOf({type: 'closed', sentence: text})}`],
	])('is quoted only up to the limit when it sends %s of 20 MB', async (_what, said) => {
		const {sentence} = await meet([said('s'.repeat(20 * mib))]);
		expect(sentence.length).toBeLessThanOrEqual(4096);
	});

	it('uses no more memory when it floods with alerts, snapshots and statuses', async () => {
		const alert = lineOf({type: 'alert', alert: {level: 'warn', text: 'a'.repeat(100_000)}});
		const status = lineOf({type: 'status', status: {kind: 'idle', asks: [], queue: []}});
		const said = `${alert}${status}${snapshotLine()}`.repeat(300);
		const path = await rawServer(socket =>
			socket.write(`${greetingLine()}${snapshotLine()}${said}${lineOf({type: 'closed', sentence: 'done'})}`),
		);
		const connected = await connectPod(path, {maxWeight: mib});
		if (!connected.ok) throw new Error(connected.sentence);
		let longest = 0;
		connected.pod.subscribe(event => {
			if (event.type === 'alert') longest = Math.max(longest, event.alert.text.length);
		});
		expect(await connected.pod.closed).toBe('done');
		expect(longest).toBe(4096);
	});
});

describe('a server that is slow', () => {
	it('times out when it does not greet, however many bytes it sends', async () => {
		const {timer, pass} = handTimer();
		let socket: Socket | undefined;
		const path = await rawServer(connected => (socket = connected));
		const outcome = connectPod(path, {timeoutMs: 1000, timer});
		await until(() => socket !== undefined);
		for (const byte of '{"in') {
			socket!.write(byte);
			pass(250);
		}
		expect(await outcome).toMatchObject({ok: false, sentence: 'The other terminal does not respond.'});
	});

	it('times out when its snapshot takes too long, although single lines arrive in time', async () => {
		const {timer, pass} = handTimer();
		let read = 0;
		const path = await rawServer(socket => {
			socket.write(`${greetingLine()}${snapshotLine({count: 1e9})}`);
			const more = () => {
				read += 1;
				socket.write(lineOf({type: 'items', items: [textItem('1', '')]}));
			};
			const each = setInterval(more, 1);
			socket.on('close', () => clearInterval(each));
		});
		const outcome = connectPod(path, {timeoutMs: 1000, timer});
		for (let n = 0; n < 24; n++) {
			const before = read;
			await until(() => read > before + 2 || n === 23);
			pass(500);
		}
		expect(await outcome).toMatchObject({ok: false, sentence: 'The other terminal does not respond.'});
	});

	it('stays attached after the snapshot, however long it sends nothing', async () => {
		const {timer, pass, waiting} = handTimer();
		let socket: Socket | undefined;
		const path = await rawServer(connected => {
			socket = connected;
			socket.write(`${greetingLine()}${snapshotLine()}`);
		});
		const connected = await connectPod(path, {timeoutMs: 1000, timer});
		if (!connected.ok) throw new Error(connected.sentence);
		const events = heard(connected.pod);
		socket!.write(lineOf({type: 'alert', alert: {level: 'info', text: 'x'}}));
		await until(() => events.length === 2);
		pass(60_000);
		expect([waiting(), events.length]).toEqual([0, 2]);
	});

	it('is not found by a probe when its greeting is slow', async () => {
		const path = await rawServer(socket => socket.write('{"inkpod":2,'));
		expect(await probe(path)).toBeUndefined();
	});

	it('is disconnected when it does not read', async () => {
		const path = await rawServer(socket => {
			socket.pause();
			socket.write(`${greetingLine()}${snapshotLine()}`);
		});
		const connected = await connectPod(path);
		if (!connected.ok) throw new Error(connected.sentence);
		const events = heard(connected.pod);
		const text = 'x'.repeat(30 * mib);
		const receipts = Array.from({length: 6}, async () =>
			connected.pod.send({method: 'run', segments: [{type: 'text', text}]}),
		);
		expect(await connected.pod.closed).toBe('The other terminal does not respond.');
		expect(await Promise.all(receipts)).toEqual(
			receipts.map(() => expect.objectContaining({accepted: false, code: 'closed'})),
		);
		expect(events.at(-1)).toMatchObject({type: 'closed'});
	});

	it('is left even when it answers nothing', async () => {
		const path = await rawServer(socket => socket.write(`${greetingLine()}${snapshotLine()}`));
		const connected = await connectPod(path);
		if (!connected.ok) throw new Error(connected.sentence);
		expect(await connected.pod.send({method: 'leave'})).toEqual({accepted: true});
		expect(await connected.pod.send({method: 'shutdown'})).toEqual({accepted: true});
	});
});
