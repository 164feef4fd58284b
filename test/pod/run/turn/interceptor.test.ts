import {describe, expect, it} from 'vitest';
import {composeInterceptors} from '../../../../src/pod/run/turn/interceptor.ts';
import type {Interceptor, Item, RequestEnd, ToolCall} from '../../../../src/worker/index.ts';
import {textItem} from '../../../helpers/socket-pod.ts';

const call = {} as ToolCall;
const facts = {effect: 'write', mayHaveRun: false, args: {}} as const;
const adds = (id: string): Interceptor => ({
	preRequest: () => ({type: 'continueWith', items: [textItem(id, id)]}),
	onTurnEnd: async () => ({type: 'continueWith', items: [textItem(id, id)]}),
});

describe('composed interceptors', () => {
	it('continue when none of them returns anything', async () => {
		const none = composeInterceptors({}, {});
		expect(
			[
				await none.preToolCall(call, facts),
				await none.preRequest(),
				await none.onTurnEnd({} as RequestEnd),
				await none.onPromptSubmit([]),
			].map(({type}) => type),
		).toEqual(['continue', 'continue', 'finish', 'continue']);
	});

	it('check a call in order until the first refusal', async () => {
		const asked: string[] = [];
		const says = (name: string, type: 'continue' | 'pause'): Interceptor => ({
			preToolCall() {
				asked.push(name);
				return {type};
			},
		});
		expect(
			await composeInterceptors(says('a', 'continue'), says('b', 'pause'), says('c', 'continue')).preToolCall(
				call,
				facts,
			),
		).toEqual({type: 'pause'});
		expect(asked).toEqual(['a', 'b']);
	});

	it('add all their items in order', async () => {
		const both = composeInterceptors(adds('1'), {}, adds('2'));
		const ids = (answer: {readonly type: string; readonly items?: readonly Item[]}) => [
			answer.type,
			answer.items?.map(({id}) => id),
		];
		expect([ids(await both.preRequest()), ids(await both.onTurnEnd({} as RequestEnd))]).toEqual([
			['continueWith', ['1', '2']],
			['continueWith', ['1', '2']],
		]);
	});

	it('end the run when a later one ends it after items were added', async () => {
		expect(
			await composeInterceptors(adds('1'), {preRequest: () => ({type: 'cancel', reason: 'r'})}).preRequest(),
		).toEqual({
			type: 'cancel',
			reason: 'r',
		});
	});
});
