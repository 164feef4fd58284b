import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {describe, expect, it, onTestFinished} from 'vitest';
import {builtProgram} from '../helpers/built.ts';
import {idle, openChat, send} from '../helpers/chat.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {startServer} from '../helpers/wire-servers/index.ts';
import {modelNames, testKey} from '../worker/wires/wire-model.ts';

const wire = 'openai-compatible';
const preload = pathToFileURL(join(import.meta.dirname, '../helpers/record-writes.mjs')).href;
const words = Array.from({length: 300}, (_, n) => `w${n};`).join(' ');

/** A frame on the terminal, or a write to a file beside the history. `at`: milliseconds. */
type Recorded = {readonly at: number; readonly what: 'frame' | 'stream' | 'emptied' | 'queue' | 'draft'};

/** Opens a chat with a slow model. `recorded` returns its frames and writes since the last call. */
async function recordedChat() {
	const project = await tempProject();
	const server = await startServer(wire, [[{type: 'text', text: words, chunk: 3, delayMs: 3}, {type: 'stall'}]]);
	const log = join(project.dir, '../writes.jsonl');
	const terminal = await openChat({
		cwd: project.dir,
		cols: 160,
		rows: 60,
		command: [process.execPath, '--import', preload, await builtProgram()],
		args: ['--model', `${wire}/${modelNames[wire]}`, '--no-socket'],
		env: {OPENAI_COMPATIBLE_API_KEY: testKey, OPENAI_COMPATIBLE_BASE_URL: server.url, RECORDED_WRITES: log},
	});
	await terminal.waitFor(idle);
	onTestFinished(async () => server.close());
	let read = 0;
	const recorded = async (): Promise<readonly Recorded[]> => {
		const lines = (await readFile(log, 'utf8')).split('\n').slice(0, -1);
		const fresh = lines.slice(read).map(line => JSON.parse(line) as Recorded);
		read = lines.length;
		return fresh;
	};
	return {terminal, recorded};
}

function count(recorded: readonly Recorded[], ...kinds: ReadonlyArray<Recorded['what']>): number {
	return recorded.filter(({what}) => kinds.includes(what)).length;
}

function sideWrites(recorded: readonly Recorded[]): number {
	return recorded.length - count(recorded, 'frame');
}

/** Returns the most writes that are possible in the time of these, however many keys are typed. */
function paced(recorded: readonly Recorded[]): number {
	const elapsed = recorded.at(-1)!.at - recorded[0]!.at;
	return 3 + elapsed / framePace + elapsed / draftPace;
}

const framePace = 48;
const draftPace = 1000;

describe('the files beside the history', () => {
	it('are written at most once per frame and not for each key', async () => {
		const {terminal, recorded} = await recordedChat();
		await send(terminal, 'go');
		await terminal.waitFor('w5;');
		await recorded();
		await terminal.waitFor('w120;');
		const streaming = await recorded();
		expect(count(streaming, 'stream')).toBeGreaterThan(5);
		expect(sideWrites(streaming)).toBeLessThanOrEqual(count(streaming, 'frame') + 1);
		for (let n = 1; n <= 100; n++) {
			terminal.write('x');
			await terminal.waitFor('x'.repeat(n));
		}
		const typing = await recorded();
		expect(count(typing, 'frame')).toBeGreaterThanOrEqual(100);
		expect(sideWrites(typing)).toBeLessThanOrEqual(paced(typing));
		terminal.write('\r');
		await terminal.waitFor('queued: x');
		const queued = await recorded();
		expect(count(queued, 'queue')).toBe(1);
		expect(sideWrites(queued)).toBeLessThanOrEqual(paced(queued));
	});
});
