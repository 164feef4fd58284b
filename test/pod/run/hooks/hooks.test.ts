import {chmod, readdir, readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import type {PromptHook} from '../../../../src/pod/references/submission/submission.ts';
import type {Interceptor, Item} from '../../../../src/worker/index.ts';
import {withTime} from '../../../helpers/cpu-time.ts';
import {isAlive} from '../../../helpers/processes.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {ask, cancelled, continued, hookOf, node, passed, path, type Command} from './hook-stage.ts';

describe('the input of a hook', () => {
	it('is one line of JSON on stdin, in the folder of the scope', async () => {
		const project = await tempProject({'a.md': 'x'});
		const hook = hookOf(project, ['cat > got.json; pwd > where']);
		await hook(
			{
				text: 'see @a.md',
				segments: [
					{type: 'text', text: 'see '},
					{type: 'file_ref', path: 'a.md'},
				],
			},
			new AbortController().signal,
		);
		const got = await readFile(project.path('got.json'), 'utf8');
		expect(got.endsWith('}\n')).toBe(true);
		expect(JSON.parse(got)).toEqual({
			event: 'UserPromptSubmit',
			session_id: 'S1',
			cwd: project.dir,
			prompt: 'see @a.md',
			segments: [
				{type: 'text', text: 'see '},
				{type: 'file_ref', path: 'a.md'},
			],
		});
		expect(await readFile(project.path('where'), 'utf8')).toBe(`${project.dir}\n`);
	});

	it("includes the user's environment without the keys of models", async () => {
		const project = await tempProject();
		const env = {...path, MINE: '1', ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k'};
		await ask(project, [node(`require('fs').writeFileSync('env.json', JSON.stringify(process.env))`)], {env});
		const got = JSON.parse(await readFile(project.path('env.json'), 'utf8')) as Record<string, string>;
		expect(got['MINE']).toBe('1');
		expect(Object.keys(got).filter(name => name.endsWith('_API_KEY'))).toEqual([]);
		expect(got['INKPOD_HOME']).toBeUndefined();
	});

	it('gets its exact arguments without a shell when it is a list', async () => {
		const project = await tempProject();
		await ask(project, [
			[
				process.execPath,
				'-e',
				`require('fs').writeFileSync('args', process.argv.slice(1).join('|'))`,
				'--',
				'$HOME; `id`',
				'*',
			],
		]);
		expect(await readFile(project.path('args'), 'utf8')).toBe('$HOME; `id`|*');
	});

	it('does not run programs of its working directory when it is a list', async () => {
		const project = await tempProject({'bin/check': '#!/bin/sh\ntouch owned\n'});
		await chmod(project.path('bin/check'), 0o755);
		const verdict = await ask(project, [['check']], {env: {PATH: 'bin:./bin::.'}});
		expect(verdict).toEqual(passed(expect.stringContaining('could not be started')));
		expect(await readdir(project.dir)).toEqual(['bin']);
	});

	it('runs in the user’s shell when it is a text', async () => {
		const project = await tempProject();
		await ask(project, ['echo "$0 $((1 + 2))" > shell']);
		expect(await readFile(project.path('shell'), 'utf8')).toBe('/bin/sh 3\n');
	});

	it('may stay unread, even if it has ten megabytes', async () => {
		const project = await tempProject();
		const text = 'x'.repeat(10_000_000);
		expect(await ask(project, ['exit 0'], {text})).toEqual(continued);
		expect(await ask(project, ['echo no >&2; exit 2'], {text})).toEqual(cancelled('no'));
		expect(await ask(project, ['exec <&-; exit 0'], {text})).toEqual(continued);
	});

	it('is complete when the hook reads ten megabytes', async () => {
		const project = await tempProject();
		expect(await ask(project, ['test "$(wc -c)" -gt 20000000 || exit 2'], {text: 'x'.repeat(10_000_000)})).toEqual(
			continued,
		);
	});
});

describe('the answer of a hook', () => {
	it.each<[string, Command, unknown]>([
		['exit 0 continues', 'exit 0', continued],
		[
			'exit 0 continues, and its long output is ignored',
			'yes | head -c 3000000; yes | head -c 3000000 >&2',
			continued,
		],
		['exit 2 cancels with stderr', 'echo "Not on a Sunday." >&2; exit 2', cancelled('Not on a Sunday.')],
		[
			'its output on stdout is not its reason',
			'echo out; exit 2',
			cancelled('The hook "echo out; exit 2" cancelled the message and gave no reason.'),
		],
		['its reason is one line', 'printf "\\n\\n  first  \\nsecond\\n" >&2; exit 2', cancelled('first')],
		[
			'its reason is inert',
			String.raw`printf '\033[31mred\033[0m \007\033]0;title\007\342\200\256end\nsecond' >&2; exit 2`,
			cancelled('red   end'),
		],
		['its reason is short', 'printf "%01000d" 0 >&2; exit 2', cancelled(`${'0'.repeat(300)}…`)],
		[
			'its reason is text even if its bytes are not',
			String.raw`printf 'a\377b' >&2; exit 2`,
			cancelled('a\uFFFDb'),
		],
		['its reason is short even after a flood', 'yes 日本 | head -c 5000000 >&2; exit 2', cancelled('日本')],
		[
			'reports exit 1',
			'echo broken >&2; exit 1',
			passed('The hook "echo broken >&2; exit 1" was ignored: it exited with code 1 (broken).'),
		],
		['reports exit 3 without output', 'exit 3', passed('The hook "exit 3" was ignored: it exited with code 3.')],
		['reports a signal', 'kill -9 $$', passed('The hook "kill -9 $$" was ignored: it was ended by SIGKILL.')],
		[
			'reports a program that the shell does not find',
			'no-such-program',
			passed(expect.stringMatching(/exited with code 127 \(.*no-such-program.*\)/)),
		],
		[
			'reports a missing program',
			['/no/such/program'],
			passed('The hook "/no/such/program" was ignored: it could not be started (no such program).'),
		],
		['reports a folder', ['/tmp'], passed(expect.stringContaining('permission denied'))],
		[
			'reports a NUL byte',
			['a\0b'],
			passed(
				'The hook "a\\u0000b" was ignored: it could not be started (its command is empty or contains a NUL byte).',
			),
		],
		['reports an empty list', [], passed(expect.stringContaining('could not be started'))],
		[
			'a long command is named by its beginning',
			`exit 1 # ${'x'.repeat(1000)}`,
			passed(`The hook "exit 1 # ${'x'.repeat(51)}…" was ignored: it exited with code 1.`),
		],
	])('%s', async (_, command, expected) => {
		expect(await ask(await tempProject(), [command])).toEqual(expected);
	});

	it('is applied in the order of the hooks, and no hook runs after one that cancels', async () => {
		const project = await tempProject();
		const verdict = await ask(project, [
			'echo 1 >> order',
			'echo 2 >> order; exit 1',
			'echo 3 >> order; echo stop >&2; exit 2',
			'echo 4 >> order',
		]);
		expect(verdict).toEqual({
			type: 'cancel',
			reason: 'stop',
			alerts: [{level: 'warn', text: expect.stringContaining('echo 2') as unknown}],
		});
		expect(await readFile(project.path('order'), 'utf8')).toBe('1\n2\n3\n');
	});

	it('is a reported failure when the shell is missing, and ignores a shell with a relative path', async () => {
		const project = await tempProject();
		expect(await ask(project, ['exit 0'], {env: {SHELL: '/no/such/shell'}})).toEqual(
			passed(expect.stringContaining('no such program')),
		);
		expect(await ask(project, ['exit 0'], {env: {...path, SHELL: './shell'}})).toEqual(continued);
	});

	it('is complete even if a child keeps stderr open', async () => {
		const project = await tempProject();
		expect(await ask(project, ['sleep 1000 & echo $! > child; echo no >&2; exit 2'])).toEqual(cancelled('no'));
		const child = Number(await readFile(project.path('child'), 'utf8'));
		expect(isAlive(child)).toBe(true);
		process.kill(child);
	});
});

describe.skipIf(process.platform === 'win32')('a hook that does not end', () => {
	/** A shell that ignores SIGTERM, with a child that ignores it too. */
	const stubborn =
		`trap '' TERM; (trap '' TERM; echo $$ > shell; sh -c 'echo $PPID > child; while :; do sleep 1; ` +
		`done') & wait; while :; do sleep 1; done`;

	async function pids(project: TempProject): Promise<number[]> {
		return Promise.all(['shell', 'child'].map(async name => Number(await readFile(project.path(name), 'utf8'))));
	}

	async function gone(project: TempProject): Promise<void> {
		const left = await pids(project);
		expect(left.every(pid => pid > 0)).toBe(true);
		await expect.poll(() => left.filter(isAlive)).toEqual([]);
	}

	it('is stopped in time with its children, and reported', async () => {
		const project = await tempProject();
		const {result, ms} = await withTime(
			async timeoutMs => ask(project, [stubborn, 'exit 0'], {timeoutMs}),
			async () =>
				pids(project).then(
					found => found.every(pid => pid > 0),
					() => false,
				),
		);
		expect(result).toEqual(
			passed(
				expect.stringMatching(
					new RegExp(`was ignored: it took longer than ${ms / 1000} s and was stopped\\.$`),
				),
			),
		);
		await gone(project);
	});

	it('is stopped when its time-out is a fraction of a millisecond', async () => {
		expect(await ask(await tempProject(), ['sleep 20'], {timeoutMs: 100.000_001})).toEqual(
			passed(expect.stringContaining('took longer')),
		);
	});

	it('is stopped with its children when the run is aborted, and the next hook does not run', async () => {
		const project = await tempProject();
		const abort = new AbortController();
		const asked = ask(project, [stubborn, 'touch next'], {signal: abort.signal});
		await expect.poll(async () => readFile(project.path('child'), 'utf8').catch(() => '')).not.toBe('');
		abort.abort('cancel');
		expect(await asked).toEqual(continued);
		await gone(project);
		await expect(readFile(project.path('next'))).rejects.toThrow('ENOENT');
	});

	const leaving: Readonly<Record<string, string>> = {
		'its own session': `setsid sh -c 'echo $$ > shell; echo $$ > child; while :; do sleep 1; done' & wait; sleep 1000`,
		'its own session, whose parent has ended':
			`(setsid sh -c "trap '' TERM; echo \\$\\$ > shell; echo \\$\\$ > child; while :; do sleep 1; ` +
			`done" &); sleep 1000`,
	};
	describe.runIf(process.platform === 'linux').each(Object.entries(leaving))(
		'and whose child left for %s',
		(_, line) => {
			it('is stopped with its child after the time-out', async () => {
				const project = await tempProject();
				const begun = async () =>
					pids(project).then(
						found => found.every(pid => pid > 0),
						() => false,
					);
				await withTime(async timeoutMs => ask(project, [line], {timeoutMs}), begun);
				await gone(project);
			});

			it('is stopped with its child when the run is aborted', async () => {
				const project = await tempProject();
				const abort = new AbortController();
				const asked = ask(project, [line], {signal: abort.signal});
				await expect.poll(async () => readFile(project.path('child'), 'utf8').catch(() => '')).not.toBe('');
				abort.abort('cancel');
				await asked;
				await gone(project);
			});
		},
	);

	it('is not started after an abort', async () => {
		const project = await tempProject();
		await ask(project, ['touch begun'], {signal: AbortSignal.abort()});
		await expect(readFile(project.path('begun'))).rejects.toThrow('ENOENT');
	});
});

it('the compiler distinguishes a hook from an interceptor', () => {
	type OnSubmit = NonNullable<Interceptor['onPromptSubmit']>;
	const items: Item[] = [];
	const hook: PromptHook = async () => ({type: 'continue'});
	const onSubmit: OnSubmit = () => ({type: 'continueWith', items});
	// @ts-expect-error A hook cannot return items.
	const adding: PromptHook = async () => ({type: 'continueWith', items});
	// @ts-expect-error A hook cannot add items.
	const slipping: PromptHook = async () => ({type: 'continue', items});
	const verdict = {type: 'continue', items} as const;
	// @ts-expect-error A hook cannot add items through a wider value.
	const smuggling: PromptHook = async () => verdict;
	// @ts-expect-error A hook is not an interceptor.
	const hookAsInterceptor: OnSubmit = hook;
	// @ts-expect-error An interceptor is not a hook.
	const interceptorAsHook: PromptHook = onSubmit;
	expect([adding, slipping, smuggling, hookAsInterceptor, interceptorAsHook]).toHaveLength(5);
});
