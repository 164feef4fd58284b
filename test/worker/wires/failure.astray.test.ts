import {describe, expect, it} from 'vitest';
import {says} from '../../helpers/wire-servers/hostile.ts';
import {answered} from './hostile-answer.ts';

/** Answers whose usual sentence would lead the user astray. Each was seen at the server named. */

const login = '<html><head><title>Sign in</title></head><body></body></html>';
const nginx = '<html><head><title>413 Request Entity Too Large</title></head><body>nginx</body></html>';
const json = (message: string) => JSON.stringify({error: {message}});
const noModel = json("No models loaded. Please load a model in the developer page or use the 'lms load' command.");
const noTools = 'Model "local" cannot use tools';
const toolsOff =
	'Choose another model, start with --option tools=false, or set tools = false under ' +
	'[models."openai-compatible/local"].';
const policy = 'https://openrouter.ai/settings/privacy';
const otherProgram = 'Check the base URL, and whether a proxy or a login page answers instead.';

type Case = {
	readonly name: string;
	readonly status: string;
	readonly body: string;
	readonly reason: string;
	/** What failed, and what to do next, in this order. */
	readonly says: readonly string[];
};

const cases: readonly Case[] = [
	{
		name: 'OpenRouter: no provider fits the data policy',
		status: '404 Not Found',
		body: json(`No endpoints found matching your data policy (Free model publication). Configure: ${policy}`),
		reason: 'other',
		says: ['Your privacy settings at HOST allow no provider of "local" (404).', 'Change these settings', policy],
	},
	{
		name: 'OpenRouter: no provider fits the guardrails',
		status: '404 Not Found',
		body: json(`No endpoints available matching your guardrail restrictions and data policy. Configure: ${policy}`),
		reason: 'other',
		says: ['Your privacy settings at HOST', 'Change these settings', policy],
	},
	...['400 Bad Request', '404 Not Found'].map(status => ({
		name: `LM Studio: no model is loaded, ${status}`,
		status,
		body: noModel,
		reason: 'not_found',
		says: ['HOST has no model loaded', 'lms load local', 'HOST says: No models loaded.'],
	})),
	{
		name: 'Ollama: the model is not installed',
		status: '404 Not Found',
		body: JSON.stringify({error: 'model "local" not found, try pulling it first'}),
		reason: 'not_found',
		says: ['Model "local" is not installed at HOST (404).', 'Install it with: ollama pull local.'],
	},
	{
		name: 'nginx: the request is too large',
		status: '413 Request Entity Too Large',
		body: nginx,
		reason: 'too_long',
		says: ['The request is too long for local'],
	},
	...[login, ''].map(body => ({
		name: `a network that wants a login, body of ${body.length} bytes`,
		status: '511 Network Authentication Required',
		body,
		reason: 'bad_response',
		says: ['HOST was not reached, because the network requires a login first (511).', 'in a browser'],
	})),
	{
		name: 'a login page with status 200',
		status: '200 OK',
		body: login,
		reason: 'bad_response',
		says: ['HOST sent a web page instead of an answer (“Sign in”).', otherProgram],
	},
	{
		name: 'another program with status 200',
		status: '200 OK',
		body: JSON.stringify({status: 'running'}),
		reason: 'bad_response',
		says: ['HOST sent JSON that is not an answer.', otherProgram],
	},
	{
		name: 'an answer without content',
		status: '204 No Content',
		body: '',
		reason: 'bad_response',
		says: ['HOST answered without content (204).', 'Check the base URL'],
	},
	{
		name: 'Ollama: a model without tools',
		status: '400 Bad Request',
		body: json('registry.ollama.ai/library/gemma:2b does not support tools'),
		reason: 'bad_request',
		says: [noTools, toolsOff],
	},
	{
		name: 'OpenRouter: no provider with tools',
		status: '404 Not Found',
		body: json('No endpoints found that support tool use.'),
		reason: 'bad_request',
		says: [noTools, toolsOff],
	},
];

describe('the sentence about a failure says what failed, and then what to do', () => {
	it.each(cases)('for $name', async ({status, body, reason, says: parts}) => {
		const {error} = await answered('openai-compatible', says(body, {}, status));
		expect(error).toMatchObject({reason, retryable: false});
		const message = error!.message.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
		const places = parts.map(part => message.indexOf(part));
		expect({message, places: places.toSorted((a, b) => a - b)}).toEqual({message, places});
		expect({message, isComplete: !places.includes(-1)}).toEqual({message, isComplete: true});
	});
});
