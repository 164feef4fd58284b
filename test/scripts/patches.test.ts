import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {describe, expect, test} from 'vitest';
import {applyPatch, patches} from '../../scripts/patches.mjs';
import {projectRoot} from '../helpers/built.ts';

describe('patching a library', () => {
	const patch = {name: 'less', file: 'lib/index.js', changes: [{find: 'slow()', replace: 'fast()'}]};

	test('the place stands once, it is replaced', () => {
		expect(applyPatch(patch, 'a(); slow(); b();')).toBe('a(); fast(); b();');
	});

	test.each(['a(); b();', 'slow(); slow();'])('the place stands not once, the build fails: %s', code => {
		expect(() => applyPatch(patch, code)).toThrow(/patch "less" no longer applies: "slow\(\)" stands [02] times in lib\/index\.js/u);
	});

	test('the installed libraries are patched, every patch applies', async () => {
		for (const each of patches) {
			const code = await readFile(path.join(projectRoot, each.file), 'utf8');
			expect(applyPatch(each, code)).not.toBe(code);
		}
	});
});

describe('the guard before \\p{RGI_Emoji}', () => {
	const part = /[\p{Extended_Pictographic}\p{Emoji_Presentation}\p{Regional_Indicator}⃣]/v;
	const whole = /^\p{RGI_Emoji}$/v;

	test('it is the one of the patch', () => {
		const replaced = patches.flatMap(each => each.changes.map(change => change.replace)).find(text => text.includes('emojiPartRegex ='));
		expect(replaced).toContain(String.raw`/[\p{Extended_Pictographic}\p{Emoji_Presentation}\p{Regional_Indicator}\u20E3]/v`);
	});

	test('no emoji of one code point passes it by', () => {
		const missed = [];
		for (let codePoint = 0; codePoint <= 0x10_ff_ff; codePoint++) {
			const text = String.fromCodePoint(codePoint);
			if (!part.test(text) && whole.test(text)) missed.push(codePoint.toString(16));
		}
		expect(missed).toEqual([]);
	});

	test('no sequence passes it by: key caps, flags, tags, skin tones, joined ones', () => {
		const sequences = ['1️⃣', '#️⃣', '🇯🇵', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👍🏽', '☝🏿', '👩‍👩‍👧‍👦', '🏳️‍🌈', '❤️', '©️'];
		expect(sequences.filter(text => whole.test(text))).toEqual(sequences);
		expect(sequences.filter(text => !part.test(text))).toEqual([]);
	});
});
