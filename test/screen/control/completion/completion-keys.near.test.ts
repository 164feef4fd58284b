import {describe, expect, it} from 'vitest';
import {createStage} from './stage.ts';

describe('Enter in the popup', () => {
	it('corrects the name of a mistyped command, and runs it only when pressed again', async () => {
		const stage = createStage();
		stage.type('/qiut');
		await stage.answer([]);
		expect(stage.draw()).toEqual([expect.stringMatching(/^▸ \/quit/)]);
		stage.press('enter');
		expect([stage.shown(), stage.done]).toEqual(['/quit|', []]);
		stage.press('enter');
		await stage.ask();
		expect(stage.done).toEqual([expect.stringContaining('/quit')]);
	});
});
