// A fake model server on loopback that streams OpenAI chat completions. fork() starts it. It exchanges these messages
// with its parent:
// - to the server: {tokens, rate, sentinel, isCounted} describes the next answer. `rate` is in tokens per second; 0
// means as fast as the client reads. With `isCounted` the usage reports the request's length at four bytes a token,
// which automatic compaction needs. All other answers are short.
// - to the parent: {port} once, then {sentinel, firstAt, lastAt} after each answer, in milliseconds since the epoch.
import http from 'node:http';
import {text} from 'node:stream/consumers';
import {setTimeout as wait} from 'node:timers/promises';
import {markdownTokens} from './text.mjs';

const short = {tokens: 20, rate: 0, sentinel: 'endofanswer'};
let scenario = short;
process.on('message', next => (scenario = next));
process.on('disconnect', () => process.exit(0));

const server = http.createServer(async (request, response) => {
	const body = await text(request);
	if (!request.url.endsWith('/chat/completions')) return answerModels(response);
	if (body.includes('"write_summary"'))
		return answerSummary(response, JSON.parse(body).messages.at(-1).role === 'tool');
	const answer = scenario;
	scenario = short;
	return answerChat(response, {...answer, promptTokens: answer.isCounted ? Math.ceil(body.length / 4) : 100});
});
server.listen(0, '127.0.0.1', () => process.send({port: server.address().port}));

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
	response.write(chunk(isWritten ? {role: 'assistant', content: 'Done.'} : {role: 'assistant', tool_calls: [call]}));
	response.write(chunk({}, isWritten ? 'stop' : 'tool_calls'));
	response.end('data: [DONE]\n\n');
}

async function answerChat(response, {tokens, rate, sentinel, promptTokens}) {
	response.writeHead(200, {'content-type': 'text/event-stream'});
	response.write(chunk({role: 'assistant', content: ''}));
	const firstAt = now();
	const pump = rate === 0 ? pumpAtOnce : pumpAtRate;
	await pump(response, [...markdownTokens(tokens - 2), '\n\n', sentinel], rate);
	const lastAt = now();
	response.write(chunk({}, 'stop'));
	response.write(
		event({
			...head,
			choices: [],
			usage: {prompt_tokens: promptTokens, completion_tokens: tokens, total_tokens: promptTokens + tokens},
		}),
	);
	response.end('data: [DONE]\n\n');
	process.send({sentinel, firstAt, lastAt});
}

async function pumpAtOnce(response, tokens) {
	for (let at = 0; at < tokens.length && !response.destroyed; at += 20) {
		const text = tokens
			.slice(at, at + 20)
			.map(token => chunk({content: token}))
			.join('');
		if (!response.write(text)) await writable(response);
	}
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

async function pumpAtRate(response, tokens, rate) {
	const startedAt = performance.now();
	for (const [index, token] of tokens.entries()) {
		if (response.destroyed) return;
		const due = startedAt + (index / rate) * 1000;
		if (due > performance.now()) await wait(due - performance.now());
		response.write(chunk({content: token}));
	}
}

const head = {id: 'answer', object: 'chat.completion.chunk', created: 1, model: 'bench-model'};

function chunk(delta, finish = null) {
	return event({...head, choices: [{index: 0, delta, finish_reason: finish}]});
}

function event(data) {
	return `data: ${JSON.stringify(data)}\n\n`;
}

function now() {
	return performance.timeOrigin + performance.now();
}
