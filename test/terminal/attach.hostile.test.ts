import {chmod, mkdir, readFile, readdir} from 'node:fs/promises';
import {createServer, type Socket} from 'node:net';
import {basename, dirname, join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {lineOf} from '../../src/pod/ground/text/lines.ts';
import {realFiles} from '../../src/pod/disk/files.ts';
import {takeLock} from '../../src/pod/disk/log/lock.ts';
import {histories, openChat} from '../helpers/chat.ts';
import {runProgram} from '../helpers/program.ts';
import {greetingLine, sessionId, snapshotLine, textItem} from '../helpers/socket-pod.ts';
import {tempProject} from '../helpers/temp-project.ts';

const evil = '\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1b[2J\x9b31m\x1bPq\x1b\\\u202egpj.exe\r\x00end';
const acts = /\x1b\]0;owned|\x1b\]52|\x1b\[2J|\x9b|\x1bP|\u202E|\x00/;

type Place = {readonly cwd: string; readonly home: string; readonly env: Readonly<Record<string, string>>};

/** Creates a project whose session's socket and lock belong to a program that is not inkpod. */
async function place(
	onConnection: (socket: Socket, count: number, close: () => void) => void,
	isSaved = false,
): Promise<Place & {readonly id: string}> {
	const project = await tempProject({'a.md': 'x'});
	const runtime = await project.mkdir('../run');
	const at = {cwd: project.dir, home: join(project.dir, '../home'), env: {XDG_RUNTIME_DIR: runtime}};
	const dir = isSaved ? await savedSession(at) : undefined;
	const id = dir === undefined ? sessionId : basename(dir);
	const release = dir === undefined ? async () => {} : await lockOf(dir);
	const folder = join(runtime, 'inkpod');
	await mkdir(folder, {mode: 0o700});
	const path = join(folder, `${id}.sock`);
	let count = 0;
	const server = createServer(socket => {
		socket.on('error', () => {});
		socket.write(greetingLine({pwd: project.dir, session: id, pid: process.pid}));
		const close = () => {
			server.close();
			void release();
		};
		socket.once('data', () => onConnection(socket, (count += 1), close));
	});
	await new Promise<void>(resolve => void server.listen(path, resolve));
	await chmod(path, 0o600);
	onTestFinished(() => void server.close());
	return {...at, id};
}

async function savedSession(at: Place): Promise<string> {
	await runProgram({...at, args: ['-p', '--model', 'offline', 'hello']});
	const [history] = await histories(at.home);
	return dirname(history!);
}

/** Takes the lock of a session. Returns the function that releases it. */
async function lockOf(dir: string): Promise<() => Promise<void>> {
	const locked = await takeLock(dir, realFiles);
	if (!locked.ok) throw new Error(locked.sentence);
	onTestFinished(async () => locked.lock.release());
	return async () => locked.lock.release();
}

const session = (pwd: string) => ({
	session: {id: sessionId, model: `m ${evil}`, scope: {pwd, writable: true, readRoots: ['/']}},
});

describe('inkpod attach to a hostile server', () => {
	it('shows the server’s text inert, and can be closed', async () => {
		const at = await place(socket => {
			const choices = [
				{choice: 'allow', label: `Yes ${evil}`},
				{choice: 'deny', label: `No ${evil}`, refuses: true},
			];
			const asks = [{id: '../../x', title: `May I ${evil}`, detail: evil, choices}];
			socket.write(snapshotLine({...session('/'), count: 2}));
			socket.write(
				lineOf({
					type: 'items',
					items: [textItem('../../../etc/passwd', `first ${evil}`, 'user'), textItem(evil, `second ${evil}`)],
				}),
			);
			socket.write(lineOf({type: 'delta', id: evil, text: evil, begin: textItem('d', evil)}));
			for (let n = 0; n < 300; n++)
				socket.write(lineOf({type: 'alert', alert: {level: 'error', text: `${n} alarm ${evil.repeat(20)}`}}));
			socket.write(lineOf({type: 'status', status: {kind: 'paused', asks, queue: []}}));
		});
		const terminal = await openChat({...at, args: ['attach']});
		await terminal.waitFor(/May I/);
		const raw = terminal.raw().toString('latin1');
		expect(raw.replaceAll(/\x1b\]0;[^\x07]*inkpod[^\x07]*\x07/g, '')).not.toMatch(/owned\x07|\x1b\]52|\x1bPq/);
		expect(terminal.screen()).toContain('␛');
		terminal.write('\x1b');
		terminal.write('\x04');
		terminal.write('\x04');
		expect((await terminal.exit).signal).toBeUndefined();
		expect(terminal.raw().toString('utf8').slice(-400)).not.toMatch(/\u202E/);
	});

	it('can be left while the session never ends, and keeps what was typed', async () => {
		const at = await place(socket => {
			socket.write(snapshotLine({...session('/'), count: 1_000_000}));
			socket.write(lineOf({type: 'items', items: [textItem('i1', 'one')]}));
		}, true);
		const terminal = await openChat({...at, args: ['attach', at.id]});
		await terminal.waitFor('Opening session');
		terminal.write('\x04');
		const {code, signal} = await terminal.exit;
		expect([code, signal, terminal.screen()]).toEqual([0, undefined, expect.stringContaining('inkpod attach')]);

		const killed = await openChat({...at, args: ['attach', at.id]});
		await killed.waitFor('Opening session');
		killed.write('half a thought');
		await killed.waitFor('half a thought');
		killed.kill('SIGTERM');
		expect(await killed.exit).toEqual({code: 143, signal: undefined});
		const folder = join(at.home, '.local/state/inkpod/drafts');
		const names = (await readdir(folder, {recursive: true})).filter(name => name.endsWith('.json'));
		expect(await readFile(join(folder, names[0] ?? ''), 'utf8')).toContain('half a thought');
	});

	it('stops after repeated disconnections, with a sentence', async () => {
		let most = 0;
		const at = await place((socket, count) => {
			most = count;
			socket.end(snapshotLine(session('/')));
		});
		const terminal = await openChat({...at, args: ['attach']});
		await terminal.waitFor(/disconnected several times|no other terminal has|(?:Nobody|No process) listens/);
		expect(most).toBeLessThanOrEqual(7);
		terminal.write('\x04');
		terminal.write('\x04');
		await terminal.exit;
	});
});

describe('a session that continues in this terminal', () => {
	const leave = (scope: object) => (socket: Socket, _count: number, close: () => void) => {
		close();
		socket.end(snapshotLine({session: {id: 'x', model: 'm', scope}}));
	};

	it('ignores a folder that only the server named as its working directory', async () => {
		const at = await place(leave({pwd: '/', writable: true, readRoots: []}), true);
		const terminal = await openChat({...at, args: ['attach', at.id]});
		await terminal.waitFor(/Open\s+the\s+session\s+with:\s+inkpod\s+-r/);
		terminal.write('\x04');
		expect((await terminal.exit).signal).toBeUndefined();
	});

	it('ignores folders that only the server named as readable', async () => {
		const at = await place(
			(socket, count, close) =>
				leave({pwd: at.cwd, writable: true, readRoots: ['/', '/etc']})(socket, count, close),
			true,
		);
		const terminal = await openChat({...at, args: ['attach', at.id]});
		await terminal.waitFor('the session continues here');
		await terminal.waitFor('This terminal cannot read 2 folders that the other terminal had added.');
		expect(terminal.screen()).not.toMatch(/\+\d read/);
		terminal.write('\x04');
		expect((await terminal.exit).code).toBe(0);
	});
});

describe('inkpod notify to a hostile server', () => {
	it.each<[string, (socket: Socket) => void]>([
		['an error', socket => socket.end(lineOf({error: evil.repeat(1000)}))],
		['its end', socket => socket.end(`${snapshotLine()}${lineOf({type: 'closed', sentence: evil})}`)],
		[
			'a refusal',
			socket => {
				socket.write(snapshotLine());
				socket.on(
					'data',
					() =>
						void socket.write(
							lineOf({id: 1, receipt: {accepted: false, code: 'busy', sentence: evil.repeat(1000)}}),
						),
				);
			},
		],
	])('prints %s as one inert sentence', async (_what, say) => {
		const at = await place(say);
		const {code, stderr} = await runProgram({...at, args: ['notify', sessionId, 'hello']});
		expect(code).toBe(1);
		expect(stderr).toMatch(/^inkpod: [^\n]+\n$/);
		expect(stderr).not.toMatch(acts);
		expect(stderr.length).toBeLessThan(20_000);
	});
});
