import {relative} from 'node:path';
import type {Item, ToolResult} from '../../../worker/index.ts';
import {narrowDetails, type ToolDetails} from '../../protocol.ts';
import type {Files} from '../files.ts';
import {eachItem, type RecordHead} from './each-item.ts';

/** A change of a file by a tool, as a session recorded it. All texts are untrusted. */
export type FileChange = {
	readonly session: string;
	/** The folder of the history, which has the backups of the contents before the changes. */
	readonly dir: string;
	/** The real path, and the path from the directory of the session. */
	readonly real: string;
	readonly inProject: string;
	/** The hashes of the contents. `before` is absent for a new file. */
	readonly before?: string | undefined;
	readonly after: string;
	/** The tool and its arguments as the model wrote them. */
	readonly tool: string;
	readonly args: string;
	readonly diff?: string | undefined;
	/** The item of the call, and its time. */
	readonly item: string;
	readonly at: string;
	/** The model of the request that the call answers. */
	readonly model?: string | undefined;
	/** The number of the turn, from 1, and the user's message that began it. */
	readonly turn: number;
	readonly prompt: string;
	/** The title that the session had at its end. */
	readonly title: () => string | undefined;
	/** Whether a fork copied the change from another session. */
	readonly isCopied: boolean;
};

/**
Returns the changes of files that a history records, in order. Changes by commands are not recorded with their contents,
so they are not in the list. `problem`: a sentence if the history is damaged.
*/
export async function fileChangesIn(
	dir: string,
	files: Files,
): Promise<{readonly changes: readonly FileChange[]; readonly problem?: string | undefined}> {
	const reader = createReader(dir);
	const problem = await eachItem(
		dir,
		{
			onHead: head => reader.begin(head),
			onItem({type, item}) {
				if (readTypes.has(type)) reader.add(item());
			},
			onPause: async () => true,
		},
		files,
	);
	return {changes: reader.changes, problem};
}

const readTypes: ReadonlySet<string> = new Set([
	'message',
	'tool_call',
	'tool_result',
	'request',
	'run_end',
	'title',
] satisfies ReadonlyArray<Item['type']>);

function createReader(dir: string) {
	const changes: FileChange[] = [];
	const calls = new Map<string, {readonly item: string; readonly tool: string; readonly args: string}>();
	let head: RecordHead = {session: '', cwd: '/'};
	let title: string | undefined;
	let model: string | undefined;
	let turn = 1;
	let prompt = '';
	let isCopied = false;

	function addResult({callId, at, details}: ToolResult): void {
		const call = calls.get(callId);
		calls.delete(callId);
		if (details?.['changed'] === undefined) return;
		const {changed = [], diff}: ToolDetails = narrowDetails(details);
		for (const {real, before, after} of changed) {
			const facts = {turn, prompt, model, isCopied, diff, before, after, real, at};
			const inProject = relative(head.cwd, real);
			const {item = callId, tool = '', args = ''} = call ?? {};
			changes.push({session: head.session, dir, inProject, item, tool, args, title: () => title, ...facts});
		}
	}

	return {
		changes,
		begin(found: RecordHead) {
			head = found;
			isCopied = found.copiedTo !== undefined;
		},
		add(item: Item | undefined) {
			if (item?.type === 'message' && item.role === 'user' && prompt === '') prompt = item.text;
			if (item?.type === 'request') model = item.model;
			if (item?.type === 'title') title = item.title;
			if (item?.type === 'tool_call')
				calls.set(item.callId, {item: item.id, tool: item.name, args: item.arguments});
			if (item?.type === 'tool_result' && item.partialOf === undefined) addResult(item);
			if (item?.type === 'run_end') {
				turn += 1;
				prompt = '';
			}
			if (item?.id === head.copiedTo) isCopied = false;
		},
	};
}
