import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Start} from '../../src/cli/start/launch.ts';
import {exitCode} from '../../src/cli/print/run-result.ts';
import type {ExitReason} from '../../src/cli/output/signals.ts';
import {print} from '../../src/cli/print.ts';
import type {Receipt, Refusal} from '../../src/pod/protocol.ts';
import {tempHome} from '../pod/disk/fixture.ts';

const start = {session: {kind: 'new'}, readOnly: false, addDirs: []} as const;
const call = (name: string, args: object) => ({type: 'tool_call', name, arguments: args});
const done = [{type: 'text', text: 'Done.'}];

type Given = {
	readonly config?: string;
	readonly format?: 'text' | 'json' | 'stream-json';
	readonly change?: Partial<Start>;
	readonly files?: Readonly<Record<string, string>>;
};

/** Runs print mode with a batch of calls and an answer after it. Returns its output. */
async function printed(answers: readonly unknown[], {config, format = 'json', change = {}, files = {}}: Given = {}) {
	const home = await tempHome();
	const script = join(home.home, 'script.json');
	await writeFile(script, JSON.stringify(answers));
	if (config !== undefined) {
		await mkdir(join(home.home, '.config/inkpod'), {recursive: true});
		await writeFile(join(home.home, '.config/inkpod/config.toml'), config);
	}
	for (const [name, text] of Object.entries(files)) {
		await mkdir(dirname(join(home.cwd, name)), {recursive: true});
		await writeFile(join(home.cwd, name), text);
	}
	let [out, err] = ['', ''];
	const launch = {
		command: 'print',
		prompt: 'go',
		format,
		...start,
		cwd: home.cwd,
		model: `scripted:${script}`,
		...change,
	} as const;
	const code = await print(launch, {
		env: home.env,
		stdout: {write: text => (out += text)},
		stderr: {write: text => (err += text)},
		piped: undefined,
		signal: new AbortController().signal,
	});
	return {
		code,
		out,
		err: err.split('\n').slice(0, -1),
		result: () => JSON.parse(out.trim().split('\n').at(-1)!) as {denied: unknown[]; outcome: string; type?: string},
	};
}

const rule = '[[permission]]\ntool = "bash"\nmatch = "npm publish*"\naction = "deny"\n';

describe('print mode', () => {
	it('lists denied calls in its result and on stderr, and exits with 5', async () => {
		const calls = [
			call('bash', {command: 'rm \u001b[2Kx'}),
			call('bash', {command: 'npm publish --now'}),
			call('write_file', {path: 'b.md', content: 'b\n'}),
		];
		const {code, err, result} = await printed([calls, done], {config: rule});
		expect(result()).toMatchObject({outcome: 'finished', answer: 'Done.'});
		expect(result().denied).toEqual([
			{tool: 'bash', subject: 'rm \u001b[2Kx', by: 'unattended'},
			{tool: 'bash', subject: 'npm publish --now', by: 'rule', reason: 'npm publish* in the user’s config.toml'},
			{tool: 'write_file', subject: 'b.md', by: 'unattended'},
		]);
		expect(err).toEqual([
			'inkpod: bash denied: no one to approve in print mode (use --approval or a rule): rm ␛[2Kx',
			'inkpod: bash denied by the rule npm publish* in the user’s config.toml: npm publish --now',
			'inkpod: write_file denied: no one to approve in print mode (use --approval or a rule): b.md',
		]);
		expect(code).toBe(5);
	});

	it('names no rule for a question, which none can answer', async () => {
		const questions = [{title: 'Which database?'}];
		const {code, err} = await printed([[call('ask', {questions})], done], {});
		expect([code, err]).toEqual([5, ['inkpod: ask denied: no one to answer in print mode']]);
	});

	it('reports the same in text format, where stdout has only the answer', async () => {
		const {code, out, err} = await printed([[call('bash', {command: 'ls'})], done], {format: 'text'});
		expect([code, out, err.length]).toEqual([5, 'Done.\n', 1]);
	});

	it('names on stderr what still runs in the background when the answer is complete', async () => {
		const calls = [
			call('bash', {command: 'sleep 471 # \u001b[2K\nsleep 1', background: true}),
			call('bash', {command: 'true', background: true}),
		];
		const {code, out, err} = await printed([calls, [{type: 'text', text: 'It runs.', chunk: 2, delayMs: 300}]], {
			format: 'text',
			change: {approval: 'auto', noConfine: true},
		});
		expect([code, out]).toEqual([0, 'It runs.\n']);
		expect(err.filter(line => line.includes('still running'))).toEqual([
			expect.stringMatching(
				/^inkpod: Background command \w{6} was still running, and was stopped: sleep 471 # ␛\[2K/u,
			),
		]);
	});

	it('ends a stream of events with the result', async () => {
		const {code, out, result} = await printed([[call('bash', {command: 'ls'})], done], {format: 'stream-json'});
		expect([code, result().type, result().denied]).toEqual([
			5,
			'result',
			[{tool: 'bash', subject: 'ls', by: 'unattended'}],
		]);
		const results = out
			.trim()
			.split('\n')
			.map(line => JSON.parse(line) as {type: string; item?: {type: string; details?: object}})
			.filter(({item}) => item?.type === 'tool_result');
		expect(results).toMatchObject([{item: {details: {denied: {by: 'unattended', subject: 'ls'}}}}]);
	});

	it.each<[string, unknown[], Given]>([
		['nothing is called', [], {}],
		['a read-only scope answers', [call('write_file', {path: 'b.md', content: 'b\n'})], {change: {readOnly: true}}],
		[
			'a hook refuses',
			[call('write_file', {path: 'b.md', content: 'b\n'})],
			{config: '[[hook]]\nevent = "PreToolUse"\ncommand = "echo no >&2; exit 2"\n'},
		],
		[
			'a call would fail anyway',
			[
				call('edit_file', {path: 'gone.md', edits: [{old: 'a', new: 'b'}]}),
				call('write_file', {path: '../out.md', content: ''}),
			],
			{},
		],
		[
			'the mode allows it',
			[call('write_file', {path: 'b.md', content: 'b\n'})],
			{change: {approval: 'accept-edits'}},
		],
		['a tool is unknown', [call('fly', {})], {}],
	])('lists no denied call and exits with 0 when %s', async (_, calls, given) => {
		const {code, err, result} = await printed([...(calls.length > 0 ? [calls] : []), done], given);
		expect([result().denied, err, code]).toEqual([[], [], 0]);
	});

	it.each<[string, unknown[], number]>([
		[
			'the run failed after that',
			[
				[call('bash', {command: 'ls'})],
				[{type: 'error', reason: 'overloaded', message: 'No.', retryable: false}],
			],
			1,
		],
		['a limit was reached after that', Array.from({length: 120}, () => [call('bash', {command: 'ls'})]), 4],
	])('lists denied calls, but exits with a code of higher priority when %s', async (_, answers, expected) => {
		const {code, result} = await printed(answers);
		expect([code, result().denied.length > 0]).toEqual([expected, true]);
	});
});

describe('the exit code', () => {
	const aborted = (reason?: ExitReason) =>
		reason === undefined ? new AbortController().signal : AbortSignal.abort(reason);
	const refused = (code: Refusal): Receipt => ({accepted: false, code, sentence: ''});
	const accepted: Receipt = {accepted: true};

	it.each<[number, Parameters<typeof exitCode>[0]]>([
		[0, {signal: aborted(), receipt: accepted, outcome: 'finished', denied: 0}],
		[1, {signal: aborted(), receipt: accepted, outcome: 'error', denied: 3}],
		[1, {signal: aborted(), receipt: accepted, outcome: 'unsaved'}],
		[1, {signal: aborted(), receipt: accepted, outcome: 'paused'}],
		[1, {signal: aborted(), receipt: refused('io')}],
		[1, {signal: aborted(), receipt: refused('compaction')}],
		[2, {signal: aborted(), isUsageError: true}],
		[2, {signal: aborted(), receipt: refused('empty')}],
		[3, {signal: aborted(), receipt: refused('workflow')}],
		[3, {signal: aborted(), receipt: refused('hook')}],
		[3, {signal: aborted(), receipt: refused('untrusted')}],
		[1, {signal: aborted(), receipt: accepted, outcome: 'finished', isWhole: false, denied: 1}],
		[1, {signal: aborted(), receipt: accepted, outcome: 'limit', isWhole: false}],
		[4, {signal: aborted(), receipt: accepted, outcome: 'limit', denied: 3}],
		[5, {signal: aborted(), receipt: accepted, outcome: 'finished', denied: 1}],
		[130, {signal: aborted('SIGINT'), isUsageError: true}],
		[130, {signal: aborted('SIGINT'), receipt: refused('aborted')}],
		[130, {signal: aborted('SIGINT'), receipt: accepted, outcome: 'finished', isWhole: false}],
		[130, {signal: aborted('SIGINT'), receipt: accepted, outcome: 'paused', denied: 1}],
		[143, {signal: aborted('SIGTERM'), receipt: accepted, outcome: 'error', denied: 1}],
		[143, {signal: aborted('SIGTERM'), receipt: refused('workflow')}],
		[129, {signal: aborted('SIGHUP'), receipt: accepted, outcome: 'paused'}],
		[141, {signal: aborted('SIGPIPE'), receipt: accepted, outcome: 'paused'}],
	])('is %i for %o', (code, end) => {
		expect(exitCode(end)).toBe(code);
	});
});

describe('a user’s rule about files when inkpod.toml narrows the working directory', () => {
	const ruleFor = (tool: string, action: string) =>
		`[[permission]]\ntool = "${tool}"\nmatch = "/private/**"\naction = "${action}"\n`;
	const files = {
		'inkpod.toml': '[scope]\npwd = "private"\n',
		'private/a.md': 'PRIVATE\n',
		'private/b/AGENTS.md': 'PRIVATE\n',
	};
	const narrowed = {change: {approval: 'auto'}, files} as const;

	it.each([
		['deny', 'read_file', {path: 'a.md'}],
		['deny', 'read_file', {path: '../private/a.md'}],
		['deny', 'write_file', {path: 'new.md', content: 'x\n'}],
		['ask', 'read_file', {path: 'a.md'}],
		['ask', 'write_file', {path: 'new.md', content: 'x\n'}],
	])('decides %s for %s %j', async (action, tool, args) => {
		const {result, out} = await printed([[call(tool, args)], done], {
			...narrowed,
			config: ruleFor(tool, action),
			format: 'stream-json',
		});
		expect(result().denied).toMatchObject([{tool}]);
		expect(out).not.toContain('PRIVATE');
	});

	it('keeps AGENTS.md from the model', async () => {
		const {out} = await printed([done], {
			...narrowed,
			files: {...files, 'private/AGENTS.md': 'PRIVATE\n'},
			config: ruleFor('read_file', 'deny'),
			format: 'stream-json',
		});
		expect(out).not.toContain('PRIVATE');
	});

	it('does not allow in the narrowed directory what it allows in the start directory', async () => {
		const config = ruleFor('write_file', 'allow');
		const calls = [call('write_file', {path: 'new.md', content: 'x\n'})];
		const {result} = await printed([calls, done], {files, config, format: 'stream-json'});
		expect(result().denied).toMatchObject([{tool: 'write_file'}]);
	});
});
