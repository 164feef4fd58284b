import {expect, it} from 'vitest';
import {configuredFacts} from '../../../../src/pod/open/start/configured-facts.ts';

it('contains the configured facts of each model, and no others', () => {
	const prices = [{input: 1, output: 2}];
	const facts = configuredFacts({prices: {a: prices}, windows: {a: 8192, b: 4096}, counts: {c: 'ignore'}});
	expect(facts).toStrictEqual({a: {prices, window: 8192}, b: {window: 4096}, c: {counts: 'ignore'}});
});
