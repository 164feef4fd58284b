import {describe, expect, it} from 'vitest';
import {hasKnownExtension} from '../../../../src/pod/references/submission/parse.ts';

describe('a file extension', () => {
	it.each([
		'a.ts',
		'a.b.tsx',
		'README.MD',
		'src/a.rs',
		'src\\a.cs',
		'x.ts:10',
		'x.ts:10-20',
		'x.ts:10:5',
		'x.ts:10,20',
		'x.ts#L3',
		'x.ts#L3-L9',
		'x.ts:0',
		'archive.tar.gz',
		'notes.txt',
		'日本語.md',
	])('is recognised in %s', name => {
		expect(hasKnownExtension(name)).toBe(true);
	});

	it.each([
		'alice',
		'types/node',
		'example.com',
		'socket.io',
		'pytest.fixture',
		'.json',
		'src/.md',
		'core@17.3.1',
		'a.ts.',
		'a.ts/',
		'a.ts?x',
		'v1.2',
		'a.',
		'',
	])('is not recognised in %s', name => {
		expect(hasKnownExtension(name)).toBe(false);
	});
});
