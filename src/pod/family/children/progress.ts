import {cutText, type Item, type RunEnd, type ToolCall, type Usage} from '../../../worker/index.ts';
import {namedCall, narrowOrigin, toolFactsOf, wholeUsage, type ChildStatus} from '../../protocol.ts';
import {isRecord} from '../../ground/values/is-record.ts';

/** The progress of a child since its task began. */
export type Progress = {
	/** Adds the next item of the child's history. */
	add(item: Item): void;
	/** Returns the number of items in the child's history, including copied ones. */
	readonly items: () => number;
	/** Returns the requests and their ends since the task began. */
	readonly requests: () => readonly Item[];
	readonly usage: () => Usage;
	/** Tells whether the child has received its task. */
	readonly hasBegun: () => boolean;
	/** Returns the end of the last run, if no newer run has begun. */
	readonly end: () => RunEnd | undefined;
	/** Returns the received text of the last answer. */
	readonly text: () => string;
	/** Returns the tool and the main argument of a call. */
	readonly call: (callId: string) => ChildStatus['calls'][number] | undefined;
};

/** Creates a progress without items. Only `items` counts the copied items of the parent before the task. */
export function createProgress(): Progress {
	let count = 0;
	let hasBegun = false;
	let requests: Item[] = [];
	let usage: Usage = {};
	let end: RunEnd | undefined;
	let texts: string[] = [];
	const calls = new Map<string, ToolCall>();

	function begin(): void {
		hasBegun = true;
		requests = [];
		usage = {};
		end = undefined;
		texts = [];
		calls.clear();
	}

	return {
		add(item) {
			count++;
			if (item.type === 'message' && narrowOrigin(item.origin)?.kind === 'task') begin();
			else if (item.type === 'message' && item.role === 'assistant') texts.push(item.text);
			else if (item.type === 'tool_call') calls.set(item.callId, namedCall(item));
			else if (item.type === 'run_end') end = item;
			else if (item.type === 'request') {
				texts = [];
				end = undefined;
				requests.push(item);
			} else if (item.type === 'request_end') {
				requests.push(item);
				usage = sum(usage, wholeUsage(item.usage));
			}
		},
		items: () => count,
		requests: () => requests,
		usage: () => usage,
		hasBegun: () => hasBegun,
		end: () => end,
		text: () => texts.join('\n\n').trim(),
		call(callId) {
			const found = calls.get(callId);
			return found && {tool: cut(found.name), subject: cut(subjectOf(found))};
		},
	};
}

/** Returns the progress of a child from all of its items. */
export function progressOf(items: readonly Item[]): Progress {
	const progress = createProgress();
	for (const item of items) progress.add(item);
	return progress;
}

const counts = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWriteHour', 'reasoning'] as const;

function sum(one: Usage, other: Usage): Usage {
	return Object.fromEntries(
		counts.flatMap(name => {
			const known = [one[name], other[name]].filter(value => value !== undefined);
			return known.length === 0 ? [] : [[name, known.reduce((total, value) => total + value, 0)]];
		}),
	);
}

/** Returns the main argument of a call, as the model wrote it. */
function subjectOf({name, arguments: written}: ToolCall): string {
	const argument = toolFactsOf(name)?.subject.argument;
	if (argument === undefined) return '';
	try {
		const args: unknown = JSON.parse(written);
		const value = isRecord(args) ? args[argument] : undefined;
		return typeof value === 'string' ? value : '';
	} catch {
		return '';
	}
}

/** The maximum number of bytes of a text in the status. */
const maxShown = 200;

function cut(text: string): string {
	const [line = ''] = text.split('\n', 1);
	return cutText(line, maxShown).text;
}
