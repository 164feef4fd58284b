import {readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {cataloguePath, catalogueText} from '../../scripts/catalogue.mjs';
import {projectRoot} from '../helpers/built.ts';

test('the catalogue that is committed, is what the script makes of the package, small, and says whose it is', async () => {
	const text = await catalogueText();
	expect(readFileSync(path.join(projectRoot, cataloguePath), 'utf8')).toBe(text);
	expect(text.length).toBeLessThan(31_000);
	expect(JSON.parse(text).source).toMatch(
		/^@pydantic\/genai-prices \d+\.\d+\.\d+, MIT licence, Copyright \(c\) Pydantic/,
	);
	expect(await catalogueText()).toBe(text);
});
