import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {attributeRequest} from '../../../../src/pod/ground/history/reader.ts';
import {formNames, type Item} from '../../../../src/worker/index.ts';
import {drafts, anyHistory, randomHistory} from '../../../helpers/random-history.ts';

const {setup} = drafts();

const rows = (['safe', 'deepseek', 'openrouter', 'gemini', 'vllm'] as const).map(dialect => ({dialect}));

describe('a request in forms that a server asked for', () => {
	it.each(rows)('has a source for each byte, in any history and the dialect $dialect', async ({dialect}) => {
		const forms = fc.uniqueArray(fc.constantFrom(...formNames), {minLength: 1, maxLength: 4});
		await fc.assert(
			fc.asyncProperty(anyHistory, forms, fc.nat(), async (random, names, place) => {
				const history = randomHistory(random);
				const thoughtsAfter = names.includes('old_thoughts') ? history[place % history.length]?.at : undefined;
				const settings = {rules: 2, dialect, maxOutputTokens: 99, forms: names, thoughtsAfter};
				const last: Item = {...setup, model: 'openai-compatible/x', settings};
				const made = await attributeRequest([...history, last]);
				expect(made).toMatchObject({ok: true, attribution: {unknown: []}});
			}),
			{numRuns: 100},
		);
	});
});
