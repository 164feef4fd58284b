// A fake model server on loopback: OpenAI chat completions, streamed. Started by fork(); it is told what to answer and tells when it did.
//   parent -> {tokens, rate, sentinel}: the next answer; rate in tokens a second, 0 as fast as the client reads. Others are short.
//   child  -> {port} once, then {sentinel, firstAt, lastAt} after each answer: milliseconds since the epoch
import http from 'node:http';
import {setTimeout as wait} from 'node:timers/promises';
import {markdownTokens} from './text.mjs';

const short = {tokens: 20, rate: 0, sentinel: 'endofanswer'};
let scenario = short;
process.on('message', next => (scenario = next));
process.on('disconnect', () => process.exit(0));

const server = http.createServer(async (request, response) => {
	for await (const _ of request);
	if (!request.url.endsWith('/chat/completions')) return answerModels(response);
	const answer = scenario;
	scenario = short;
	return answerChat(response, answer);
});
server.listen(0, '127.0.0.1', () => process.send({port: server.address().port}));

function answerModels(response) {
	response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify({object: 'list', data: [{id: 'bench-model', object: 'model'}]}));
}

async function answerChat(response, {tokens, rate, sentinel}) {
	response.writeHead(200, {'content-type': 'text/event-stream'});
	response.write(chunk({role: 'assistant', content: ''}));
	const firstAt = now();
	const pump = rate === 0 ? pumpAtOnce : pumpAtRate;
	await pump(response, [...markdownTokens(tokens - 2), '\n\n', sentinel], rate);
	const lastAt = now();
	response.write(chunk({}, 'stop'));
	response.write(event({...head, choices: [], usage: {prompt_tokens: 100, completion_tokens: tokens, total_tokens: 100 + tokens}}));
	response.end('data: [DONE]\n\n');
	process.send({sentinel, firstAt, lastAt});
}

async function pumpAtOnce(response, tokens) {
	for (let at = 0; at < tokens.length && !response.destroyed; at += 20) {
		const text = tokens.slice(at, at + 20).map(token => chunk({content: token})).join('');
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
