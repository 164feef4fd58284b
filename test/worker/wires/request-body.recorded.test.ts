import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {requestBody} from '../../../src/worker/wires/request-body.ts';
import {formsOf, heldModels, type MakeBody} from '../../helpers/recorded-bodies.ts';

/** Written by commit e01e55c, whose requests were written by the packages of the providers. Never write it again. */
const recorded = JSON.parse(
	await readFile(join(import.meta.dirname, 'request-body.recorded.json'), 'utf8'),
) as Readonly<Record<string, string>>;

const make: MakeBody = async (model, request) => {
	const made = await requestBody(model, request);
	if (!made.ok) throw new Error(`${model}: ${made.sentence}`);
	return made;
};

describe('the requests of stored sessions', () => {
	const models = Object.entries(heldModels).flatMap(([provider, names]) =>
		names.map(name => [provider, name] as const),
	);
	it.each(models)('have the recorded bytes, with the model %s/%s', async (provider, model) => {
		expect(await formsOf(provider, model, make)).toBe(recorded[`${provider}/${model}`]);
	});
});
