// Measures how long `inkpod acp` and a Node program that only answers take to answer `initialize`. Prints both
// medians and their ratio, which must stay below 1.5. Run it after `npm run build`.
import {spawn} from 'node:child_process';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const projectRoot = fileURLToPath(new URL('..', import.meta.url));
const runs = Number(process.argv[2] ?? 20);
const subjects = {
	floor: [path.join(projectRoot, 'bench/acp-floor.mjs')],
	acp: [path.join(projectRoot, 'dist/inkpod.js'), 'acp', '--model', 'offline'],
};
const request = {jsonrpc: '2.0', id: 0, method: 'initialize', params: {protocolVersion: 1}};

const times = {floor: [], acp: []};
for (let run = 0; run < runs + 2; run++)
	for (const [name, args] of Object.entries(subjects)) {
		const ms = await answerMs(args);
		if (run >= 2) times[name].push(ms);
	}
const [one, other] = [median(times.floor), median(times.acp)];
console.log(`floor ${one.toFixed(0)} ms, inkpod acp ${other.toFixed(0)} ms, ratio ${(other / one).toFixed(2)}`);

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
