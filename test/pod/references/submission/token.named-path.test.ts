import {pathToFileURL} from 'node:url';
import {describe, expect, it} from 'vitest';
import {namedPath, readingsOf} from '../../../../src/pod/references/submission/token.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

describe('a pasted path', () => {
	it('names a file in every form in which terminals write a dragged one', async () => {
		const project = await tempProject({"my file's 日本.png": '', 'a b.md': '', 'plain.md': '', 'sub/x.ts': ''});
		const odd = project.path("my file's 日本.png");
		const named = async (text: string) => namedPath(text, project.scope);
		expect(await named(`'${odd.replaceAll("'", String.raw`'\''`)}' `)).toBe("my file's 日本.png");
		expect(await named(`"${odd}"`)).toBe("my file's 日本.png");
		expect(await named(odd)).toBe("my file's 日本.png");
		expect(await named(odd.replaceAll(/[ ']/g, String.raw`\$&`))).toBe("my file's 日本.png");
		expect(await named(pathToFileURL(odd).href)).toBe("my file's 日本.png");
		expect(await named(pathToFileURL(odd).href.replace('file://', 'file://localhost'))).toBe("my file's 日本.png");
		expect(await named(String.raw`a\ b.md`)).toBe('a b.md');
		expect(await named('./sub/../plain.md')).toBe('plain.md');
		expect(await named('sub/')).toBe('sub');
	});

	it('names nothing that is missing, outside the scope, or on another machine', async () => {
		const project = await tempProject({'a.md': ''});
		await project.write('../out.md', '');
		for (const text of [
			'b.md',
			'../out.md',
			project.path('../out.md'),
			'/etc/passwd',
			`file://elsewhere${project.path('a.md')}`,
			`file://${project.path('a.md')}?x`,
			`file://${project.dir}/%2e%2e/out.md`,
			`file://${project.dir}/a.md%00`,
			`file://${project.dir}/%ff`,
			'see a.md',
			'a.md a.md',
			'',
			'   ',
		])
			expect([text, await namedPath(text, project.scope)]).toEqual([text, undefined]);
	});

	it('keeps a path outside the working directory, in a folder that may be read', async () => {
		const project = await tempProject();
		const other = await tempProject({'a.md': ''});
		const scope = {...project.scope, readRoots: [other.dir]};
		expect(await namedPath(`'${other.path('a.md')}'`, scope)).toBe(other.path('a.md'));
	});

	it('is never a text with control characters, and never a very long text', () => {
		expect(readingsOf('a\nb')).toEqual([]);
		expect(readingsOf('a\u001Bb')).toEqual([]);
		expect(readingsOf('file:///a%0Ab')).toEqual(['file:///a%0Ab']);
		expect(readingsOf('x'.repeat(20_000))).toEqual([]);
	});
});
