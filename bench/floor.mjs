// A minimal Node program as a chat client. It echoes raw keys on the bottom row, shows a paste as its
// number of lines, and writes streamed text as it arrives. It has no layout, no Markdown and no history. FLOOR_URL
// names the server. FLOOR_RESUME names a history.json, whose messages the program writes first.
import {readFileSync} from 'node:fs';
import http from 'node:http';

const {stdin, stdout, env} = process;
const bottom = stdout.rows;
let draft = '';
let pasted;

const keys = {
	'\x03': () => {
		stdout.write('\x1b[r\x1b[?1049l');
		process.exit(0);
	},
	'\x15': () => (draft = ''),
	'\x7f': () => (draft = draft.slice(0, -1)),
	'\r': () => {
		stdout.write(`> ${draft}\r\n`);
		ask(draft);
		draft = '';
	},
};

stdin.setRawMode(true);
stdout.write(`\x1b[?1049h\x1b[2J\x1b[1;${bottom - 1}r\x1b[1;1H`);
if (env.FLOOR_RESUME) for (const text of messages(env.FLOOR_RESUME)) stdout.write(`${lines(text)}\r\n`);
stdout.write('floor is ready\r\n');
drawDraft();
stdin.setEncoding('utf8').on('data', typed => {
	if (pasted !== undefined || typed.startsWith('\x1b[200~')) return paste(typed);
	for (const key of typed) {
		if (keys[key]) keys[key]();
		else draft += key;
	}
	drawDraft();
});

function paste(piece) {
	(pasted ??= []).push(piece);
	if (!pasted.slice(-2).join('').endsWith('\x1b[201~')) return;
	draft += `[${(pasted.join('').split('\r').length - 1).toLocaleString('en-US')} lines]`;
	pasted = undefined;
	drawDraft();
}

function drawDraft() {
	stdout.write(`\x1b7\x1b[${bottom};1H\x1b[2K> ${draft}\x1b8`);
}

function ask(text) {
	const request = http.request(
		`${env.FLOOR_URL}/chat/completions`,
		{method: 'POST', headers: {'content-type': 'application/json'}},
		response => {
			let rest = '';
			response.setEncoding('utf8').on('data', data => {
				const events = (rest + data).split('\n\n');
				rest = events.pop();
				stdout.write(lines(events.map(textOf).join('')));
			});
		},
	);
	const tools = [{type: 'function', function: {name: 'none'}}];
	request.end(JSON.stringify({model: 'floor', stream: true, tools, messages: [{role: 'user', content: text}]}));
}

function textOf(event) {
	const data = event.slice('data: '.length);
	return data === '[DONE]' ? '' : (JSON.parse(data).choices[0]?.delta.content ?? '');
}

function messages(file) {
	const items = readFileSync(file, 'utf8')
		.split('\n')
		.slice(1, -2)
		.map(line => JSON.parse(line.replace(/,$/u, '')));
	return items.filter(item => item.type === 'message').map(item => item.text);
}

function lines(text) {
	return text.replaceAll('\n', '\r\n');
}
