import {describe, expect, it, vi} from 'vitest';
import {handTimer} from '../../../helpers/hand-timer.ts';
import {attached, handPod, heard, rawClient, served} from '../../../helpers/socket-pod.ts';

const until = async (condition: () => boolean) =>
	vi.waitFor(() => expect(condition()).toBe(true), {timeout: 20_000, interval: 2});
const attach = '{"attach":2}\n';
const mib = 1024 * 1024;

describe('a client that does not greet', () => {
	it.each<[string, string]>([
		['nothing', ''],
		['half a line', '{"att'],
		['an empty text', '""'],
	])('loses its slot after 2 s when it sends %s', async (_what, said) => {
		const {timer, pass} = handTimer();
		const {path, load} = await served(handPod().client, {timer});
		const {socket, ended} = rawClient(path);
		socket.write(said);
		await until(() => load().connections === 1 && load().bufferedBytes >= said.length);
		pass(1999);
		expect(load().connections).toBe(1);
		pass(1);
		expect(JSON.parse((await ended).trim().split('\n').at(-1)!)).toEqual({error: 'The client sent nothing.'});
		await until(() => load().connections === 0);
	});

	it('loses its slot even when it sends a byte now and then', async () => {
		const {timer, pass} = handTimer();
		const {path, load} = await served(handPod().client, {timer});
		const {socket, ended} = rawClient(path);
		for (const byte of ['{', '"', 'a', 't', 't', 'a', 'c', 'h']) {
			socket.write(byte);
			await until(() => load().bufferedBytes > 0 && load().connections === 1);
			pass(250);
		}
		expect(await ended).toContain('The client sent nothing.');
	});

	it('leaves room for others, however many clients do the same', async () => {
		const {timer, pass} = handTimer();
		const {path, load} = await served(handPod().client, {timer});
		const mute = Array.from({length: 16}, () => rawClient(path));
		await until(() => load().connections === 16);
		expect(await rawClient(path).ended).toContain('16 terminals are already attached.');
		pass(2000);
		await Promise.all(mute.map(async ({ended}) => ended));
		expect(await (await attached(path)).send({method: 'pause'})).toEqual({accepted: true});
	});

	it('cannot attach after it was refused', async () => {
		const {timer, pass} = handTimer();
		const {client, sent} = handPod();
		const {path, load} = await served(client, {timer});
		const {socket, text} = rawClient(path);
		await until(() => load().connections === 1);
		pass(2000);
		socket.write(`${attach}{"id":1,"method":"pause"}\n`);
		await until(() => socket.destroyed);
		expect(text()).not.toContain('snapshot');
		expect(sent).toEqual([]);
	});
});

describe('a client that is refused', () => {
	it('is disconnected a second later when it neither reads nor hangs up', async () => {
		const {timer, pass, waiting} = handTimer();
		const {path, load} = await served(handPod().client, {timer});
		const {socket} = rawClient(path, {allowHalfOpen: true});
		socket.write('no\n');
		socket.pause();
		await until(() => load().connections === 0 && waiting() === 1);
		pass(1000);
		expect(waiting()).toBe(0);
	});

	it('counts among the at most 32 open connections', async () => {
		const {timer} = handTimer();
		const {path, load} = await served(handPod().client, {timer});
		const all = Array.from({length: 200}, () => rawClient(path, {allowHalfOpen: true}));
		const closed = () => all.filter(({socket}) => socket.destroyed || socket.readableEnded).length;
		await until(() => closed() >= 168);
		expect(load().connections).toBe(16);
	});
});

describe('the memory of an invalid line', () => {
	const chunk = Buffer.alloc(mib, 'x');

	it.each<[string, string, readonly (string | Buffer)[]]>([
		['100 MB without a newline, before it attaches', 'A line was too long', Array.from({length: 100}, () => chunk)],
		['100 MB without a newline', 'A line was too long', [attach, ...Array.from({length: 100}, () => chunk)]],
		[
			'1,000,000 empty lines',
			'A line was not JSON.',
			[attach, ...Array.from({length: 16}, () => Buffer.alloc(65_536, '\n'))],
		],
		['1,000,000 lines of another protocol', 'an unknown message', [attach, '{"hello":1}\n'.repeat(1_000_000)]],
		['half a line and its end', 'is lost', [attach, '{"id":1,"meth']],
		['JSON that is cut off', 'A line was not JSON.', [attach, `{"a":"${'x'.repeat(mib)}\n`]],
		[
			'an array with 8,000,000 values',
			'nested too deeply or had too many',
			[attach, `[${'0,'.repeat(8_000_000)}0]\n`],
		],
		['16,000,000 open brackets', 'nested too deeply or had too many', [attach, `${'['.repeat(16_000_000)}\n`]],
		[
			'objects in objects',
			'nested too deeply or had too many',
			[attach, `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}\n`],
		],
		[
			'a method nested in itself',
			'nested too deeply or had too many',
			[attach, `{"id":1,"method":${'['.repeat(2000)}${']'.repeat(2000)}}\n`],
		],
		['a number', 'an unknown message', [attach, '7\n']],
		['a list of methods', 'an unknown message', [attach, '[{"id":1,"method":"pause"}]\n']],
		['an id that is a text', 'an unknown message', [attach, '{"id":"1","method":"pause"}\n']],
		['an id that is not a whole number', 'an unknown message', [attach, '{"id":1e999,"method":"pause"}\n']],
		['a prototype', 'an unknown message', [attach, '{"__proto__":{"method":"pause"},"id":1}\n']],
		[
			'segments of another shape',
			'an unknown message',
			[attach, '{"id":1,"method":"run","segments":[{"type":"text","text":{"a":1}}]}\n'],
		],
		['NUL bytes', 'A line was not JSON.', [attach, `${'\0'.repeat(mib)}\n`]],
		['broken UTF-8 of many bytes', 'A line was not JSON.', [attach, Buffer.alloc(mib, 0xff), '\n']],
	])(
		'is freed, and the server keeps running: %s',
		async (_what, sentence, pieces) => {
			const {client, sent} = handPod();
			const {path, load} = await served(client);
			const {socket, text} = rawClient(path);
			for (const piece of pieces) {
				if (socket.destroyed) break;
				if (!socket.write(piece))
					await Promise.race([
						new Promise(resolve => socket.once('drain', resolve)),
						new Promise(resolve => socket.once('close', resolve)),
					]);
			}
			if (sentence === 'is lost') socket.destroy();
			await until(() => socket.destroyed && load().connections === 0);
			expect(load()).toEqual({connections: 0, bufferedBytes: 0});
			if (sentence !== 'is lost' && text().includes('error')) expect(text()).toContain(sentence);
			const pod = await attached(path);
			expect(await pod.send({method: 'resume'})).toEqual({accepted: true});
			expect(sent).toEqual([{method: 'resume'}]);
		},
		60_000,
	);

	it('is bounded while the line arrives byte by byte, and freed at its end', async () => {
		const {path, load} = await served(handPod().client);
		const {socket} = rawClient(path);
		socket.write(attach);
		socket.setNoDelay(true);
		const length = 3000;
		socket.write('{"cancel":1,"a":"');
		for (let n = 0; n < length; n++) {
			socket.write('x');
			if (n % 100 === 0) await new Promise(resolve => setImmediate(resolve));
		}
		await until(() => load().bufferedBytes > 0);
		expect(load().bufferedBytes).toBeLessThan(16_384);
		socket.write('"}\n');
		await until(() => load().bufferedBytes === 0);
		expect(load().connections).toBe(1);
	});

	it('is less than twice the unfinished line', async () => {
		const {path, load} = await served(handPod().client);
		const {socket} = rawClient(path);
		socket.write(attach);
		const line = 20 * mib;
		socket.write(Buffer.alloc(line, 'x'));
		await until(() => load().bufferedBytes >= line);
		expect(load().bufferedBytes).toBeLessThanOrEqual(32 * mib);
		socket.destroy();
		await until(() => load().bufferedBytes === 0);
	});

	it('does not affect other clients', async () => {
		const {client, hub} = handPod();
		const {path} = await served(client);
		const events = heard(await attached(path));
		const bad = Array.from({length: 10}, () => rawClient(path));
		for (const {socket} of bad) socket.write(`${attach}${'['.repeat(100_000)}\n`);
		await Promise.all(bad.map(async ({ended}) => ended));
		hub.setStatus({kind: 'paused'});
		await until(() => events.length === 2);
	});
});
