import * as fc from 'fast-check';
import {render, type Instance} from 'ink';
import {expect, it} from 'vitest';
import {createStore} from 'zustand/vanilla';
import {firstPicture} from '../../../src/screen/mount/view.ts';
import {layoutOf, type Layout} from '../../../src/screen/view/layout.ts';
import {createFrameStream} from '../../../src/screen/terminal/ink-stdout.ts';
import {Screen} from '../../../src/screen/mount/mount.tsx';
import {createTheme} from '../../../src/screen/spans/theme.ts';
import {createScreen} from '../../helpers/screen.ts';
import {difference} from '../../helpers/same-screen.ts';
import {randomScreen, screenAct, type ScreenAct} from '../../helpers/random-screen.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = 20_261_122;
const sessions = long ? 100 : 10;
const theme = createTheme(3);

it(`the frames of ${sessions} random sessions, seed ${seed}, are the same by Ink and by row`, async () => {
	await fc.assert(fc.asyncProperty(fc.array(screenAct, {minLength: 20, maxLength: 50}), showAll), {
		seed,
		numRuns: sessions,
	});
});

async function showAll(acts: readonly ScreenAct[]): Promise<void> {
	const screen = await randomScreen();
	let inked: Inked | undefined;
	try {
		for (const act of acts) {
			screen.after(act);
			const frame = layoutOf(screen.app.state);
			inked ??= showByInk(frame);
			inked.shown.setState(frame, true);
			await Promise.resolve();
			await expectSame(inked.rows(), firstPicture(frame, theme).rows, frame.size);
		}
	} finally {
		inked?.ink.unmount();
		inked?.ink.cleanup();
	}
}

type Inked = ReturnType<typeof showByInk>;

function showByInk(frame: Layout) {
	const shown = createStore<Layout>(() => frame);
	let rows: readonly string[] = [];
	const size = () => shown.getState().size;
	const stdout = createFrameStream({
		columns: () => size().columns,
		rows: () => size().rows,
		onFrame: next => {
			rows = next;
		},
	});
	const fail = (error: Error) => {
		throw error;
	};
	const ink: Instance = render(<Screen shown={shown} theme={theme} onError={fail} />, {
		stdout,
		debug: true,
		interactive: true,
		patchConsole: false,
		exitOnCtrlC: false,
	});
	return {shown, ink, rows: () => rows};
}

async function expectSame(
	one: readonly string[],
	other: readonly string[],
	{columns, rows}: Layout['size'],
): Promise<void> {
	const [left, right] = [createScreen(columns, rows), createScreen(columns, rows)];
	await left.write(`\x1b[?7l${one.join('\r\n')}\x1b[H`);
	await right.write(`\x1b[?7l${other.join('\r\n')}\x1b[H`);
	expect(difference(left, right)).toBeUndefined();
	for (const each of [left, right]) each.dispose();
}
