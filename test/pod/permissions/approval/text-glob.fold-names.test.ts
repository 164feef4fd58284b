import {link} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {foldName, foldsNames} from '../../../../src/pod/permissions/approval/text-glob.ts';
import {applies, type Rule} from '../../../../src/pod/permissions/approval/rule.ts';
import {fileSubject} from '../../../../src/pod/permissions/approval/subject.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

describe('a rule about paths, where the file system folds names', () => {
	const applied = (match: string, path: string, foldsNames: boolean) =>
		(['allow', 'deny'] as const).map(action => {
			const rule: Rule = {tool: 'edit_file', match, action};
			const folders = {pwd: '/Users/me/proj', home: '/Users/me', foldsNames};
			return applies(rule, 'edit_file', fileSubject(path, undefined, folders));
		});

	it.each<[match: string, path: string]>([
		['private', 'PRIVATE/a'],
		['Private/**', 'private/a'],
		['*.PEM', 'keys/x.pem'],
		['{a,Secret}/x', 'sECRET/X'],
		['~/Drafts', '/users/ME/drafts/a'],
		['/Users/me/Proj/x', 'X'],
		['caf\u00E9', 'cafe\u0301/a'],
		['cafe\u0301/', 'CAF\u00C9/a'],
		['[A-C]x', 'bX'],
		['ΣΑΣ', 'σας/x'],
	])('%s denies %s, and does not allow it', (match, path) => {
		expect(applied(match, path, true)).toEqual([false, true]);
		expect(applied(match, path, false)).toEqual([false, false]);
	});

	it.each([
		['[^a-c]', 'B'],
		['stra?e', 'straße'],
	])('%s denies what it denies elsewhere: %s', (match, path) => {
		expect(applied(match, path, false)[1]).toBe(true);
		expect(applied(match, path, true)[1]).toBe(true);
	});
});

describe('the folding of names', () => {
	it('has one form for each name', () => {
		for (const name of ['ẞǰŉς', 'Straße', 'CAFE\u0301', 'İı'])
			expect(foldName(foldName(name))).toBe(foldName(name));
	});

	it('is found by an entry of the folder', async () => {
		const project = await tempProject({'12': '', 'Name.txt': ''});
		expect(foldsNames(project.dir, 'darwin')).toBe(false);
		const folding = await tempProject({a: ''});
		// A second name of the same file is what a file system that folds names shows.
		await link(folding.path('a'), folding.path('A'));
		expect(foldsNames(folding.dir, 'linux')).toBe(true);
	});

	it('counts as usual where nothing says otherwise', async () => {
		const {dir} = await tempProject({'12': ''});
		expect([foldsNames(dir, 'linux'), foldsNames(dir, 'darwin')]).toEqual([false, true]);
		expect([foldsNames(`${dir}/gone`, 'linux'), foldsNames(`${dir}/gone`, 'darwin')]).toEqual([false, true]);
	});
});
