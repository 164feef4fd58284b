import {chmod, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {attachRemote} from '../../../../src/pod/open/start/attach-remote.ts';
import type {OpenPod} from '../../../../src/pod/open/start/local-pod.ts';
import {handPod, heard, served, sessionId, socketDir} from '../../../helpers/socket-pod.ts';

/** Connects its pipes with a socket, as `inkpod attach --stdio` does on the other machine. */
const bridge = (path: string) => `
const socket = require('net').createConnection(${JSON.stringify(path)});
socket.on('close', () => process.exit(0));
process.stdin.pipe(socket).pipe(process.stdout);`;

/** Creates a folder with a program `ssh` that records its arguments and environment, and then runs a script of Node. */
async function fakeSsh(script: string) {
	const dir = await socketDir();
	const log = join(dir, 'log');
	const lines = [
		`#!${process.execPath}`,
		`require('fs').appendFileSync(${JSON.stringify(log)}, JSON.stringify([process.argv.slice(2), process.env]) + '\\n');`,
		script,
	];
	await writeFile(join(dir, 'ssh'), lines.join('\n'));
	await chmod(join(dir, 'ssh'), 0o755);
	const env = {PATH: dir, HOME: '/nowhere', ANTHROPIC_API_KEY: 'secret', SSH_AUTH_SOCK: '/agent'};
	const started = async (): Promise<ReadonlyArray<readonly [readonly string[], Readonly<Record<string, string>>]>> =>
		(await readFile(log, 'utf8'))
			.trim()
			.split('\n')
			.map(line => JSON.parse(line));
	return {env, started};
}

async function opened(script: string, texts: string[] = []) {
	const {env, started} = await fakeSsh(script);
	const remote = await attachRemote(
		{host: 'ann@box', id: sessionId.slice(0, 10)},
		{env, cwd: '/nowhere', onText: text => texts.push(text)},
	);
	if (remote.ok) onTestFinished(async () => void (await remote.open.pod.send({method: 'shutdown'})));
	return {remote, started};
}

function openOf(remote: Awaited<ReturnType<typeof opened>>['remote']): OpenPod {
	if (!remote.ok) throw new Error(remote.sentence);
	return remote.open;
}

describe('a session on another machine', () => {
	it('is reached by ssh without a shell, and without keys in the environment', async () => {
		const {client} = handPod();
		const {remote, started} = await opened(bridge((await served(client)).path));
		expect(openOf(remote)).toMatchObject({remote: 'ann@box', session: {id: sessionId}});
		const [[args, env]] = (await started()) as [readonly [readonly string[], Readonly<Record<string, string>>]];
		expect(args).toEqual(['-T', '--', 'ann@box', `inkpod attach --stdio ${sessionId.slice(0, 10)}`]);
		expect(env['ANTHROPIC_API_KEY']).toBeUndefined();
		expect(env['SSH_AUTH_SOCK']).toBe('/agent');
	});

	it('gets no key, no text before it is sent, and no pasted path', async () => {
		const hand = handPod([], {
			preflight: async () => Promise.reject(new Error('asked')),
			namedPath: async () => Promise.reject(new Error('asked')),
		});
		const {remote} = await opened(bridge((await served(hand.client)).path));
		const {pod} = openOf(remote);
		expect(await pod.send({method: 'login', provider: 'openai', key: 'k'})).toMatchObject({
			accepted: false,
			sentence: 'Keys are not sent to another machine. On ann@box, run: inkpod login PROVIDER',
		});
		const segments = [{type: 'text', text: 'a draft'}] as const;
		expect(await pod.preflight([...segments])).toEqual({segments, refs: [], tokens: 0});
		expect(await pod.namedPath('/home/ann/private')).toBeUndefined();
		expect(hand.sent).toEqual([]);
		await pod.send({method: 'run', segments: [{type: 'text', text: 'sent'}]});
		expect(hand.sent).toMatchObject([{method: 'run'}]);
	});

	it('is reached again without questions when the connection ends', async () => {
		const {client, hub} = handPod();
		const {path} = await served(client);
		const once = `setTimeout(() => process.exit(1), 300);`;
		const {remote, started} = await opened(`${bridge(path)}\nif (process.argv[3] !== '-o') {${once}}`);
		const events = heard(openOf(remote).pod);
		await expect.poll(() => events.filter(({type}) => type === 'snapshot').length).toBe(2);
		hub.alert({level: 'info', text: 'still here'});
		await expect
			.poll(() => events.some(event => event.type === 'alert' && event.alert.text === 'still here'))
			.toBe(true);
		expect((await started())[1]?.[0].slice(0, 5)).toEqual(['-T', '-o', 'BatchMode=yes', '--', 'ann@box']);
	});

	it('skips what a login shell prints, and passes on what ssh prints, until the screen opens', async () => {
		const {client} = handPod();
		const {path} = await served(client);
		const texts: string[] = [];
		const noise = `process.stdout.write('Welcome to box\\n\\n'); process.stderr.write('a banner\\r\\nof two lines\\n');`;
		const {remote} = await opened(`${noise}\nsetTimeout(() => {${bridge(path)}}, 200);`, texts);
		expect(openOf(remote).remote).toBe('ann@box');
		expect(texts.join('')).toBe('a banner\nof two lines\n');
	});

	it.each([
		[
			'ssh fails',
			"console.error('first'); console.error('No route.'); process.exit(255)",
			'ssh could not connect to ann@box: No route.',
		],
		['ssh fails silently', 'process.exit(255)', 'ssh could not connect to ann@box.'],
		['the other machine has no inkpod', 'process.exit(127)', 'inkpod was not found on ann@box.'],
		['the session is not open', "console.error('inkpod: Not open.'); process.exit(2)", 'ann@box: Not open.'],
		['the other machine hangs up', '', 'ann@box: The connection to the other terminal was lost.'],
		[
			'it sends no JSON',
			"for (;;) require('fs').writeSync(1, 'x\\n')",
			'ann@box: The other terminal sent a message',
		],
	])('is not opened, with one sentence, if %s', async (_name, script, sentence) => {
		const texts: string[] = [];
		const {remote} = await opened(script, texts);
		expect(remote).toMatchObject({ok: false, sentence: expect.stringContaining(sentence) as unknown});
		expect(texts.join('')).toBe(script.includes('first') ? 'first\n' : '');
	});
});
