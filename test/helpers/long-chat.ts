import {openChat, send} from './chat.ts';
import type {Terminal, TerminalOptions} from './pty.ts';
import {tempProject} from './temp-project.ts';

/** Reports of the mouse in SGR format. Cells count from 0. */
export const mouse = {
	press: (x: number, y: number) => `\x1b[<0;${x + 1};${y + 1}M`,
	drag: (x: number, y: number) => `\x1b[<32;${x + 1};${y + 1}M`,
	release: (x: number, y: number) => `\x1b[<0;${x + 1};${y + 1}m`,
	click: (x: number, y: number) => `\x1b[<0;${x + 1};${y + 1}M\x1b[<0;${x + 1};${y + 1}m`,
	wheelUp: (x = 0, y = 0) => `\x1b[<64;${x + 1};${y + 1}M`,
	wheelDown: (x = 0, y = 0) => `\x1b[<65;${x + 1};${y + 1}M`,
};

/** The lines of a file that is attached to the first message, and the lines of the answer. */
export const fileLines = Array.from({length: 30}, (_, line) => `file line ${line}\twith a tab`);
export const answerLines = Array.from({length: 60}, (_, line) => `- item ${line} of the answer`);

/** Opens a chat whose first turn is longer than the screen. The second turn answers slowly. The composer is empty. */
export async function longChat(options: TerminalOptions = {}): Promise<Terminal> {
	const script = [
		[{type: 'text', text: answerLines.join('\n')}],
		[{type: 'text', text: 'a slow answer with no end in sight\n\n'.repeat(400), chunk: 8, delayMs: 15}],
		[{type: 'text', text: 'The third.'}],
	];
	const project = await tempProject({'script.json': JSON.stringify(script), 'a.txt': `${fileLines.join('\n')}\n`});
	const terminal = await openChat({
		cwd: project.dir,
		...options,
		args: ['--model', 'scripted:script.json', ...(options.args ?? [])],
	});
	await terminal.waitFor('scripted');
	await send(terminal, 'explain @a.txt ');
	await terminal.waitFor(screen => screen.includes('item 59') && screen.includes('◦ idle'));
	return terminal;
}

/** Returns the row of the screen that shows a text. */
export function rowOf(terminal: Terminal, text: string): number {
	return terminal.rows().findIndex(row => row.includes(text));
}

/** Returns the texts that the program asked the terminal to copy to the clipboard. */
export function clipboard(terminal: Terminal): string[] {
	return Array.from(
		terminal
			.raw()
			.toString()
			.matchAll(/\x1b\]52;c;([\d+/=A-Za-z]*)\x07/g),
		([, encoded]) => Buffer.from(encoded!, 'base64').toString(),
	);
}

/** Returns the cells of a row in reverse video, as text. */
export function reversed(terminal: Terminal, row: number): string {
	return terminal.virtual
		.cells(row)
		.filter(({inverse}) => inverse)
		.map(({text}) => text)
		.join('');
}

/** Returns the cells of a row that belong to the current match of a search, as text. */
export function currentMatch(terminal: Terminal, row: number): string {
	const cells = terminal.virtual.cells(row);
	return cells
		.filter(({background, inverse, underline}) => background !== undefined || (inverse && underline))
		.map(({text}) => text)
		.join('');
}
