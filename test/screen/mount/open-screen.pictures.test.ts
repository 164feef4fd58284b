import * as fc from 'fast-check';
import {expect, it} from 'vitest';
import {compose, type Picture} from '../../../src/screen/terminal/compositor/compositor.ts';
import {createScreen, type Screen} from '../../helpers/screen.ts';
import {difference} from '../../helpers/same-screen.ts';
import {randomScreen, screenAct, type ScreenAct} from '../../helpers/random-screen.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = 20_261_121;
const sessions = long ? 300 : 30;

it(`the screens of ${sessions} random sessions, seed ${seed}, look the same as full redraws`, async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(screenAct, {minLength: 20, maxLength: 50}),
			fc.boolean(),
			async (acts, scrollRegions) => showAll(acts, {scrollRegions}),
		),
		{seed, numRuns: sessions},
	);
});

/** Shows every screen of a session on one terminal, and on a new one each time. */
async function showAll(acts: readonly ScreenAct[], options: {readonly scrollRegions: boolean}): Promise<void> {
	const screen = await randomScreen();
	const [kept, fresh] = [createScreen(60, 16), createScreen(60, 16)];
	let shown: Picture | undefined;
	for (const act of acts) {
		const next = screen.after(act);
		for (const one of [kept, fresh]) fit(one, next);
		await kept.write(compose(shown, next, options));
		await fresh.write(`\x1bc${compose(undefined, next, options)}`);
		expect(difference(kept, fresh)).toBeUndefined();
		shown = next;
	}
	for (const one of [kept, fresh]) one.dispose();
}

function fit(screen: Screen, {columns, rows}: Picture): void {
	if (screen.terminal.cols !== columns || screen.terminal.rows !== rows.length) screen.resize(columns, rows.length);
}
