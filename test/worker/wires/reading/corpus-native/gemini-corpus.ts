import type {NativeCase} from '../../../wires/reading/played-native.ts';

/*
Streams of streamGenerateContent, after the documented shapes:
ai.google.dev/api/generate-content (GenerateContentResponse, Candidate, FinishReason, GroundingMetadata),
/api/caching#Part (parts), /gemini-api/docs/thought-signatures, /gemini-api/docs/code-execution.
*/

const chunk = (parts: unknown, more: object = {}) => ({
	candidates: [{content: {role: 'model', parts}, index: 0, ...more}],
	modelVersion: 'served',
	responseId: 'r_1',
});
const counts = {promptTokenCount: 10, candidatesTokenCount: 3, thoughtsTokenCount: 2, totalTokenCount: 15};
const end = (finishReason: unknown = 'STOP', more: object = {}, usageMetadata: unknown = counts) => ({
	candidates: [{content: {role: 'model', parts: []}, finishReason, index: 0, ...more}],
	usageMetadata,
});
const hello = [chunk([{text: 'Hel'}]), chunk([{text: 'lo'}])];
const usage = {input: 10, output: 5, cacheRead: 0, reasoning: 2};
const path = {path: 'a.ts'};
const called = {texts: [], calls: [['read_file', path]], usage, stop: 'tool_calls'} as const;
const blockedBy = (reason: string, explanation = reason): NativeCase => ({
	name: `the reason ${reason}`,
	events: [...hello, end(reason)],
	seen: {stop: 'blocked', explanation, usage},
});

export const geminiCorpus: readonly NativeCase[] = [
	{name: 'a text', events: [...hello, end()], seen: {usage}},
	{
		name: 'a thought, a text and a call',
		events: [
			chunk([{text: 'Hm.', thought: true}]),
			...hello,
			chunk([{functionCall: {id: 'f', name: 'read_file', args: path}, thoughtSignature: 'c2ln'}]),
			end(),
		],
		seen: {...called, texts: ['Hello'], thoughts: ['Hm.']},
	},
	{
		name: 'a call without id and arguments',
		events: [chunk([{functionCall: {name: 'now', args: null}}]), end()],
		seen: {...called, calls: [['now', {}]]},
	},
	{
		name: 'arguments as text, and names that an object must not have',
		events: [
			chunk([{functionCall: {name: 'read_file', args: '{"path":"a.ts"}'}}]),
			chunk([{functionCall: {name: 'write', args: JSON.parse('{"__proto__":{"a":1}}')}}]),
			end(),
		],
		seen: {
			...called,
			calls: [
				['read_file', path],
				['write', JSON.parse('{"__proto__":{"a":1}}')],
			],
		},
	},
	{
		name: 'arguments in pieces',
		events: [
			chunk([{functionCall: {id: 'f', name: 'read_file', willContinue: true}}]),
			chunk([
				{
					functionCall: {
						partialArgs: [{jsonPath: '$.path', stringValue: 'a.', willContinue: true}],
						willContinue: true,
					},
				},
			]),
			chunk([
				{functionCall: {partialArgs: [{jsonPath: '$.path', stringValue: 'ts', odd: {}}], willContinue: true}},
			]),
			chunk([{functionCall: {}}]),
			end(),
		],
		seen: called,
	},
	{
		name: 'a text and a call in one part',
		events: [chunk([{text: 'Hello', functionCall: {name: 'read_file', args: path}}]), end()],
		seen: {...called, texts: ['Hello']},
	},
	{
		name: 'images, files and code',
		events: [
			chunk([{text: 'Hello'}, {inlineData: {mimeType: 'image/png', data: 'AA'}}]),
			chunk([
				{fileData: {mimeType: 'a/b', fileUri: 'gs://x'}},
				{executableCode: {language: 'PYTHON', code: '1+1'}},
			]),
			chunk([{codeExecutionResult: {outcome: 'OUTCOME_OK', output: '2'}}, {hologram: {light: 'blue'}}]),
			end(),
		],
		seen: {unread: ['inlineData', 'fileData', 'executableCode', 'codeExecutionResult', 'hologram'], usage},
	},
	{
		name: 'parts of wrong types',
		events: [
			chunk([null, 3, {text: null}, {text: 7}, {functionCall: null}]),
			chunk(null),
			chunk({text: 'Hel'}),
			chunk('lo'),
			end(),
		],
		seen: {unread: ['text'], usage},
	},
	{
		name: 'candidates that are null, empty or without content',
		events: [
			{candidates: null},
			{candidates: []},
			{candidates: [{}]},
			{candidates: [{content: null}]},
			...hello,
			end(),
		],
		seen: {usage},
	},
	{
		name: 'a signature that comes alone',
		events: [...hello, chunk([{thoughtSignature: 'c2ln'}]), end()],
		seen: {usage},
	},
	{
		name: 'usage in every chunk, in parts and as texts',
		events: [
			{...chunk([{text: 'Hel'}]), usageMetadata: {promptTokenCount: '10'}},
			{
				...chunk([{text: 'lo'}]),
				usageMetadata: {candidatesTokenCount: 3, thoughtsTokenCount: 2, promptTokensDetails: 'x'},
			},
			end('STOP', {}, null),
			{usageMetadata: {totalTokenCount: 15}},
		],
		seen: {usage},
	},
	{name: 'no usage', events: [...hello, end('STOP', {}, null)], seen: {}},
	{
		name: 'grounding that grows',
		events: [
			chunk([{text: 'Hello'}], {
				groundingMetadata: {
					webSearchQueries: ['a'],
					groundingChunks: [{web: {uri: 'https://a.example', title: 'A'}}],
				},
			}),
			end('STOP', {
				groundingMetadata: {
					webSearchQueries: ['a'],
					groundingChunks: [
						{web: {uri: 'https://a.example', title: 'A'}},
						{retrievedContext: {title: 'B', text: 'b', uri: null}},
						{odd: 1},
					],
					groundingSupports: null,
				},
			}),
		],
		seen: {
			citations: [
				{title: 'A', url: 'https://a.example'},
				{title: 'B', text: 'b'},
			],
			unread: ['webSearchQueries'],
			usage,
		},
	},
	{
		name: 'citation metadata',
		events: [
			...hello,
			end('STOP', {citationMetadata: {citationSources: [{uri: 'https://a.example', startIndex: 0}]}}),
		],
		seen: {citations: [{url: 'https://a.example'}], usage},
	},
	{
		name: 'grounding after a call',
		events: [
			chunk([{functionCall: {name: 'read_file', args: path}}]),
			end('STOP', {groundingMetadata: {groundingChunks: [{web: {uri: 'https://a.example'}}]}}),
		],
		seen: {...called, unread: ['citations']},
	},
	{
		name: 'an answer that would be continued',
		events: [...hello, end('CONTINUATION', {continuationToken: 't'})],
		seen: {stop: 'paused', usage},
	},
	{name: 'the output limit', events: [...hello, end('MAX_TOKENS')], seen: {stop: 'length', usage}},
	...['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'IMAGE_SAFETY'].map(reason =>
		blockedBy(reason),
	),
	{
		name: 'the categories of a filter',
		events: [
			end('SAFETY', {
				safetyRatings: [{category: 'HARM_A', probability: 'LOW'}, {category: 'HARM_B', blocked: true}, 'odd'],
			}),
		],
		seen: {texts: [], stop: 'blocked', explanation: 'SAFETY, HARM_B', usage},
	},
	{
		name: 'a prompt that was blocked',
		events: [
			{
				promptFeedback: {blockReason: 'SAFETY', safetyRatings: [{category: 'HARM_B', probability: 'HIGH'}]},
				usageMetadata: {promptTokenCount: 10},
			},
		],
		seen: {
			texts: [],
			stop: 'blocked',
			explanation: 'SAFETY, HARM_B',
			usage: {input: 10, output: 0, cacheRead: 0, reasoning: 0},
		},
	},
	{
		name: 'a prompt that was blocked, with a message',
		events: [{promptFeedback: {blockReason: 'OTHER', blockReasonMessage: 'Not here.'}, candidates: null}],
		seen: {texts: [], stop: 'blocked', explanation: 'Not here.'},
	},
	...[
		'MALFORMED_FUNCTION_CALL',
		'function_call_filter: MALFORMED_FUNCTION_CALL',
		'UNEXPECTED_TOOL_CALL',
		'TOO_MANY_TOOL_CALLS',
	].map((reason): NativeCase => ({
		name: `the reason ${reason}`,
		events: [...hello, end(reason, {finishMessage: 'Malformed function call: read('})],
		seen: {stop: 'unread_call', explanation: 'Malformed function call: read(', usage},
	})),
	{
		name: 'a call without a name',
		events: [chunk([{functionCall: {args: path}}]), end()],
		seen: {
			texts: [],
			unread: ['functionCall'],
			stop: 'unread_call',
			explanation: 'The server sent a call without its name.',
			usage,
		},
	},
	{
		name: 'an unknown reason',
		events: [...hello, end('FULL_MOON', {finishMessage: 'It is late.'})],
		seen: {stop: 'other', explanation: 'It is late.', usage},
	},
	{
		name: 'a reason that is none',
		events: [chunk([{text: 'Hello'}], {finishReason: 'FINISH_REASON_UNSPECIFIED'}), end('stop')],
		seen: {usage},
	},
	{name: 'no reason, but [DONE]', events: hello, isDone: true, seen: {}},
	{name: 'no reason at all', events: hello, seen: {error: 'cut'}},
	{name: 'chunks in lists and envelopes', events: [[hello[0], hello[1]], {response: end()}], seen: {usage}},
	{
		name: 'an error after half of the text',
		events: [
			hello[0],
			{
				error: {
					code: '503',
					message: 'Overloaded',
					status: 'UNAVAILABLE',
					details: [JSON.parse('{"__proto__":1}')],
				},
			},
		],
		seen: {texts: [], error: 'overloaded'},
	},
	{name: 'an error as text', events: [{error: 'out of memory'}], seen: {texts: [], error: 'other'}},
	{name: 'only events of another API', events: [{type: 'message_start'}], seen: {texts: [], error: 'bad_response'}},
];
