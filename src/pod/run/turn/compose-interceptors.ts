import type {Interceptor, Item} from '../../../worker/index.ts';

/**
Composes several interceptors into one. At each point it calls them one after another. After `continue`, `finish` and
`continueWith` it calls the next interceptor. It joins the items of `continueWith`. Any other answer is final. An
interceptor that takes items out of a queue must come after those that may end the run.
*/
export function composeInterceptors(...all: readonly Interceptor[]): Required<Interceptor> {
	return {
		onPromptSubmit: async items =>
			through<At<'onPromptSubmit'>>(all, each => each.onPromptSubmit?.(items), proceed, withItems),
		preRequest: async () => through<At<'preRequest'>>(all, each => each.preRequest?.(), proceed, withItems),
		onAnswer: async ending => through<At<'onAnswer'>>(all, each => each.onAnswer?.(ending), proceed, withItems),
		onRequestFailure: async (failure, isRetry) =>
			through<At<'onRequestFailure'>>(all, each => each.onRequestFailure?.(failure, isRetry), fail),
		preToolCall: async (call, facts) => through(all, each => each.preToolCall?.(call, facts), proceed),
		postToolCall: async (call, result) => through(all, each => each.postToolCall?.(call, result), proceed),
		onTurnEnd: async request => through<At<'onTurnEnd'>>(all, each => each.onTurnEnd?.(request), finish, withItems),
	};
}

const proceed = {type: 'continue'} as const;
const fail = {type: 'fail'} as const;
const finish = {type: 'finish'} as const;
const withItems = (items: readonly Item[]) => ({type: 'continueWith', items}) as const;

type At<Point extends keyof Interceptor> = Awaited<ReturnType<Required<Interceptor>[Point]>>;
type Answer = {readonly type: string; readonly items?: readonly Item[]};

/** Calls the interceptors at one point. `join` creates the answer with all items, if the point allows items. */
async function through<Own extends Answer>(
	all: readonly Interceptor[],
	ask: (interceptor: Interceptor) => Own | Promise<Own> | undefined,
	neutral: Own,
	join?: (items: readonly Item[]) => Own,
): Promise<Own> {
	const added: Item[] = [];
	for (const interceptor of all) {
		const answer = (await ask(interceptor)) ?? neutral;
		if (answer.type === 'continueWith') added.push(...(answer.items ?? []));
		else if (answer.type !== neutral.type) return answer;
	}
	return join === undefined || added.length === 0 ? neutral : join(added);
}
