import {describe, expect, it} from 'vitest';
import {defaultLimits} from '../../../../src/pod/config/limits.ts';
import {refFailures, type FileRef, type RefFailure} from '../../../../src/pod/protocol.ts';
import {
	failureSentence,
	failureSentences,
	type FailureDetail,
} from '../../../../src/pod/references/submission/failure.ts';

const limits = defaultLimits.fileRefs;

function sentence(reason: RefFailure, detail: Partial<FailureDetail> = {}, ref: Partial<FileRef> = {}): string {
	return failureSentence({type: 'file_ref', path: 'a.md', ...ref}, reason, {limits, ...detail});
}

describe('a failed ref', () => {
	it.each<[RefFailure, Partial<FailureDetail>, Partial<FileRef>, string]>([
		['out_of_scope', {}, {}, 'it is outside the folders that this session may read'],
		['not_found', {}, {}, 'there is no such file'],
		['not_found', {nearest: ['b.md', 'c d.md']}, {}, 'there is no such file; did you mean b.md or c d.md?'],
		['binary', {}, {}, 'it is binary, or not valid UTF-8 text'],
		['not_a_file', {}, {}, 'it is neither a file nor a directory (a pipe, device or socket)'],
		['too_large', {totalBytes: 999_999_999}, {}, 'it is too large (954 MB); the limit is 256 MB'],
		['too_large', {}, {}, 'it is too large; the limit is 256 MB'],
		['bad_range', {totalLines: 1}, {range: {first: 3}}, 'it has only 1 line'],
		['bad_range', {totalLines: 0}, {range: {first: 3}}, 'it has only 0 lines'],
		['bad_range', {}, {range: {first: 3, last: 2}}, 'the range ends before it begins'],
		['bad_range', {lineless: true}, {range: {first: 3, last: 2}}, 'it is a directory, which has no lines'],
		['bad_range', {}, {path: 'a.md:0'}, 'line numbers start at 1'],
		['too_many', {}, {}, 'at most 5 files per message'],
		['too_many', {limits: {...limits, maxFiles: 1}}, {}, 'at most 1 file per message'],
		['budget', {}, {}, 'the files before it used up the message’s limit of 64 KB'],
		['denied', {}, {}, 'it looks like a secret and was not confirmed'],
		['aborted', {}, {}, 'reading it was cancelled'],
		[
			'io',
			{cause: Object.assign(new Error("EACCES: permission denied, open '/x, y'"), {code: 'EACCES'})},
			{},
			'it could not be read (permission denied)',
		],
		['io', {cause: new Error('it was replaced')}, {}, 'it could not be read (it was replaced)'],
		['io', {cause: 'odd'}, {}, 'it could not be read'],
	])('has the reason %s: %j %j', (reason, detail, ref, why) => {
		const text = sentence(reason, detail, ref);
		expect(text.endsWith(` was not attached: ${why}${why.endsWith('?') ? '' : '.'}`)).toBe(true);
		expect(text).not.toContain('undefined');
	});

	it('has a sentence for each reason, with the path and its range', () => {
		for (const reason of refFailures)
			expect(sentence(reason, {}, {range: {first: 10, last: 20}})).toMatch(
				/^a\.md:10-20 was not attached: .+\.$/,
			);
	});

	it('shortens a long path in the middle, without splitting a character', () => {
		expect(sentence('not_found', {}, {path: `./${'👍'.repeat(2500)}end.md`})).toBe(
			`./${'👍'.repeat(38)}…${'👍'.repeat(114)}end.md was not attached: there is no such file.`,
		);
		expect(sentence('not_found', {nearest: ['x'.repeat(300)]}).length).toBeLessThan(250);
		expect(sentence('not_found', {}, {path: 'x'.repeat(200)})).toContain('x'.repeat(200));
	});
});

describe('the alerts about failed refs', () => {
	const failed = (path: string, reason: RefFailure = 'not_found') => ({
		ref: {type: 'file_ref', path} as const,
		reason,
		sentence: sentence(reason, {}, {path}),
	});

	it('are one for each ref, up to three', () => {
		const three = ['a', 'b', 'c'].map(path => failed(path));
		expect(failureSentences(three)).toEqual(three.map(({sentence: text}) => text));
		expect(failureSentences([])).toEqual([]);
	});

	it('are a single list by reason for more refs', () => {
		expect(failureSentences([failed('a'), failed('b', 'binary'), failed('c'), failed('d', 'denied')])).toEqual([
			'4 files were not attached: a, c (not found); b (not a text file); d (looks like a secret).',
		]);
	});

	it('show the end of a long path, without splitting a character', () => {
		const [text] = failureSentences(Array.from({length: 4}, () => failed(`${'👍'.repeat(500)}.md`)));
		expect(text).toContain(`…${'👍'.repeat(36)}.md`);
		expect(text?.isWellFormed()).toBe(true);
	});
});
