import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {contains} from '../../../src/pod/ground/files/contains.ts';
import {createScope, readable} from '../../../src/pod/scope/scope.ts';
import {scopeOf, tempProject} from '../../helpers/temp-project.ts';

describe('createScope', () => {
	it('uses the real path of a linked folder', async () => {
		const project = await tempProject({'real/': ''});
		await project.link('alias', 'real');
		expect(await createScope({home: '/', pwd: project.path('alias')})).toEqual({
			ok: true,
			scope: {pwd: project.path('real'), writable: true, readRoots: [], home: '/'},
		});
	});

	it('keeps a repeated read root once', async () => {
		const project = await tempProject({'a/': '', 'b/': ''});
		await project.link('c', 'b');
		const created = await createScope({
			home: '/',
			pwd: project.path('a'),
			writable: false,
			readRoots: [project.path('b'), project.path('c')],
		});
		expect(created).toEqual({
			ok: true,
			scope: {pwd: project.path('a'), writable: false, readRoots: [project.path('b')], home: '/'},
		});
	});

	it.each([
		['missing', 'not_found'],
		['file', 'not_a_directory'],
		['file/below', 'not_a_directory'],
		['nul\0', 'not_found'],
		['x'.repeat(5000), 'not_found'],
	])('refuses pwd %j with a reason', async (name, reason) => {
		const project = await tempProject({file: 'x'});
		expect(await createScope({home: '/', pwd: join(project.dir, name)})).toMatchObject({
			ok: false,
			reason,
			path: join(project.dir, name),
		});
	});

	it('names the missing read root', async () => {
		const project = await tempProject();
		expect(await createScope({home: '/', pwd: project.dir, readRoots: [project.path('nowhere')]})).toMatchObject({
			ok: false,
			reason: 'not_found',
			path: project.path('nowhere'),
		});
	});
});

describe('contains', () => {
	it.each([
		['/proj', '/proj', true],
		['/proj', '/proj/a', true],
		['/proj', '/proj/..a', true],
		['/proj', '/proj/..', false],
		['/proj', '/proj-x', false],
		['/proj', '/proj-x/a', false],
		['/proj', '/pro', false],
		['/proj', '/', false],
		['/', '/', true],
		['/', '/etc/passwd', true],
		['/a/b', '/a/c', false],
		['/日本', '/日本/語', true],
		['/日本', '/日本語', false],
	])('returns for %s and %s: %s', (root, path, expected) => {
		expect(contains(root, path)).toBe(expected);
	});
});

it('includes the paths in a read root', async () => {
	const project = await tempProject({'a/': '', 'b/': ''});
	const scope = await scopeOf(project.path('a'), {readRoots: [project.path('b')]});
	expect([
		readable(scope, project.path('a/x')),
		readable(scope, project.path('b/x')),
		readable(scope, project.path('c')),
	]).toEqual([true, true, false]);
});
