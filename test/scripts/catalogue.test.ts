import {readFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {cataloguePath, catalogueText} from '../../scripts/catalogue.mjs';
import {projectRoot} from '../helpers/built.ts';

describe('the committed catalogue', () => {
	it('equals the output of the script, is small, and names its source', async () => {
		const text = await catalogueText();
		expect(readFileSync(path.join(projectRoot, cataloguePath), 'utf8')).toBe(text);
		expect(text.length).toBeLessThan(31_000);
		expect(JSON.parse(text).source).toMatch(
			/^@pydantic\/genai-prices \d+\.\d+\.\d+, MIT licence, Copyright \(c\) Pydantic/,
		);
		expect(await catalogueText()).toBe(text);
	});
});
