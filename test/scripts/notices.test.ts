import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {thirdPartyNotices} from '../../scripts/notices.mjs';

let root: string;

beforeEach(async () => (root = await mkdtemp(path.join(os.tmpdir(), 'inkpod-notices-'))));
afterEach(async () => rm(root, {recursive: true, force: true}));

describe('the notices of the inlined packages', () => {
	it('contain the licence of a package, even when the module is in a folder with its own package.json', async () => {
		const module = await install(
			'a',
			{license: 'ISC'},
			{
				'LICENSE.md': `ISC of a ${'whole '.repeat(100)}`,
				'dist/package.json': '{"type":"module"}',
				'dist/deep/index.js': '',
			},
		);
		expect(
			thirdPartyNotices(
				[
					{
						moduleIds: [
							module('dist/deep/index.js'),
							module('dist/deep/index.js'),
							path.join(root, 'src/main.tsx'),
						],
					},
				],
				root,
			),
		).toMatch(/^-+\n\na 1\.0\.0 \(ISC\)\n\nISC of a (?:whole ?)+\n$/mu);
	});

	it('contain the standard MIT text with the author when the package has no licence text', async () => {
		const module = await install('b', {license: 'MIT', author: {name: 'Bea'}}, {'index.js': ''});
		expect(thirdPartyNotices([{moduleIds: [module('index.js')]}], root)).toContain(
			'MIT License\n\nCopyright (c) Bea\n',
		);
	});

	it('add the standard text when the package’s own text only refers to another file', async () => {
		const module = await install(
			'p',
			{license: 'MIT', author: 'Pia <pia@example.org>'},
			{'index.js': '', LICENSE: 'See the root of the repository.'},
		);
		expect(thirdPartyNotices([{moduleIds: [module('index.js')]}], root)).toMatch(
			/See the root of the repository\.\n\nMIT License\n\nCopyright \(c\) Pia/u,
		);
	});

	it('contain the licence of a package from which only data is used', async () => {
		await install(
			'@pydantic/genai-prices',
			{license: 'MIT'},
			{'index.js': '', LICENSE: `MIT of the prices ${'whole '.repeat(100)}`},
		);
		expect(
			thirdPartyNotices([{moduleIds: [path.join(root, 'src/pod/ground/counts/catalogue.json')]}], root),
		).toContain('MIT of the prices');
	});

	it('name both versions of a package that is inlined twice', async () => {
		const outer = await install('c', {license: 'MIT'}, {'index.js': ''});
		const inner = await install(
			'd/node_modules/c',
			{name: 'c', version: '2.0.0', license: 'MIT'},
			{'index.js': ''},
		);
		expect(thirdPartyNotices([{moduleIds: [outer('index.js'), inner('index.js')]}], root)).toMatch(
			/^c 1\.0\.0 [^]*^c 2\.0\.0 /mu,
		);
	});

	it.each([{license: 'SEE ELSEWHERE'}, {}, {license: 'Apache-2.0'}])(
		'make the build fail when there is no text: %j',
		async manifest => {
			const module = await install('e', manifest, {'index.js': ''});
			expect(() => thirdPartyNotices([{moduleIds: [module('index.js')]}], root)).toThrow(
				/^e 1\.0\.0 (?:names no licence|ships no licence text)/u,
			);
		},
	);
});

async function install(
	name: string,
	manifest: object,
	files: Readonly<Record<string, string>>,
): Promise<(file: string) => string> {
	const directory = path.join(root, 'node_modules', name);
	const all = {...files, 'package.json': JSON.stringify({name, version: '1.0.0', ...manifest})};
	for (const [file, text] of Object.entries(all)) {
		await mkdir(path.dirname(path.join(directory, file)), {recursive: true});
		await writeFile(path.join(directory, file), text);
	}
	return file => path.join(directory, file);
}
