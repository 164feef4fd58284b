import {describe, expect, it} from 'vitest';
import {helpText} from '../../../src/cli/help/help-text.ts';
import {helpTexts, translateHelp} from '../../../src/cli/help/translate-help.ts';

describe('the help in another language', () => {
	it('keeps in English what is typed, and translates the end of each line', () => {
		const texts = helpTexts(helpText);
		expect(texts).toContain('open the chat; a prompt is sent at once');
		expect(texts).toContain('openai-compatible, offline or scripted:FILE');
		expect(texts.filter(text => /^(?:inkpod [a-z]+ |--|-\w, )/.test(text))).toEqual([]);
		expect(texts.length).toBeGreaterThan(50);
	});

	it('is the same text in English', () => {
		expect(translateHelp(helpText)).toBe(helpText);
	});
});
