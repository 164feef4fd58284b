import {describe, expect, it} from 'vitest';
import {idle, openChat, send} from '../helpers/chat.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {linkOf, type Screen} from '../helpers/screen.ts';

const address = `https://example.com/${'long/'.repeat(12)}end?q=1`;
const answer = `See [the page](https://example.com/a) and ${address} or [this](javascript:alert).`;
const scripted = ['--model', 'scripted:script.json'];
const place = async () => (await tempProject({'script.json': JSON.stringify([[{type: 'text', text: answer}]])})).dir;

/** Returns each piece of text on the screen that belongs to a link, with the address of the link. */
function links({terminal}: Screen): ReadonlyArray<readonly [text: string, address: string]> {
	const {active} = terminal.buffer;
	const found: Array<[string, string]> = [];
	for (let row = 0; row < terminal.rows; row++) {
		let last: string | undefined;
		for (let column = 0; column < terminal.cols; column++) {
			const cell = active.getLine(active.baseY + row)?.getCell(column);
			const link = linkOf(terminal, cell);
			if (link !== undefined && link === last) found.at(-1)![0] += cell!.getChars();
			else if (link !== undefined) found.push([cell!.getChars(), link]);
			last = link;
		}
	}
	return found;
}

describe('web addresses in an answer', () => {
	it.each([
		{name: 'the full screen', args: []},
		{name: '--inline', args: ['--inline']},
	])('are links of the terminal, on each of their rows: $name', async ({args}) => {
		const terminal = await openChat({
			cols: 60,
			rows: 20,
			args: [...scripted, ...args],
			cwd: await place(),
			env: {INKPOD_LINKS: '1'},
		});
		await terminal.waitFor('scripted');
		await send(terminal, 'go');
		await terminal.waitFor(screen => screen.includes('end?q=1') && idle.test(screen));
		const found = links(terminal.virtual);
		expect(found[0]).toEqual(['https://example.com/a', 'https://example.com/a']);
		expect(found.length).toBeGreaterThan(2);
		expect(new Set(found.slice(1).map(([, to]) => to))).toEqual(new Set([address]));
		expect(
			found
				.slice(1)
				.map(([text]) => text)
				.join(''),
		).toBe(address);
	});

	it('are plain for a screen reader, and where the terminal may not know links', async () => {
		for (const own of [{args: ['--screen-reader'], env: {INKPOD_LINKS: '1'}}, {args: []}]) {
			const args = [...scripted, ...own.args];
			const terminal = await openChat({cols: 60, rows: 20, ...own, args, cwd: await place()});
			await terminal.waitFor('scripted');
			await send(terminal, 'go');
			await terminal.waitFor(screen => screen.includes('end?q=1'));
			expect(terminal.raw().includes('\x1b]8;')).toBe(false);
		}
	});
});
