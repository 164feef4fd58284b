import {expect, it} from 'vitest';
import {createForeground} from '../../../../src/pod/tools/processes/background.ts';

it('the commands of the foreground move together if there is room, and only once', async () => {
	const foreground = createForeground();
	expect(foreground.moveAll(8)).toBe('none');
	const [one, other] = [foreground.add(), foreground.add()];
	expect(foreground.moveAll(1)).toBe('too_many');
	expect(foreground.moveAll(2)).toBeUndefined();
	expect(await Promise.all([one.moved, other.moved])).toEqual(['moved', 'moved']);
	expect(foreground.moveAll(8)).toBe('none');
	foreground.add().done();
	expect(foreground.moveAll(8)).toBe('none');
});
