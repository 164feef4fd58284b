import {render} from 'ink-testing-library';
import {describe, expect, it} from 'vitest';
import {TextField} from '../../../../src/screen/view/text-field/field-row-view.tsx';

describe('a text field', () => {
	it('shows its value', () => {
		const {lastFrame, rerender, unmount} = render(<TextField value="" />);
		expect(lastFrame()).toBe('');
		rerender(<TextField value="検索👍🏽" />);
		expect(lastFrame()).toBe('検索👍🏽');
		unmount();
	});

	it('gets no keys from Ink', async () => {
		const {lastFrame, stdin, unmount} = render(<TextField value="a" />);
		stdin.write('bcd\x7f');
		await new Promise(resolve => setImmediate(resolve));
		expect(lastFrame()).toBe('a');
		expect(stdin.listenerCount('readable') + stdin.listenerCount('data')).toBe(0);
		unmount();
	});
});
