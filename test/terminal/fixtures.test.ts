import {readFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {openChat} from '../helpers/chat.ts';
import {fixtureNames, fixturePath, parseScreens, storeFixture, type ShownScreen} from '../helpers/fixtures.ts';
import type {Terminal} from '../helpers/pty.ts';
import {difference} from '../helpers/same-screen.ts';
import {createScreen, type Screen} from '../helpers/screen.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';

describe('the built program', () => {
	it.each(fixtureNames)('shows the fixture %s as its screen.txt does, cell by cell, at both sizes', async name => {
		const project = await tempProject();
		const id = await storeFixture(project, name);
		const [small, large] = await screensOf(name);
		const terminal = await resumed(project, id, small);
		await showsSame(terminal, name, small);
		// inkpod may draw a session's first frame before Ink is loaded. Ink draws these two.
		await showsSame(terminal, name, large);
		await showsSame(terminal, name, small);
		terminal.write('\x04');
		await terminal.exit;
	});
});

async function resumed({dir}: TempProject, id: string, {size: {columns, rows}}: ShownScreen): Promise<Terminal> {
	return openChat({
		cwd: dir,
		home: dirname(dir),
		args: ['-r', id, '--model', 'offline'],
		cols: columns,
		rows,
		// A terminal that answers nothing gets no tints. The screens have none.
		answers: 'none',
	});
}

async function screensOf(name: string): Promise<readonly [ShownScreen, ShownScreen]> {
	const [small, large, ...others] = parseScreens(await readFile(fixturePath(name, 'screen.txt'), 'utf8'));
	if (small === undefined || large === undefined || others.length > 0) throw new Error(`${name} needs two screens.`);
	return [small, large];
}

/** Resizes the terminal to the size of a screen, and waits until both show the same. */
async function showsSame(terminal: Terminal, name: string, shown: ShownScreen): Promise<void> {
	const {columns, rows} = shown.size;
	const {
		terminal: {cols: columnsBefore, rows: rowsBefore},
	} = terminal.virtual;
	if (columns !== columnsBefore || rows !== rowsBefore) terminal.resize(columns, rows);
	const expected = await screenOf(shown);
	const found = () => difference(terminal.virtual, expected);
	await terminal.waitFor(() => found() === undefined).catch(() => expect.fail(`${name}: ${found()}`));
}

async function screenOf({size, rows, cursor}: ShownScreen): Promise<Screen> {
	const screen = createScreen(size.columns, size.rows);
	onTestFinished(() => screen.dispose());
	await screen.write(`\x1b[?7l${rows.join('\r\n')}\x1b[${cursor.y + 1};${cursor.x + 1}H`);
	return screen;
}
