import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {onlyHistory} from '../helpers/chat.ts';
import {printHere} from '../helpers/print-here.ts';
import {runProgram, type ProgramEnd} from '../helpers/program.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {startServer, wires, type HttpAnswer, type ServerAnswer, type WireName} from '../helpers/wire-servers/index.ts';

/** The variables for each provider's key and base URL, and a key that is easy to find again. */
const ways: Readonly<
	Record<WireName, {readonly model: string; readonly key: readonly [string, string]; readonly url: string}>
> = {
	anthropic: {
		model: 'anthropic/claude-sonnet-5',
		key: ['ANTHROPIC_API_KEY', 'sk-ant-api03-FAKE_anthropic-7c1d9e'],
		url: 'ANTHROPIC_BASE_URL',
	},
	openai: {model: 'openai/gpt-5.2', key: ['OPENAI_API_KEY', 'sk-proj-FAKE_openai-5b2e8f'], url: 'OPENAI_BASE_URL'},
	google: {
		model: 'google/gemini-3-pro-preview',
		key: ['GEMINI_API_KEY', 'AIzaFAKE_google-4a3f7d'],
		url: 'GOOGLE_GENERATIVE_AI_BASE_URL',
	},
	'openai-compatible': {
		model: 'openai-compatible/local',
		key: ['OPENAI_COMPATIBLE_API_KEY', 'gsk_FAKE_compatible-3e6c0b'],
		url: 'OPENAI_COMPATIBLE_BASE_URL',
	},
};
const keyOf = (wire: WireName) => ways[wire].key[1];
const secrets = wires.map(keyOf);
/** Even a part of a key is a leak. */
const parts = secrets.map(secret => secret.slice(0, 12));

describe.each(wires)('keys in the environment, over the %s wire', wire => {
	const echo = `Incorrect API key provided: ${keyOf(wire)}. Check it`;

	it('do not leak when calls, a file, retries and an error in an answer could repeat them', async () => {
		const project = await tempProject({'a.ts': 'const a = 1;\n'});
		await project.link('environ.txt', '/proc/self/environ');
		const {ends, home} = await converse(
			wire,
			project.dir,
			[
				[
					'read @a.ts and @environ.txt',
					[
						{
							status: 429,
							headers: {'retry-after': '0'},
							body: JSON.stringify({
								error: {
									message: echo,
									type: 'rate_limit_error',
									code: 429,
									status: 'RESOURCE_EXHAUSTED',
								},
							}),
						},
						{status: 503, headers: {'retry-after': '0'}, body: `<html>${echo}</html>`},
						[
							{type: 'reasoning', text: 'I look.'},
							{type: 'tool_call', name: 'read_file', arguments: {path: 'environ.txt'}},
							{type: 'tool_call', name: 'read_file', arguments: {path: '/proc/self/environ'}},
							{type: 'tool_call', name: 'grep', arguments: {pattern: 'FAKE'}},
						],
						[{type: 'text', text: 'It is one.'}],
					],
				],
				[
					'and then',
					[
						[
							{type: 'text', text: 'Once '},
							{type: 'error', reason: 'overloaded', message: echo},
						],
					],
				],
			],
			{run: runProgram},
		);
		expect(ends.map(({code}) => code)).toEqual([0, 1]);
		expect(ends[0]!.stderr).toContain('429');
		expect(ends[0]!.stderr).toContain('503');
		expect(ends[1]!.stdout).toContain('Incorrect API key provided: [key]');
		expect((await onlyHistory(home)).items.map(({type}) => type)).toContain('tool_result');
		await expectNoKeys(ends, home);
	});

	it('do not leak when the answer repeats the key, in one piece or in many', async () => {
		const key = keyOf(wire);
		const {ends, home} = await converse(wire, (await tempProject()).dir, [
			[
				'hello',
				[
					[
						{type: 'reasoning', text: `I see ${key}.`},
						{type: 'text', text: `Your key is ${key}, and again: ${key}`},
					],
				],
			],
			['and then', [[{type: 'text', text: 'Done.'}]]],
		]);
		expect(ends.map(({code}) => code)).toEqual([0, 0]);
		expect(ends[0]!.stdout).toContain('Your key is [key], and again: [key]');
		await expectNoKeys(ends, home);
	});

	it.each(Object.entries(failures))(
		'do not leak when the answer is %s, and the error gives the reason',
		async (_, [answer, sentence]) => {
			const {ends, home} = await converse(
				wire,
				(await tempProject()).dir,
				[['hello', [answer(keyOf(wire), echo)]]],
				{format: 'text', home: await homeWith('[retry]\nmax_attempts = 1\n')},
			);
			expect(ends[0]!.code).toBe(1);
			expect(ends[0]!.stderr).toMatch(sentence);
			await expectNoKeys(ends, home);
		},
	);
});

type Failure = readonly [make: (key: string, echo: string) => ServerAnswer, sentence: RegExp];

const failures: Readonly<Record<string, Failure>> = {
	'401 with the key in its JSON': [
		(_, message) =>
			http(
				401,
				JSON.stringify({error: {message, type: 'authentication_error', code: 401, status: 'UNAUTHENTICATED'}}),
			),
		/Invalid API key \(401 from .*\[key\]/,
	],
	'400 with the key in bare text, far from the start': [
		key => http(400, `${'x'.repeat(470)} ${key} ${key}`),
		/refused the request \(400\)/,
	],
	'a redirect with the key in its address': [
		key => ({status: 302, headers: {location: `https://example.invalid/?key=${key}`}}),
		/redirects to https:\/\/example\.invalid \(/,
	],
	'200 with the key in something that is not a stream': [key => http(200, `{"key": "${key}"`), /./],
	'200 with the key in a broken frame': [
		key => ({status: 200, headers: {'content-type': 'text/event-stream'}, body: `data: {"key": "${key}", \n\n`}),
		/./,
	],
};

function http(status: number, body: string): HttpAnswer {
	return {status, body};
}

describe('secrets in the configuration', () => {
	const [, key] = ways.anthropic.key;

	it.each([
		['under an unknown key', `[providers.anthropic]\napi_key = "${key}"\n`],
		['in a line that is not TOML', `[providers.anthropic]\napi_key = "${key}\n`],
		['in place of a number', `max_turns = "${key}"\n`],
	])('are not repeated by the error that refuses them: %s', async (_, toml) => {
		const {ends, home} = await withConfig(toml);
		expect(ends[0]!.code).toBe(2);
		expect(ends[0]!.stderr).toContain('config.toml');
		await expectNoKeys(ends, home, [key.slice(0, 12)]);
	});

	it.each(wires)('do not leak when the base URL of %s has a password', async wire => {
		const password = 'pass-FAKE-91d4';
		await using server = await startServer(wire, [
			http(
				401,
				JSON.stringify({
					error: {message: `Bad login ${password}`, code: 401, status: 'UNAUTHENTICATED', type: 'x'},
				}),
			),
		]);
		const url = server.url.replace('://', `://person:${password}@`);
		const {ends, home} = await withConfig(`[providers.${wire}]\nbase_url = "${url}"\n`, ways[wire].model);
		expect(ends[0]!.code).toBe(1);
		await expectNoKeys(ends, home, [password]);
	});

	it.each(wires)('do not leak when the path of the base URL of %s has a key', async wire => {
		const key = '7c1d9e5b2e8f4a3f';
		const body = JSON.stringify({
			error: {message: `Nothing is at /${key}/ here`, code: 401, status: 'UNAUTHENTICATED', type: 'x'},
		});
		await using server = await startServer(wire, [http(401, body)]);
		const url = server.url.replace(/^(https?:\/\/[^/]+)/, `$1/${key}`);
		const {ends, home} = await withConfig(`[providers.${wire}]\nbase_url = "${url}"\n`, ways[wire].model);
		expect(ends[0]!.code).toBe(1);
		const doctor = await runProgram({args: ['doctor', '--model', ways[wire].model], home, env: allKeys()});
		expect(doctor.stdout).toContain('/[key]');
		await expectNoKeys([...ends, doctor], home, [key]);
	});
});

/** Runs print mode with this configuration, and the keys of all wires in the environment. */
async function withConfig(
	toml: string,
	model = ways.anthropic.model,
): Promise<{readonly ends: readonly ProgramEnd[]; readonly home: string}> {
	const home = await homeWith(toml);
	return {
		ends: [
			await printHere({
				args: ['-p', '--output-format', 'stream-json', '--model', model, 'hello'],
				home,
				env: allKeys(),
			}),
		],
		home,
	};
}

async function homeWith(toml: string): Promise<string> {
	const {dir} = await tempProject({'.config/inkpod/config.toml': toml});
	return dir;
}

type Prompt = readonly [prompt: string, answers: readonly ServerAnswer[]];

/**
Runs a conversation in print mode. `run` starts the built program for each prompt. The default runs them here, because a
process costs more than everything that it shows.
*/
async function converse(
	wire: WireName,
	cwd: string,
	prompts: readonly Prompt[],
	{
		format = 'stream-json',
		home,
		run = printHere,
	}: {readonly format?: string; readonly home?: string; readonly run?: typeof printHere} = {},
): Promise<{readonly ends: readonly ProgramEnd[]; readonly home: string}> {
	const {model, url} = ways[wire];
	await using server = await startServer(
		wire,
		prompts.flatMap(([, answers]) => answers),
	);
	const ends: ProgramEnd[] = [];
	for (const [prompt] of prompts) {
		const own = ends[0]?.home ?? home;
		const args = ['-p', ...(ends.length === 0 ? [] : ['-c']), '--output-format', format, '--model', model, prompt];
		ends.push(
			await run({
				args,
				cwd,
				env: {...allKeys(), [url]: server.url},
				...(own !== undefined && {home: own}),
			}),
		);
	}
	expect(server.refusals).toEqual([]);
	expect(
		server.requests.every(({headers}) => Object.values(headers).some(value => String(value).includes(keyOf(wire)))),
	).toBe(true);
	return {ends, home: ends[0]!.home};
}

function allKeys(): Record<string, string> {
	return Object.fromEntries(wires.map(wire => ways[wire].key));
}

/** Checks that no part of a secret is on stdout, on stderr or in a file that the program wrote. */
async function expectNoKeys(
	ends: readonly ProgramEnd[],
	home: string,
	needles: readonly string[] = parts,
): Promise<void> {
	const said = ends.flatMap(({stdout, stderr}) => [stdout, stderr]);
	const files = (await readdir(home, {recursive: true, withFileTypes: true})).filter(
		entry => entry.isFile() && entry.name !== 'config.toml',
	);
	const kept = await Promise.all(files.map(async ({parentPath, name}) => readFile(join(parentPath, name), 'utf8')));
	for (const text of [...said, ...kept]) for (const needle of needles) expect(text).not.toContain(needle);
}
