import {stripVTControlCharacters} from 'node:util';
import {render} from 'ink-testing-library';
import {expect, test} from 'vitest';
import {createTheme} from '../../../src/tui/theme.ts';
import {createTranscriptStore} from '../../../src/tui/transcript/store.ts';
import {TranscriptView} from '../../../src/tui/transcript/transcript.tsx';
import {atEnd, home, visible, type Scroll} from '../../../src/tui/transcript/viewport.ts';
import {createItems} from '../../helpers/items.ts';

test('a session longer and shorter than the screen, always so many rows as there is room', () => {
	const make = createItems();
	const store = createTranscriptStore({columns: 60, view: 'normal', theme: createTheme(0)});
	store.dispatch({type: 'status', status: {kind: 'running', asks: [], queue: []}});
	const view = (scroll: Scroll) => <TranscriptView rows={visible(store, scroll, 8).rows} height={8} />;
	const screen = render(view(atEnd));
	const rows = () => screen.lastFrame()!.split('\n').map(row => stripVTControlCharacters(row).trimEnd());
	expect(rows()).toHaveLength(8);
	for (let turn = 0; turn < 5; turn++) store.dispatch({type: 'item', item: make.user(`question ${turn}`)});
	screen.rerender(view(atEnd));
	expect(rows()).toEqual(['', '▌ question 1', '', '▌ question 2', '', '▌ question 3', '', '▌ question 4']);
	screen.rerender(view(home(store, atEnd, 8)));
	expect(rows()[1]).toBe('▌ question 0');
	screen.unmount();
});
