import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import stringWidth from 'string-width';
import {describe, expect, it, onTestFinished} from 'vitest';
import {applyPatch, patches, patchPlugin} from '../../scripts/patches.mjs';
import {projectRoot} from '../helpers/built.ts';

describe('a patch of a library', () => {
	const patch = {name: 'less', file: 'lib/index.js', changes: [{find: 'slow()', replace: 'fast()'}]};

	it('replaces a text that occurs once', () => {
		expect(applyPatch(patch, 'a(); slow(); b();')).toBe('a(); fast(); b();');
	});

	it.each(['a(); b();', 'slow(); slow();'])('fails the build when the text does not occur once: %s', code => {
		expect(() => applyPatch(patch, code)).toThrow(
			/patch "less" no longer applies: "slow\(\)" occurs [02] times in lib\/index\.js/u,
		);
	});

	it('applies to the installed library', async () => {
		for (const each of patches) {
			const code = await installed(each.file);
			expect(applyPatch(each, code)).not.toBe(code);
		}
	});

	it('is applied together with another patch of the same file', async () => {
		const plugin = patchPlugin([patch, {...patch, name: 'more', changes: [{find: 'b()', replace: 'c()'}]}]);
		expect(plugin.transform('slow(); b();', '/project/lib/index.js')?.code).toBe('fast(); c();');
	});

	it.each(changesOf())(
		'fails the build when the library has changed in one place: $name, $find',
		async ({name, file, find}) => {
			const plugin = patchPlugin(patches);
			const code = await installed(file);
			expect(() => plugin.transform(code.replace(find, find.slice(1)), path.join(projectRoot, file))).toThrow(
				`patch "${name}" no longer applies: ${JSON.stringify(find)}`,
			);
			expect(() => plugin.transform(code + find, path.join(projectRoot, file))).toThrow(
				`patch "${name}" no longer applies: ${JSON.stringify(find)}`,
			);
		},
	);

	it.each([...new Set(patches.map(({file}) => file))])(
		'fails the build when its file is not in the bundle: %s',
		async file => {
			const plugin = patchPlugin(patches);
			for (const each of patches)
				if (each.file !== file) plugin.transform(await installed(each.file), path.join(projectRoot, each.file));
			expect(() => plugin.buildEnd(undefined)).toThrow(`has no file to apply to: ${file} is not in the bundle`);
		},
	);
});

/** Returns every place in a library that the build changes. */
function changesOf() {
	return patches.flatMap(({name, file, changes}) => changes.map(({find}) => ({name, file, find})));
}

async function installed(file: string): Promise<string> {
	return readFile(path.join(projectRoot, file), 'utf8');
}

describe('the patched string-width', () => {
	it('returns the library’s widths, for code points and for sequences', async () => {
		const own = patches.filter(({file}) => file === 'node_modules/string-width/index.js');
		expect(own).toHaveLength(2);
		const code = own.reduce(
			(text, each) => applyPatch(each, text),
			await installed('node_modules/string-width/index.js'),
		);
		const patched = await load(code);
		const sequences = ['e\u0301', '🇯🇵', '👍🏽', '각', 'ｶﾞ', '1️⃣', '\ud800', '\ud800\udc00'].concat([
			'a\u{1f600}',
			'日本',
			'',
			'ab',
		]);
		const differs = (text: string) => patched(text) !== stringWidth(text);
		const step = process.env['INKPOD_TEST'] === 'long' ? 1 : 17;
		const all = Array.from({length: Math.floor(0x11_00_00 / step)}, (_, index) =>
			String.fromCodePoint(index * step),
		);
		expect(all.filter(text => differs(text))).toEqual([]);
		expect(sequences.filter(text => differs(text))).toEqual([]);
	});

	async function load(code: string): Promise<typeof stringWidth> {
		const folder = await mkdtemp(path.join(os.tmpdir(), 'inkpod-width-'));
		onTestFinished(async () => rm(folder, {recursive: true, force: true}));
		const file = path.join(folder, 'index.mjs');
		await writeFile(
			file,
			code.replaceAll(
				/from '([^']+)'/gu,
				(_, name: string) => `from ${JSON.stringify(import.meta.resolve(name))}`,
			),
		);
		return ((await import(pathToFileURL(file).href)) as {default: typeof stringWidth}).default;
	}
});

describe('the test before \\p{RGI_Emoji}', () => {
	const part = /[\p{Extended_Pictographic}\p{Emoji_Presentation}\p{Regional_Indicator}⃣]/v;
	const whole = /^\p{RGI_Emoji}$/v;

	it('equals the one in the patch', () => {
		const replaced = patches
			.flatMap(each => each.changes.map(change => change.replace))
			.find(text => text.includes('emojiPartRegex ='));
		expect(replaced).toContain(
			String.raw`/[\p{Extended_Pictographic}\p{Emoji_Presentation}\p{Regional_Indicator}\u20E3]/v`,
		);
	});

	it('finds every emoji of one code point', () => {
		const missed = [];
		for (let codePoint = 0; codePoint <= 0x10_ff_ff; codePoint++) {
			const text = String.fromCodePoint(codePoint);
			if (!part.test(text) && whole.test(text)) missed.push(codePoint.toString(16));
		}
		expect(missed).toEqual([]);
	});

	it('finds every kind of sequence: key caps, flags, tags, skin tones and joined ones', () => {
		const sequences = ['1️⃣', '#️⃣', '🇯🇵', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👍🏽', '☝🏿', '👩‍👩‍👧‍👦', '🏳️‍🌈', '❤️', '©️'];
		expect(sequences.filter(text => whole.test(text))).toEqual(sequences);
		expect(sequences.filter(text => !part.test(text))).toEqual([]);
	});
});
