// A fake model server on loopback that streams OpenAI chat completions, OpenAI responses and Anthropic messages. fork()
// starts it. It exchanges these messages with its parent:
// - to the server: {tokens, rate, sentinel, question, isCounted} describes the next answer. `rate` is in tokens per
// second; 0 means as fast as the client reads. The answer belongs to the next request that has tools and contains
// `question`, or to the next request if there is no `question`. With `isCounted` the usage reports the request's length
// at four bytes a token, which automatic compaction needs. All other answers are short.
// - to the parent: {port} once, then {sentinel, askedAt, firstAt, lastAt} after each answer, in milliseconds since the
// epoch. At `askedAt` the whole request has arrived.
import http from 'node:http';
import {text} from 'node:stream/consumers';
import {setTimeout as wait} from 'node:timers/promises';
import {markdownTokens} from './text.mjs';
import {chatChunk, speeches} from './wires.mjs';

const short = {tokens: 20, rate: 0, sentinel: 'endofanswer'};
const wires = {'/chat/completions': 'openai-compatible', '/responses': 'openai', '/messages': 'anthropic'};
let scenario = short;
process.on('message', next => (scenario = next));
process.on('disconnect', () => process.exit(0));

const server = http.createServer(async (request, response) => {
	const body = await text(request);
	const askedAt = now();
	const wire = wires[/\/v1(\/[\w/]+)/u.exec(request.url)?.[1]];
	if (wire === undefined) return answerModels(response);
	if (body.includes('"write_summary"'))
		return answerSummary(response, JSON.parse(body).messages.at(-1).role === 'tool');
	const answer = answers(scenario, body) ? scenario : short;
	if (answer === scenario) scenario = short;
	return answerQuestion(response, wire, {
		...answer,
		askedAt,
		promptTokens: answer.isCounted ? Math.ceil(body.length / 4) : 100,
	});
});
server.listen(0, '127.0.0.1', () => process.send({port: server.address().port}));

// A program may also ask for a title of the session, with the same question. Such a request has no tools.
function answers({question}, body) {
	if (question === undefined) return true;
	return body.includes(question) && (JSON.parse(body).tools ?? []).length > 0;
}

function answerModels(response) {
	response
		.writeHead(200, {'content-type': 'application/json'})
		.end(JSON.stringify({object: 'list', data: [{id: 'bench-model', object: 'model'}]}));
}

// A compaction asks for its summary with a tool call. The server answers with a summary of about 2,000 tokens.
function answerSummary(response, isWritten) {
	response.writeHead(200, {'content-type': 'text/event-stream'});
	const call = {
		index: 0,
		id: 'call',
		type: 'function',
		function: {name: 'write_summary', arguments: JSON.stringify({text: markdownTokens(2000).join('')})},
	};
	response.write(
		chatChunk(isWritten ? {role: 'assistant', content: 'Done.'} : {role: 'assistant', tool_calls: [call]}),
	);
	response.write(chatChunk({}, isWritten ? 'stop' : 'tool_calls'));
	response.end('data: [DONE]\n\n');
}

async function answerQuestion(response, wire, {tokens, rate, sentinel, askedAt, promptTokens}) {
	const words = [...markdownTokens(tokens - 2), '\n\n', sentinel];
	const usage = {input: promptTokens, output: tokens};
	const {begin, delta, end} = speeches[wire]('text', {...usage, text: words.join('')});
	const events = words.map(delta);
	response.writeHead(200, {'content-type': 'text/event-stream'});
	response.write(begin === '' ? delta('') : begin);
	const firstAt = now();
	const pump = rate === 0 ? pumpAtOnce : pumpAtRate;
	await pump(response, events, rate);
	const lastAt = now();
	response.end(end);
	process.send({sentinel, askedAt, firstAt, lastAt});
}

async function pumpAtOnce(response, events) {
	for (let at = 0; at < events.length && !response.destroyed; at += 20)
		if (!response.write(events.slice(at, at + 20).join(''))) await writable(response);
}

async function writable(response) {
	await new Promise(resolve => {
		const done = () => {
			for (const event of ['drain', 'close']) response.off(event, done);
			resolve();
		};
		for (const event of ['drain', 'close']) response.on(event, done);
	});
}

async function pumpAtRate(response, events, rate) {
	const startedAt = performance.now();
	for (const [index, each] of events.entries()) {
		if (response.destroyed) return;
		const due = startedAt + (index / rate) * 1000;
		if (due > performance.now()) await wait(due - performance.now());
		response.write(each);
	}
}

function now() {
	return performance.timeOrigin + performance.now();
}
