import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createServer, type AddressInfo} from 'node:net';
import {chmod, truncate, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {signalExitCodes} from '../../src/cli/output/signals.ts';
import {builtProgram} from '../helpers/built.ts';
import {histories, onlyHistory} from '../helpers/chat.ts';
import {runProgram} from '../helpers/program.ts';
import {openTerminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';

/** An answer that is still running when a test has seen a part of it, however slow the test is. */
const endless = JSON.stringify([
	[{type: 'text', text: 'a long answer that takes its time '.repeat(100), chunk: 1, delayMs: 20}],
]);

const lines = (text: string) =>
	text
		.trim()
		.split('\n')
		.map(line => JSON.parse(line) as Record<string, unknown> & {type: string; item?: Record<string, unknown>});

describe('print mode', () => {
	it('runs tools offline for a piped prompt, and prints each event as a line of JSON', async () => {
		const project = await tempProject({'a.ts': '// TODO: one\n', 'b/c.ts': 'x\n// TODO two\n'});
		const {code, stdout, stderr} = await runProgram({
			args: ['-p', '--model', 'offline', '--output-format', 'stream-json'],
			cwd: project.dir,
			stdin: 'list the TODO comments\n',
		});
		expect([code, stderr]).toEqual([0, '']);
		const events = lines(stdout);
		expect(events[0]).toMatchObject({type: 'snapshot', items: []});
		const items = events.filter(event => event.type === 'item').map(event => event.item!);
		expect(items.find(item => item['type'] === 'tool_call')).toMatchObject({name: 'grep'});
		expect(items.find(item => item['type'] === 'tool_result')).toMatchObject({
			isError: false,
			content: expect.stringMatching(/a\.ts[^]*TODO: one[^]*c\.ts[^]*TODO two/) as unknown,
		});
		expect(items.at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	});

	it('never opens the debugger of Node', async () => {
		const project = await tempProject({'script.json': endless});
		let isSignalled = false;
		const {stderr} = await runProgram({
			args: ['-p', '--output-format', 'stream-json', '--model', 'scripted:script.json', 'hello'],
			cwd: project.dir,
			onStdout(all, kill) {
				if (!isSignalled) kill('SIGUSR1');
				isSignalled = true;
				// The debugger would have opened long before so much text has arrived.
				if (all.split('\n').length > 20) kill('SIGINT');
			},
		});
		expect(stderr).not.toMatch(/debugg|inspector/i);
	});

	it('prints only the answer in text format, and -c continues the session', async () => {
		const project = await tempProject({
			'script.json': JSON.stringify([[{type: 'text', text: 'One.'}]]),
			'more.json': JSON.stringify([[{type: 'text', text: 'Two.'}]]),
		});
		const first = await runProgram({args: ['-p', '--model', 'scripted:script.json', 'hello'], cwd: project.dir});
		expect(first).toMatchObject({code: 0, stdout: 'One.\n', stderr: ''});
		const second = await runProgram({
			args: ['-p', '-c', '--model', 'scripted:more.json', 'and'],
			cwd: project.dir,
			home: first.home,
		});
		expect(second).toMatchObject({code: 0, stdout: 'Two.\n'});
		const {items} = await onlyHistory(first.home);
		expect(items.filter(item => item.type === 'message').map(item => item['text'])).toEqual([
			'hello',
			'One.',
			'and',
			'Two.',
		]);
	});

	it('prints one object with answer, outcome and session in json format', async () => {
		const {code, stdout} = await runProgram({
			args: ['-p', '--model', 'offline', '--output-format', 'json', 'hello'],
		});
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({
			outcome: 'finished',
			answer: expect.stringContaining('offline guide') as unknown,
			session: expect.stringMatching(/^[0-9A-Z]{26}$/) as unknown,
		});
	});

	it('sends stdin as a paste that is not parsed when there is also a prompt', async () => {
		const project = await tempProject({'a.md': 'x'});
		const {home} = await runProgram({
			args: ['-p', '--model', 'offline', 'what is this'],
			cwd: project.dir,
			stdin: 'log line @a.md\n',
		});
		const {items} = await onlyHistory(home);
		const user = items.find(item => item['role'] === 'user')!;
		expect(user['text']).toBe('what is this\n\nlog line @a.md\n');
		expect(items.some(item => item['role'] === 'system')).toBe(false);
	});

	it('begins without a stdin that stays open and sends nothing, and says so', async () => {
		const project = await tempProject({});
		const {code, stderr, stdout, home} = await runProgram({
			args: ['-p', '--model', 'offline', 'what is this'],
			cwd: project.dir,
			keepsStdinOpen: true,
		});
		expect([code, stderr]).toEqual([
			0,
			expect.stringMatching(/^inkpod: stdin is open, but sent nothing for .*\n$/),
		]);
		expect(stdout).toContain('offline guide');
		const {items} = await onlyHistory(home);
		expect(items.find(item => item['role'] === 'user')!['text']).toBe('what is this');
	});

	it('reports failed references on stderr, sends placeholders, and exits with 0', async () => {
		const project = await tempProject({'data.bin': new Uint8Array([0, 1, 2]), 'big.log': ''});
		await truncate(project.path('big.log'), 5 * 1024 ** 3);
		const {code, stderr, home} = await runProgram({
			args: ['-p', '--model', 'offline', 'see @data.bin @big.log @gone.md @../x.md'],
			cwd: project.dir,
		});
		expect(code).toBe(0);
		expect(
			stderr
				.trim()
				.split('\n')
				.map(line => line.replace(/^inkpod: /, '')),
		).toEqual([
			expect.stringMatching(
				/^4 files.*data\.bin \(not.*big\.log \(too large.*gone\.md \(not found.*x\.md \(outside/,
			),
		]);
		const user = (await onlyHistory(home)).items.find(item => item['role'] === 'user')!;
		expect(user['text']).toBe(
			[
				'see [unresolved file ref: data.bin] [unresolved file ref: big.log]',
				'[unresolved file ref: gone.md] [unresolved file ref: ../x.md]',
			].join(' '),
		);
	});

	it('exits with 130 after SIGINT and keeps the text so far', async () => {
		const project = await tempProject({'script.json': endless});
		let killed = false;
		const {code, home} = await runProgram({
			args: ['-p', '--output-format', 'stream-json', '--model', 'scripted:script.json', 'go'],
			cwd: project.dir,
			onStdout: (all, kill) => {
				if (!killed && all.split('"delta"').length > 5) {
					killed = true;
					kill('SIGINT');
				}
			},
		});
		expect(code).toBe(130);
		expect((await onlyHistory(home)).items.at(-1)).toMatchObject({type: 'run_end', outcome: 'paused'});
	});
});

describe('print mode with bad input', () => {
	it.each([
		['an unknown flag', ['--frobnicate'], 2, /--frobnicate/],
		['a directory that does not exist', ['-p', '--cwd', 'nowhere', 'hi'], 2, /nowhere/],
		['an unknown session', ['-p', '-r', '01ZZZZ', 'hi'], 2, /01ZZZZ/],
		['an unknown provider', ['-p', '--model', 'hal/9000', 'hi'], 2, /hal/],
		['a missing key', ['-p', '--model', 'anthropic/claude-x', 'hi'], 2, /ANTHROPIC_API_KEY/],
		[
			'an invalid script',
			['-p', '--model', 'scripted:broken.toml', 'hi'],
			2,
			/broken\.toml: The script is not valid JSON/,
		],
		['a missing script', ['-p', '--model', 'scripted:none.json', 'hi'], 2, /none\.json/],
		['nothing to send', ['-p'], 2, /No prompt given/],
		['a broken manifest', ['-p', '--manifest', 'broken.toml', 'hi'], 2, /broken\.toml.*(?:1|line)/],
		['an unknown key in the manifest', ['-p', '--manifest', 'unknown.toml', 'hi'], 2, /unknown\.toml.*frob/],
		['an unknown workflow', ['-p', '--model', 'offline', '/nope'], 3, /Unknown command \/nope/],
		['a chat without a terminal', ['hi'], 2, /needs a terminal/],
		['a name that every object has', ['constructor'], 2, /needs a terminal/],
	] as const)(
		'prints one sentence, exits with a code and leaves no session for %s',
		async (_name, args, code, sentence) => {
			const project = await tempProject({'broken.toml': 'scope = [', 'unknown.toml': '[scope]\nfrob = 1\n'});
			const end = await runProgram({args, cwd: project.dir});
			expect(end.stdout).toBe('');
			expect(end.stderr).toMatch(sentence);
			expect(end.stderr.trim().split('\n')).toHaveLength(1);
			expect(end.code).toBe(code);
			expect(await histories(end.home)).toEqual([]);
		},
	);

	it('fails with 1 when the model cannot be reached, and keeps the message', async () => {
		const port = await closedPort();
		const env = {OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`};
		const {code, stderr, home} = await runProgram({args: ['-p', '--model', 'openai-compatible/m', 'hi'], env});
		expect(code).toBe(1);
		expect(stderr).toContain(`127.0.0.1:${port}`);
		expect((await onlyHistory(home)).items.map(item => item.type)).toEqual([
			'setup',
			'message',
			'request',
			'request_end',
			'run_end',
		]);
	});
});

describe('print mode that ends early', () => {
	it('pauses the run silently when the reader of stdout has closed', async () => {
		const project = await tempProject({'script.json': endless});
		const {code, stderr, home} = await runProgram({
			args: ['-p', '--output-format', 'stream-json', '--model', 'scripted:script.json', 'go'],
			cwd: project.dir,
			onStdout: (all, _kill, close) => {
				if (all.includes('"delta"')) close();
			},
		});
		expect([code, stderr]).toEqual([141, '']);
		expect((await onlyHistory(home)).items.at(-1)).toMatchObject({type: 'run_end', outcome: 'paused'});
	});

	it.each(['text', 'json', 'stream-json'])(
		'exits with 141 when the reader closes before the first word: %s',
		async format => {
			const project = await tempProject({
				'script.json': JSON.stringify([[{type: 'text', text: 'word '.repeat(1000)}]]),
			});
			const {env} = process;
			const args = [
				await builtProgram(),
				'-p',
				'--output-format',
				format,
				'--model',
				'scripted:script.json',
				'go',
			];
			const home = join(project.dir, 'state');
			const child = spawn(process.execPath, args, {
				cwd: project.dir,
				env: {...env, INKPOD_HOME: home},
				stdio: ['ignore', 'pipe', 'pipe'],
			});
			child.stdout.destroy();
			expect(await once(child, 'exit')).toEqual([141, null]);
		},
	);

	it('is silent when the reader of a list has closed', async () => {
		const {code, stderr} = await runProgram({args: ['--help'], onStdout: (_all, _kill, close) => close()});
		expect([code, stderr]).toEqual([0, '']);
	});

	it('prints one sentence and exits with 1 when the disk is full', async () => {
		const {stdout} = await runProgram({command: ['sh', '-c', '"$@" > /dev/full; echo $?', 'sh'], args: ['--help']});
		expect(stdout).toBe('1\n');
	});

	it('exits at once after two signals', async () => {
		const project = await tempProject({
			'script.json': JSON.stringify([[{type: 'text', text: 'x'}, {type: 'stall'}]]),
		});
		const {code} = await runProgram({
			args: ['-p', '--output-format', 'stream-json', '--model', 'scripted:script.json', 'go'],
			cwd: project.dir,
			onStdout: (all, kill) => {
				if (!all.includes('"delta"')) return;
				kill('SIGINT');
				kill('SIGTERM');
			},
		});
		expect([130, 143]).toContain(code);
	});

	it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('prints how to resume after %s twice at once', async signal => {
		const project = await tempProject({
			'script.json': JSON.stringify([[{type: 'text', text: 'x'}, {type: 'stall'}]]),
		});
		const twice = `process.on('SIGUSR2', () => [1, 2].map(() => process.emit('${signal}', '${signal}')));`;
		const {code, stderr} = await runProgram({
			env: {NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(twice)}`},
			args: ['-p', '--output-format', 'stream-json', '--model', 'scripted:script.json', 'go'],
			cwd: project.dir,
			onStdout: (all, kill) => void (all.includes('"delta"') && kill('SIGUSR2')),
		});
		expect(code).toBe(signalExitCodes[signal]);
		expect(stderr).toMatch(/^inkpod: Resume with: inkpod -r \S+\n$/);
	});
});

describe('print mode that cannot start', () => {
	it('prints one sentence and exits with 2 when more than 16 MB are piped in', async () => {
		const {code, stderr, home} = await runProgram({
			args: ['-p', '--model', 'offline', 'what is this'],
			stdin: 'x'.repeat(17 * 1024 * 1024),
		});
		expect([code, stderr]).toEqual([2, 'inkpod: stdin is larger than 16 MB.\n']);
		expect(await histories(home)).toEqual([]);
	});

	it.skipIf(process.getuid?.() === 0)(
		'prints one sentence and exits with 2 in a directory without read permission',
		async () => {
			const project = await tempProject({'closed/': ''});
			await chmod(project.path('closed'), 0o000);
			const {code, stderr} = await runProgram({args: ['-p', '--cwd', project.path('closed'), 'hi']});
			expect([code, stderr]).toEqual([2, expect.stringMatching(/^inkpod: .*closed.*\n$/)]);
		},
	);

	it('prints one sentence and exits with 2 in a directory that was removed', async () => {
		const project = await tempProject({'gone/': ''});
		for (const args of [['-p', 'hi'], ['sessions'], ['verify', '01JX']]) {
			const {code, stderr} = await runProgram({
				command: ['sh', '-c', 'mkdir -p "$0" && cd "$0" && rmdir "$0" && exec "$@"', project.path('gone')],
				args,
			});
			expect([args, code, stderr]).toEqual([
				args,
				2,
				'inkpod: The current directory cannot be found (ENOENT). Change to another one, or use --cwd.\n',
			]);
		}
	});
});

describe('print mode on a terminal and its sessions', () => {
	it('prints an inert answer on a terminal', async () => {
		const project = await tempProject({
			'script.json': JSON.stringify([[{type: 'text', text: '\u001b]0;owned\u0007\u009b31mdone'}]]),
		});
		await using terminal = await openTerminal({
			args: ['-p', '--model', 'scripted:script.json', 'hi'],
			cwd: project.dir,
		});
		await terminal.waitFor('done');
		expect(await terminal.exit).toMatchObject({code: 0});
		expect(terminal.raw().toString()).toBe('␛]0;owned␇⟨9b⟩31mdone\r\n');
	});

	it('leaves sessions for inkpod sessions and verify', async () => {
		const project = await tempProject();
		const {home} = await runProgram({args: ['-p', '--model', 'offline', 'hello there'], cwd: project.dir});
		const listed = await runProgram({args: ['sessions', '--json'], cwd: project.dir, home});
		const [session] = JSON.parse(listed.stdout) as Array<{id: string; words: string}>;
		expect(session).toMatchObject({words: 'hello there'});
		expect(await runProgram({args: ['verify', session!.id.slice(0, 20)], cwd: project.dir, home})).toMatchObject({
			code: 0,
		});
		const [file] = await histories(home);
		await writeFile(join(file!), (await onlyHistory(home)) && JSON.stringify(await onlyHistory(home)));
		expect(await runProgram({args: ['verify', session!.id], cwd: project.dir, home})).toMatchObject({code: 1});
	});
});

async function closedPort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}
