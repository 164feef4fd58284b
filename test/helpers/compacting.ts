import {defaultLimits, type Limits} from '../../src/pod/config/limits.ts';
import {scriptedModel, type Answer, type Model, type ModelRequest} from '../../src/worker/index.ts';

/** Whether a request comes from the worker that writes a summary. */
export function isSummary({tools}: ModelRequest): boolean {
	return tools.some(({name}) => name === 'write_summary');
}

/** Counts the answers in a request. */
export function answersIn({messages}: ModelRequest): number {
	return messages.filter(({role}) => role === 'assistant').length;
}

export type CompactingModel = Model & {
	/** The requests of the conversation and of its compactions. */
	readonly requests: ModelRequest[];
	readonly summaries: ModelRequest[];
};

/**
Creates a model that answers with one function and summarises with another. `n` is the number of earlier requests of the
same kind.
*/
export function compactingModel(
	talk: (request: ModelRequest, n: number) => Answer,
	summary: (request: ModelRequest, n: number) => Answer | Promise<Answer> = writes('So far.'),
): CompactingModel {
	const requests: ModelRequest[] = [];
	const summaries: ModelRequest[] = [];
	const model = scriptedModel(request => {
		const [all, answer] = isSummary(request) ? [summaries, summary] : [requests, talk];
		all.push(structuredClone(request));
		return answer(request, all.length - 1);
	});
	return {...model, requests, summaries};
}

/** Calls these tools and then ends. Each list is one answer. */
export function steps(
	...answers: ReadonlyArray<ReadonlyArray<readonly [name: string, args: Record<string, unknown>]>>
): (request: ModelRequest) => Answer {
	return request => {
		const calls = answers[answersIn(request)];
		if (calls === undefined)
			return [
				{type: 'text', text: 'Done.'},
				{type: 'usage', input: 100, output: 10},
			];
		return [
			...calls.map(([name, args], index) => ({
				type: 'tool_call' as const,
				callId: `s${answersIn(request)}_${index}`,
				name,
				arguments: args,
			})),
			{type: 'usage', input: 100, output: 10},
		];
	};
}

/** Marks these files, then writes a summary. */
export function writes(
	text: string,
	...marks: ReadonlyArray<Record<string, unknown>>
): (request: ModelRequest) => Answer {
	return steps([...marks.map(args => ['mark_read_required', args] as const), ['write_summary', {text}]]);
}

export function compactionLimits(compaction: Partial<Limits['compaction']>): Limits {
	return {...defaultLimits, compaction: {...defaultLimits.compaction, ...compaction}};
}

/** Returns words of about this many tokens. */
export function words(tokens: number, word = 'word'): string {
	return Array.from({length: tokens}, () => word).join(' ');
}
