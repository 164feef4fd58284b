import {createHash} from 'node:crypto';
import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {turnTexts} from './text.mjs';

/** The id of every generated session. */
export const sessionId = '01BENCHBENCHBENCHBENCHBENC';

/** Writes a finished session of `turns` turns to `<folder>/history.json` (docs/history.md). Returns the file's path. */
export async function writeSession(folder, cwd, turns) {
	const file = path.join(folder, 'history.json');
	await mkdir(folder, {recursive: true, mode: 0o700});
	await writeFile(file, historyText(cwd, sessionItems(turns)), {mode: 0o600});
	return file;
}

/** Returns the text of a history.json. The checksum of a line covers the line and the checksum before it. */
export function historyText(cwd, items) {
	const facts = `"session":"${sessionId}","cwd":${JSON.stringify(cwd)},"created":"${timeOf(0)}"`;
	const header = `{"format":"inkpod.history/1",${facts},"items":[`;
	let sum = digest(header);
	const lines = items.map(item => {
		const text = JSON.stringify(item);
		sum = digest(`${sum}\n${text}`);
		return `${text.slice(0, -1)},"sum":"${sum}"}`;
	});
	return `${header}\n${lines.join(',\n')}\n]}\n`;
}

/** Returns the items of a finished session of `turns` turns. */
export function sessionItems(turns) {
	const model = 'openai-compatible/bench-model';
	const drafts = [{type: 'setup', model, prompt: 'You answer.', tools: [], settings: {}}];
	for (let turn = 1; turn <= turns; turn++) {
		const {question, answer} = turnTexts(turn);
		drafts.push(
			{
				type: 'message',
				role: 'user',
				text: question,
				origin: {kind: 'submit', segments: [{type: 'text', text: question}]},
			},
			{type: 'message', role: 'assistant', text: answer},
			{
				type: 'request',
				model,
				usage: {input: 100, output: 60},
				requestHash: digest(question),
				startedAt: timeOf(turn),
				endedAt: timeOf(turn),
				stop: 'end',
			},
			{type: 'run_end', outcome: 'finished'},
		);
	}
	return drafts.map((draft, index) => ({id: `item-${index}`, at: timeOf(index), ...draft}));
}

function timeOf(second) {
	return new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
}

function digest(text) {
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
