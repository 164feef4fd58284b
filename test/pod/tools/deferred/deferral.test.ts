import {describe, expect, it} from 'vitest';
import {estimateTokens} from '../../../../src/pod/ground/text/tokens.ts';
import {composeDefinitions, type OfferedTools} from '../../../../src/pod/tools/deferred/deferral.ts';
import type {ToolDefinition} from '../../../../src/worker/index.ts';
import {manyDefinitions, toolOf} from '../../../helpers/many-tools.ts';

const many = manyDefinitions();

const own = Array.from({length: 13}, (_, index) =>
	toolOf({name: `own_${index}`, description: 'One of inkpod.', parameters: {type: 'object'}}),
);

const compose = (ofServers: readonly ToolDefinition[], more: Partial<OfferedTools> = {}) =>
	composeDefinitions({
		own,
		ofServers: ofServers.map(toolOf),
		isDenied: () => false,
		window: undefined,
		...more,
	});

const serverPart = (definitions: readonly ToolDefinition[]) =>
	definitions.slice(own.length).map(({name, deferred}) => (deferred === undefined ? name : `${name} ${deferred}`));

const deferring = (count: number) => [`find_tools ${count}`, 'call_tool'];

describe('the definitions of a request', () => {
	it('contain up to 40 tools, and defer those of servers when there are more', () => {
		expect(serverPart(compose(many.slice(0, 27)))).toEqual(many.slice(0, 27).map(({name}) => name));
		expect(serverPart(compose(many.slice(0, 28)))).toEqual(deferring(28));
		expect(compose(many).slice(0, own.length)).toEqual(own.map(({definition}) => definition));
	});

	it('are deferred when they take more than a tenth of a known window', () => {
		const few = many.slice(0, 10).map(tool => ({...tool, description: 'word '.repeat(300)}));
		const tokens = [...own.map(({definition}) => definition), ...few].reduce(
			(sum, definition) => sum + estimateTokens(JSON.stringify(definition)),
			0,
		);
		expect(serverPart(compose(few, {window: tokens * 10}))).toHaveLength(10);
		expect(serverPart(compose(few, {window: tokens * 10 - 10}))).toEqual(deferring(10));
		expect(serverPart(compose(few))).toHaveLength(10);
	});

	it('never defer the tools of inkpod, nor a few small ones that are shorter than their replacement', () => {
		expect(serverPart(compose([], {window: 100}))).toEqual([]);
		const first = many.slice(0, 1);
		expect(serverPart(compose(first, {window: 100}))).toEqual([many[0]!.name]);
		const manyOwn = Array.from({length: 4}, () => own).flat();
		expect(compose(first, {own: manyOwn}).slice(manyOwn.length)).toEqual(first);
	});

	it('do not list a deferred tool that a rule denies', () => {
		const isDenied = (name: string) => name.includes('_issue_');
		const [list] = compose(many, {isDenied}).slice(own.length);
		expect(list?.deferred).toBe(350);
		expect(JSON.stringify(list)).not.toContain('_issue_');
		expect(serverPart(compose(many, {isDenied: () => true}))).toEqual([]);
	});

	it.each([undefined, 8000, 32_000, 1_000_000])('are the same for the same tools and a window of %s', window => {
		const [one, other] = [compose(many, {window}), compose(manyDefinitions(), {window})];
		expect(JSON.stringify(one)).toBe(JSON.stringify(other));
		const tokens = estimateTokens(JSON.stringify(one.slice(own.length)));
		expect(tokens).toBeLessThan(Math.min(3500, 0.1 * (window ?? Infinity) + 300));
	});
});
