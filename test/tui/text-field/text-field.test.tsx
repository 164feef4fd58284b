import {stripVTControlCharacters} from 'node:util';
import {render} from 'ink-testing-library';
import {describe, expect, it} from 'vitest';
import {TextField} from '../../../src/tui/text-field/text-field.tsx';

describe('a text field', () => {
	it('shows its value, or its placeholder when it is empty', () => {
		const {lastFrame, rerender, unmount} = render(<TextField value="" placeholder="Search" />);
		expect(stripVTControlCharacters(lastFrame() ?? '')).toBe('Search');
		rerender(<TextField value="検索👍🏽" placeholder="Search" />);
		expect(lastFrame()).toBe('検索👍🏽');
		unmount();
	});

	it('gets no keys from Ink', async () => {
		const {lastFrame, stdin, unmount} = render(<TextField value="a" caret={{x: 1, y: 0}} />);
		stdin.write('bcd\x7f');
		await new Promise(resolve => setImmediate(resolve));
		expect(lastFrame()).toBe('a');
		expect(stdin.listenerCount('readable') + stdin.listenerCount('data')).toBe(0);
		unmount();
	});
});
