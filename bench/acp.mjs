// Measures how long `inkpod acp` takes to answer `initialize`, beside a Node program that only answers, and beside the
// floor of the other benchmarks until it is usable. Prints the medians and their ratios. Run it after `npm run build`.
import {spawn} from 'node:child_process';
import path from 'node:path';
import {projectRoot} from '../test/helpers/built.ts';
import {openTerminal} from '../test/helpers/pty.ts';

const runs = Number(process.argv[2] ?? 20);
const floor = `process.stdin.once('data', () => process.stdout.write('{"jsonrpc":"2.0","id":0,"result":{}}\\n'))`;
const subjects = {
	floor: ['-e', floor],
	acp: [path.join(projectRoot, 'dist/inkpod.js'), 'acp', '--model', 'offline'],
};
const request = {jsonrpc: '2.0', id: 0, method: 'initialize', params: {protocolVersion: 1}};

const times = {floor: [], acp: [], chat: []};
for (let run = 0; run < runs + 2; run++) {
	for (const [name, args] of Object.entries(subjects)) {
		const ms = await answerMs(args);
		if (run >= 2) times[name].push(ms);
	}
	const ms = await usableMs();
	if (run >= 2) times.chat.push(ms);
}
const [one, other, chat] = [median(times.floor), median(times.acp), median(times.chat)];
console.log(
	`a Node program that answers ${one.toFixed(0)} ms, inkpod acp ${other.toFixed(0)} ms: ${ratio(other, one)}`,
);
console.log(`the floor ${chat.toFixed(0)} ms: ${ratio(other, chat)}`);

function ratio(ms, floorMs) {
	return `${(ms / floorMs).toFixed(2)} times`;
}

async function usableMs() {
	const command = [process.execPath, path.join(projectRoot, 'bench/floor.mjs')];
	await using terminal = await openTerminal({command, env: {FLOOR_URL: 'http://127.0.0.1:1/'}});
	return (await terminal.waitFor('floor is ready')) - terminal.startedAt;
}

function answerMs(args) {
	return new Promise((resolve, reject) => {
		const startedAt = performance.now();
		const child = spawn(process.execPath, args, {stdio: ['pipe', 'pipe', 'inherit']});
		child.on('error', reject);
		child.stdout.once('data', () => {
			resolve(performance.now() - startedAt);
			child.kill();
		});
		child.stdin.write(`${JSON.stringify(request)}\n`);
	});
}

function median(values) {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
