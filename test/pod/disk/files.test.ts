import {afterEach, expect, it, vi} from 'vitest';

afterEach(() => {
	vi.unstubAllEnvs();
	vi.resetModules();
});

it.each([
	['no_space', undefined, '/a のためのディスクの空きがありません。', 'There is no space left on the disk for /a.'],
	['io', new Error('EIO'), '/a を読み書きできませんでした: EIO。', '/a could not be read or written: EIO.'],
] as const)(
	'a failure (%s) is shown in the language of the user and recorded in English',
	async (reason, cause, shown, recorded) => {
		const {failureSentence, recordedFailure} = await inJapanese();
		expect(failureSentence(reason, '/a', cause)).toBe(shown);
		expect(recordedFailure(reason, '/a', cause)).toBe(recorded);
	},
);

it('a failure at another kind of file names the path of the error', async () => {
	const {failureSentence, recordedFailure, WrongKind} = await inJapanese();
	const cause = new WrongKind('file', '/a/b');
	expect(failureSentence('io', '/a', cause)).toBe('/a/b は通常のファイルではありません。');
	expect(recordedFailure('io', '/a', cause)).toBe('/a/b is not a regular file.');
});

async function inJapanese() {
	vi.stubEnv('INKPOD_LANGUAGE', 'ja');
	vi.resetModules();
	return import('../../../src/pod/disk/files.ts');
}
