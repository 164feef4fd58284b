import {mkdir, readdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {connectPod} from '../../../../src/pod/remote/attach/client.ts';
import {socketPath} from '../../../../src/pod/remote/attach/socket-path.ts';
import type {Env} from '../../../../src/pod/ground/env/env.ts';
import type {Status} from '../../../../src/pod/protocol.ts';
import type {Transfer} from '../../../../src/pod/open/serve/transfer.ts';
import {createBackgroundHost, type BackgroundHost} from '../../../../src/pod/open/serve/background-host.ts';
import {handTimer} from '../../../helpers/hand-timer.ts';
import {socketDir} from '../../../helpers/socket-pod.ts';
import {tempHome} from '../../disk/fixture.ts';

const bash = (command: string) => ({type: 'tool_call', name: 'bash', arguments: {command}});
const says = (text: string) => ({type: 'text', text});

/** Creates a host whose model follows a script, and whose time the test sets. */
async function keeping(script: unknown) {
	const {home, cwd, env: own} = await tempHome();
	const runtime = await socketDir();
	await mkdir(join(runtime, 'inkpod'), {mode: 0o700});
	await writeFile(join(home, 'script.json'), JSON.stringify(script));
	const env: Env = {...own, XDG_RUNTIME_DIR: runtime, PATH: process.env['PATH']};
	const {timer, pass} = handTimer();
	let now = 0;
	const log: string[] = [];
	const create = () => {
		const created = createBackgroundHost({env, idleMs: 1000, onLog: line => log.push(line), timer, now: () => now});
		onTestFinished(async () => created.close());
		return created;
	};
	const host = create();
	const order: Transfer = {
		cwd,
		session: {kind: 'new'},
		model: `scripted:${join(home, 'script.json')}`,
		readOnly: false,
		addDirs: [],
		noConfine: true,
	};
	return {
		host,
		order,
		log,
		/** Closes the server, and starts another one. */
		async restart() {
			await host.close();
			log.length = 0;
			const next = create();
			await next.restore();
			return next;
		},
		sockets: async () => readdir(join(runtime, 'inkpod')),
		attach: async (id: string) => attach(socketPath(join(runtime, 'inkpod'), id)),
		later(ms: number) {
			now += ms;
			pass(ms);
		},
	};
}

async function attach(path: string) {
	const connected = await connectPod(path);
	if (!connected.ok) throw new Error(connected.sentence);
	const {pod} = connected;
	const waiting = Promise.withResolvers<void>();
	const texts: string[] = [];
	let status: Status | undefined;
	let look = () => {};
	pod.subscribe(event => {
		if ('status' in event) ({status} = event);
		if (event.type === 'snapshot')
			for (const item of event.items) if (item.type === 'message') texts.push(item.text);
		if (event.type === 'item' && event.item.type === 'message') texts.push(event.item.text);
		look();
	});
	return {
		pod,
		texts,
		status: () => status!,
		until: async (condition: () => boolean) => {
			look = () => condition() && waiting.resolve();
			look();
			return waiting.promise;
		},
		leave: async () => pod.send({method: 'shutdown'}),
	};
}

async function opened({host}: {readonly host: BackgroundHost}, order: Transfer): Promise<string> {
	const kept = await host.open(order);
	if (!kept.ok) throw new Error(kept.sentence);
	return kept.id;
}

describe('a session in the server', () => {
	it('begins with a message, and waits with its question until somebody attaches', async () => {
		const kept = await keeping([[bash('echo ran > made.txt')], [says('Done.')]]);
		const id = await opened(kept, {...kept.order, prompt: 'run it'});
		const client = await kept.attach(id);
		await client.until(() => client.status().asks.length > 0);
		kept.later(10_000);
		const [ask] = client.status().asks;
		await client.pod.send({method: 'answer', askId: ask!.id, choice: 'allow'});
		await client.until(() => client.texts.includes('Done.'));
		expect(client.texts.slice(0, 1)).toEqual(['run it']);
		expect(kept.log).toEqual([expect.stringContaining(`${id} opened in `) as unknown]);
		await client.leave();
	});

	it('keeps the rules of its terminal', async () => {
		const kept = await keeping([[bash('echo ran > made.txt')], [says('Done.')]]);
		const rules: Transfer['rules'] = [{tool: 'bash', exact: 'echo ran > made.txt', action: 'allow'}];
		const client = await kept.attach(await opened(kept, {...kept.order, rules, prompt: 'run it'}));
		await client.until(() => client.texts.includes('Done.'));
		await client.leave();
	});

	it('closes when nothing has happened for a while, and can be opened again with its interrupted turn', async () => {
		const kept = await keeping([[says('One.')]]);
		const id = await opened(kept, {...kept.order, prompt: 'go'});
		const client = await kept.attach(id);
		await client.until(() => client.status().kind === 'idle' && client.texts.includes('One.'));
		kept.later(5000);
		expect(await kept.sockets()).toEqual([`${id}.sock`]);
		await client.leave();
		const laterLog = () => {
			kept.later(600);
			return kept.log.at(-1);
		};
		await expect.poll(laterLog).toBe(`${id} closed: nothing ran, and nobody was attached`);
		expect(await kept.sockets()).toEqual([]);
		expect(await opened(kept, {...kept.order, session: {kind: 'id', id: id.slice(0, 20)}, resumes: true})).toBe(id);
	});

	it.each<[string, Partial<Transfer>, string]>([
		['an unknown session', {session: {kind: 'id', id: '01AAAAAA'}}, '01AAAAAA'],
		['an unknown folder', {cwd: '/nowhere/at/all'}, '/nowhere/at/all'],
		['an unknown model', {model: 'nobody/nothing'}, 'nobody'],
	])('is refused with a sentence: %s', async (_name, change, words) => {
		const {host, order} = await keeping([]);
		expect(await host.check({...order, ...change})).toContain(words);
		expect(await host.open({...order, ...change})).toMatchObject({ok: false});
	});

	it('is refused while another process has it open', async () => {
		const kept = await keeping([[says('One.')]]);
		const id = await opened(kept, {...kept.order, prompt: 'go'});
		const again = await kept.host.open({...kept.order, session: {kind: 'id', id}});
		expect(again).toMatchObject({ok: false, sentence: expect.stringContaining(String(process.pid)) as unknown});
	});

	it('is opened again after a restart if its turn was interrupted, and waits there for somebody', async () => {
		const kept = await keeping([[bash('echo ran > made.txt')], [says('Done.')], [says('Other.')]]);
		const id = await opened(kept, {...kept.order, prompt: 'run it'});
		const first = await kept.attach(id);
		await first.until(() => first.status().asks.length > 0);
		const {host} = kept;
		await kept.restart();
		await host.close();
		expect(kept.log).toEqual([
			expect.stringContaining(`${id} opened in `),
			expect.stringContaining(`${id} is unfinished and waits for you.`),
		]);
		kept.later(100_000);
		expect(await kept.sockets()).toEqual([`${id}.sock`]);
		const client = await kept.attach(id);
		expect(client.status()).toMatchObject({kind: 'paused', asks: []});
		await client.pod.send({method: 'resume'});
		await client.until(() => client.status().asks.length > 0);
		await client.leave();
	});

	it('is opened again after a restart only if it is unfinished', async () => {
		const kept = await keeping([[says('One.')]]);
		const id = await opened(kept, {...kept.order, prompt: 'go'});
		const client = await kept.attach(id);
		await client.until(() => client.status().kind === 'idle' && client.texts.includes('One.'));
		await client.leave();
		await kept.restart();
		expect([kept.log, await kept.sockets()]).toEqual([[], []]);
	});

	it('is reported after a restart when it cannot be opened', async () => {
		const kept = await keeping([[bash('echo ran > made.txt')]]);
		const id = await opened(kept, {...kept.order, prompt: 'run it'});
		const client = await kept.attach(id);
		await client.until(() => client.status().asks.length > 0);
		await kept.host.close();
		await rm(kept.order.cwd, {recursive: true});
		await kept.restart();
		expect(kept.log).toEqual([expect.stringMatching(new RegExp(`^${id}: .*project`))]);
		await kept.restart();
		expect(kept.log).toEqual([]);
	});

	it('is closed with the server, which opens no other one', async () => {
		const kept = await keeping([[says('One.')]]);
		const id = await opened(kept, {...kept.order, prompt: 'go'});
		await kept.host.close();
		expect(kept.log.at(-1)).toBe(`${id} closed`);
		expect(await kept.host.open(kept.order)).toEqual({ok: false, sentence: 'The inkpod server is shutting down.'});
	});
});
