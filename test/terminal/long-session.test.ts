import {mkdir, realpath, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {encodeBatch, headerLine, headerSum, closing} from '../../src/pod/disk/format/line.ts';
import {historyFile, sessionDir} from '../../src/pod/disk/paths.ts';
import type {Item} from '../../src/worker/index.ts';
import {openChat, transcript} from '../helpers/chat.ts';
import {createItems} from '../helpers/items.ts';
import type {Terminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';

const megabytes = process.env['INKPOD_TEST'] === 'long' ? 60 : 6;
const patience = {timeoutMs: process.env['INKPOD_TEST'] === 'long' ? 120_000 : 30_000};
const id = '01BENCHBENCHBENCHBENCHBENC';

/** Returns turns with tool results of some kilobytes, and some of half a megabyte, with `size` bytes in total. */
function longItems(bytes: number): {readonly items: readonly Item[]; readonly turns: number} {
	const make = createItems('long-');
	const items: Item[] = [make.setup()];
	let turns = 0;
	for (let size = 0; size < bytes;) {
		turns++;
		const content = `line of the file ${turns}\n`.repeat(turns % 100 === 0 ? 25_000 : 400);
		size += content.length + 1000;
		items.push(
			make.user(`question ${turns} of the person`),
			make.call(`call_${turns}`, 'read_file', {path: `src/file${turns}.ts`}),
			make.request('tool_calls'),
			make.result(`call_${turns}`, `file${turns}.ts`, content),
			make.assistant(
				`The **answer** to ${turns}.\n\n- one\n- two\n\n\`\`\`ts\nconst a = ${turns};\n\`\`\`\n\nend of answer ${turns}`,
			),
			make.request(),
			make.end(),
		);
	}
	return {items, turns};
}

/** Opens a long session. `change` can change its bytes first. */
async function resumeLong(
	change: (bytes: Buffer) => Buffer = bytes => bytes,
): Promise<{readonly terminal: Terminal; readonly turns: number}> {
	const project = await tempProject({'script.json': JSON.stringify([[{type: 'text', text: 'It goes on.'}]])});
	const home = join(project.dir, '..', `home-${process.hrtime.bigint()}`);
	const {items, turns} = longItems(megabytes * 1_000_000);
	const pwd = await realpath(project.dir);
	const dir = sessionDir(join(home, '.local/state/inkpod/sessions'), pwd, id);
	const header = headerLine({session: id, cwd: pwd, created: '2026-01-01T00:00:00.000Z'});
	await mkdir(dir, {recursive: true, mode: 0o700});
	await writeFile(
		historyFile(dir),
		change(Buffer.concat([Buffer.from(`${header}\n`), ...encodeBatch(items, headerSum(header)).pieces, closing])),
		{mode: 0o600},
	);
	const terminal = await openChat({cwd: project.dir, home, args: ['--model', 'scripted:script.json', '-r', id]});
	return {terminal, turns};
}

describe('a long session', () => {
	it('shows its last screen first, and reads keys while the rest loads', async () => {
		const {terminal, turns} = await resumeLong();
		await terminal.waitFor(`end of answer ${turns}`, patience);
		const first = transcript(terminal);
		for (const typed of ['a', 'ab', 'abc']) {
			terminal.write(typed.at(-1)!);
			await terminal.waitFor(screen => screen.includes(`❯ ${typed}`) || screen.includes(`> ${typed}`), patience);
		}
		terminal.write('\x15');
		await terminal.waitFor(screen => !screen.includes('abc'), patience);
		const [frames, before] = [terminal.chunks(), transcript(terminal)];
		expect(before).toEqual(first);
		terminal.write('\x1b[H');
		await terminal.waitFor(screen => screen.includes('question 1 of the person'), patience);
		expect(terminal.chunks() - frames).toBeLessThan(12);
		terminal.write('\x1b[F');
		await terminal.waitFor(
			screen => screen.includes(`end of answer ${turns}`) && !screen.includes('scrolled'),
			patience,
		);
		expect(transcript(terminal)).toEqual(first);
		terminal.write('go on');
		await terminal.waitFor('go on', patience);
		terminal.write('\r');
		await terminal.waitFor(screen => screen.includes('It goes on.') && screen.includes('idle'), patience);
	}, 300_000);

	it('opens a search that you start before it is loaded, and sends nothing', async () => {
		const {terminal} = await resumeLong();
		await terminal.waitFor('❯', patience);
		terminal.write('\x1bOR');
		for (const letter of 'question 3 of') terminal.write(letter);
		terminal.write('\r');
		await terminal.waitFor(/Search: question 3 of +\d+ of \d+/, patience);
		await terminal.waitFor('idle', patience);
		expect(terminal.screen()).not.toMatch(/It goes on\.|sending/);
		terminal.write('\x1b');
		await terminal.waitFor(screen => !screen.includes('Search:') && /❯ Ask/.test(screen), patience);
	}, 300_000);

	it('shows its last screen and a notice when a line in its middle is broken', async () => {
		const {terminal, turns} = await resumeLong(bytes => {
			const at = bytes.indexOf('question 2 of the person');
			bytes[at] = 'Q'.charCodeAt(0);
			return bytes;
		});
		await terminal.waitFor(`end of answer ${turns}`, patience);
		terminal.write('\x1b[H');
		await terminal.waitFor('question 1 of the person', patience);
		terminal.write('\x1b[6~');
		await terminal.waitFor(
			screen => screen.replaceAll(/\s+/g, ' ').includes('does not fit its checksum'),
			patience,
		);
	}, 300_000);
});
