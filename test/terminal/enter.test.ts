import {readdir, readFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {describe, expect, it, onTestFinished} from 'vitest';
import {builtProgram} from '../helpers/built.ts';
import {idle, openChat} from '../helpers/chat.ts';
import {runProgram} from '../helpers/program.ts';
import type {Terminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {startServer} from '../helpers/wire-servers/index.ts';
import {modelNames, testKey} from '../worker/wires/wire-model.ts';

const wire = 'openai-compatible';
const preload = pathToFileURL(join(import.meta.dirname, '../helpers/record-enter.mjs')).href;

/** What happened between Enter and the first byte of a request (record-enter.mjs). */
type Entered = {
	readonly trips: number;
	readonly syncs: number;
	readonly connectedAt?: number;
	readonly chunks: readonly string[];
};

/** Sends these messages, each when the answer to the last one has ended. */
async function entered(...messages: readonly string[]): Promise<readonly Entered[]> {
	const project = await tempProject();
	const server = await startServer(
		wire,
		messages.map((_, at) => [{type: 'text', text: `answer ${at}`}]),
	);
	onTestFinished(async () => server.close());
	const log = join(project.dir, '../enters.jsonl');
	const terminal = await openChat({
		cwd: project.dir,
		command: [process.execPath, '--import', preload, await builtProgram()],
		args: ['--model', `${wire}/${modelNames[wire]}`, '--no-socket'],
		env: {OPENAI_COMPATIBLE_API_KEY: testKey, OPENAI_COMPATIBLE_BASE_URL: server.url, RECORDED_ENTERS: log},
	});
	await terminal.waitFor(idle);
	const recorded = async () =>
		(await readFile(log, 'utf8'))
			.split('\n')
			.slice(0, -1)
			.map(line => JSON.parse(line) as string | Entered);
	for (const [at, message] of messages.entries()) {
		terminal.write(message);
		await terminal.waitFor(message);
		// The last chunk that is loaded while you type.
		await expect.poll(recorded, {timeout: 20_000}).toContain('lowlight');
		terminal.write('\r');
		await terminal.waitFor(`answer ${at}`);
		await terminal.waitFor(idle);
	}
	return (await recorded()).filter(line => typeof line !== 'string');
}

describe('the time from Enter to the first byte of the request', () => {
	it('contains few file operations and syncs, and loads no code', {timeout: 60_000}, async () => {
		const all = await entered('first message', 'second message', 'third message');
		// The first message makes its items and the name of their file durable at the same time, and then the record.
		expect(all.map(({syncs}) => syncs)).toEqual([3, 2, 2]);
		expect(all[0]).toMatchObject({connectedAt: 0});
		for (const {chunks, trips} of all) {
			expect(chunks).toEqual([]);
			// What the program does besides is among them: about 50 trips, and 75 on a busy machine.
			expect(trips).toBeLessThanOrEqual(90);
		}
	});
});

describe('a session that is prepared while you type', () => {
	const names = async (home: string) => (await readdir(home, {recursive: true})).map(name => basename(name));

	/** Types a message, and waits until the session is prepared. */
	async function typing(): Promise<Terminal> {
		const terminal = await openChat();
		await terminal.waitFor(idle);
		terminal.write('not sent');
		await expect.poll(async () => names(terminal.home), {timeout: 20_000}).toContain('history.json.new');
		return terminal;
	}

	it('leaves nothing when you delete the message and quit', {timeout: 60_000}, async () => {
		const terminal = await typing();
		terminal.write('\x15');
		await terminal.waitFor(screen => !screen.includes('not sent'));
		terminal.write('\x04');
		expect((await terminal.exit).code).toBe(0);
		expect(await names(join(terminal.home, '.local/state/inkpod/sessions'))).toEqual([]);
	});

	it.each(['SIGTERM', 'SIGHUP'] as const)('leaves nothing after %s', {timeout: 60_000}, async signal => {
		const terminal = await typing();
		terminal.kill(signal);
		await terminal.exit;
		expect(await names(join(terminal.home, '.local/state/inkpod/sessions'))).toEqual([]);
	});

	it('is not listed or continued while it is open, or after a kill', {timeout: 60_000}, async () => {
		const terminal = await typing();
		const at = {cwd: terminal.cwd, home: terminal.home};
		const expectNone = async () => {
			expect((await runProgram({...at, args: ['sessions', '--json']})).stdout).toBe('[]\n');
			expect((await runProgram({...at, args: ['-c', '-p', 'hello']})).code).toBe(2);
		};
		await expectNone();
		terminal.kill('SIGKILL');
		await terminal.exit;
		await expectNone();
	});
});
