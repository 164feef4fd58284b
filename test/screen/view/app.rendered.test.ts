import {describe, expect, it} from 'vitest';
import {countedScreen, total} from '../../helpers/counted-screen.ts';

type Screen = Awaited<ReturnType<typeof countedScreen>>;

/** Each key acts on a draft of some words, after the setup of its entry. */
const keys: ReadonlyArray<readonly [name: string, before: (screen: Screen) => void, key: (screen: Screen) => void]> = [
	['a letter', () => {}, ({type}) => type('x')],
	['a letter in the middle', ({press}) => press('left'), ({type}) => type('x')],
	['a wide character', () => {}, ({type}) => type('語')],
	['Backspace', () => {}, ({press}) => press('backspace')],
	['Left', () => {}, ({press}) => press('left')],
	['a letter in a draft of three lines', startLines, ({type}) => type('x')],
	['a letter while an answer is scrolled', ({press}) => press('up', {shift: true}), ({type}) => type('x')],
];

function startLines({press, type}: Screen): void {
	for (const line of ['two', 'three']) {
		press('j', {ctrl: true});
		type(line);
	}
}

describe('a key press in the draft', () => {
	it.each(keys)("renders at most 6 components, including Ink's own: %s", async (_name, before, key) => {
		const screen = await countedScreen();
		screen.type('some words');
		await screen.update();
		before(screen);
		await screen.update();
		key(screen);
		const rendered = await screen.update();
		expect(total(rendered)).toBeLessThanOrEqual(6);
		expect(Object.keys(rendered)).not.toContain('Transcript');
	});
});

describe('a key press in the search', () => {
	it('renders the search bar and the cursor, at most 8 components', async () => {
		const screen = await countedScreen();
		screen.press('f3');
		screen.type('some');
		await screen.update();
		screen.type('x');
		const rendered = await screen.update();
		expect(Object.keys(rendered)).toContain('SearchBar');
		expect(total(rendered)).toBeLessThanOrEqual(8);
	});
});
