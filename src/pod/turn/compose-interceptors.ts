import type {Interceptor, Item} from '../../worker/index.ts';

/**
Several interceptors as one. At each point they are asked one after another: after `continue` and `finish` the next one
is asked, and after `continueWith`, whose items are joined. Any other answer is the last one. An interceptor that takes
items out of a queue comes after those that may end the run.
*/
export function composeInterceptors(...interceptors: readonly Interceptor[]): Required<Interceptor> {
	return {
		onPromptSubmit: async items => through(interceptors, 'onPromptSubmit', [items], {type: 'continue'}),
		preRequest: async () => through(interceptors, 'preRequest', [], {type: 'continue'}),
		onRequestFailure: async failure => through(interceptors, 'onRequestFailure', [failure], {type: 'fail'}),
		preToolCall: async (call, facts) => through(interceptors, 'preToolCall', [call, facts], {type: 'continue'}),
		postToolCall: async (call, result) => through(interceptors, 'postToolCall', [call, result], {type: 'continue'}),
		onTurnEnd: async request => through(interceptors, 'onTurnEnd', [request], {type: 'finish'}),
	};
}

type Point = keyof Interceptor;
type Answer<Name extends Point> = Awaited<ReturnType<Required<Interceptor>[Name]>>;

async function through<Name extends Point>(
	interceptors: readonly Interceptor[],
	point: Name,
	args: Parameters<Required<Interceptor>[Name]>,
	neutral: Answer<Name>,
): Promise<Answer<Name>> {
	const added: Item[] = [];
	for (const interceptor of interceptors) {
		const ask = interceptor[point] as ((...given: typeof args) => Answer<Name> | Promise<Answer<Name>>) | undefined;
		const answer = (await ask?.(...args)) ?? neutral;
		if (answer.type === 'continueWith') added.push(...answer.items);
		else if (answer.type !== neutral.type) return answer;
	}
	return added.length === 0 ? neutral : ({type: 'continueWith', items: added} as Answer<Name>);
}
