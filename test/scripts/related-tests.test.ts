import {describe, expect, it} from 'vitest';
import {relatedTests} from '../../scripts/related-tests.mjs';

const texts = new Map([
	['src/a.ts', ''],
	['src/b.ts', `import {a} from './a.ts';`],
	['src/lazy.ts', `const b = await import('./b.ts');`],
	['src/other.ts', ''],
	['test/a.test.ts', `import {a} from '../src/a.ts';`],
	['test/b.test.ts', `import {b} from '../src/b.ts';`],
	['test/lazy.test.ts', `import '../src/lazy.ts';`],
	['test/other.test.ts', `import {other} from '../src/other.ts';`],
	['test/terminal/a.test.ts', `import {a} from '../../src/a.ts';`],
	['test/architecture.test.ts', ''],
	['test/docs.test.ts', ''],
]);

describe('the related tests', () => {
	it('import a changed file, directly or not, and the nearest come first', () => {
		const {quick} = relatedTests(texts, ['src/a.ts']);
		expect(quick).toEqual(['test/architecture.test.ts', 'test/a.test.ts', 'test/b.test.ts', 'test/lazy.test.ts']);
	});

	it('of a file itself come first, and then those in its folder, however far away their imports are', () => {
		const many = new Map([
			['src/pod/queue/file.ts', ''],
			['src/pod/queue/queue.ts', `import {file} from './file.ts';`],
			['src/pod/open.ts', `import {queue} from './queue/queue.ts';`],
			['test/pod/near.test.ts', `import {file} from '../../src/pod/queue/file.ts';`],
			['test/pod/queue/queue.test.ts', `import {open} from '../../../src/pod/open.ts';`],
			['test/pod/queue/file.disk.test.ts', `import {open} from '../../../src/pod/open.ts';`],
			['test/pod/queue/other.test.ts', ''],
		]);
		expect(relatedTests(many, ['src/pod/queue/file.ts']).quick).toEqual([
			'test/pod/queue/file.disk.test.ts',
			'test/pod/queue/queue.test.ts',
			'test/pod/near.test.ts',
		]);
	});

	it('include a changed test', () => {
		expect(relatedTests(texts, ['test/other.test.ts']).quick).toEqual(['test/other.test.ts']);
	});

	it('are named apart when they need a build or much time', () => {
		expect(relatedTests(texts, ['src/a.ts']).slow).toEqual(['test/terminal/a.test.ts']);
	});

	it('of a text or a sign are the tests that read the sources', () => {
		const names = [
			'src/screen/texts.ts',
			'src/worker/a.ts',
			'test/architecture.test.ts',
			'test/banned-phrases.test.ts',
			'test/language/translate.catalogues.test.ts',
			'test/screen/spans/glyphs.test.ts',
		];
		const read = new Map(names.map(name => [name, '']));
		const [, , architecture, phrases, catalogues, glyphs] = names;
		expect(relatedTests(read, ['src/worker/a.ts']).quick).toEqual([architecture, catalogues]);
		expect(relatedTests(read, ['src/screen/texts.ts']).quick).toEqual([architecture, phrases, catalogues, glyphs]);
	});

	it('of a page are the tests that read pages', () => {
		expect(relatedTests(texts, ['docs/a.md'])).toEqual({quick: ['test/docs.test.ts'], slow: []});
	});
});
