import {resolve} from 'node:path';
import type {Diff, ToolCallContent, ToolCallLocation, ToolCallStatus, ToolKind} from '@agentclientprotocol/sdk';
import {narrowDetails, toolFactsOf, type ToolCall, type ToolDetails, type ToolResult} from '../../pod/protocol.ts';
import type {BlockOf} from '../../transcript/block.ts';
import {argumentSpans, toolName} from '../../transcript/tool-title.ts';
import {updateTexts} from '../texts.ts';
import {fenced} from './fenced.ts';
import type {Part, PartContext} from './parts.ts';

/** Returns the parts of a tool call: the call with its result, and the task list in the result. */
export function toolParts(block: BlockOf<'tool'>, context: PartContext): readonly Part[] {
	const {id, call, result, open} = block;
	const details = narrowDetails(result?.details);
	const isFinal = result !== undefined && result.partialOf === undefined && !open;
	const args = open && result === undefined ? undefined : argumentsOf(call);
	const part: Part = {
		kind: 'call',
		id,
		isFinal,
		call: {
			title: titleOf(call, details, args !== undefined),
			...(call !== undefined && {name: call.name}),
			kind: kindOf(call?.name),
			status: statusOf(call, result, context),
			content: contentOf(call, result, args, context),
			locations: locationsOf(call, args, details, context),
			rawInput: args,
			_meta: {
				inkpod: {id: call?.id ?? id, ...(result !== undefined && {result: result.id, summary: result.summary})},
			},
		},
	};
	return details.tasks === undefined ? [part] : [part, planPart(id, details.tasks)];
}

type Arguments = Readonly<Record<string, unknown>>;

function argumentsOf(call: ToolCall | undefined): Arguments | undefined {
	if (call === undefined) return undefined;
	try {
		const value: unknown = JSON.parse(call.arguments);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function isRecord(value: unknown): value is Arguments {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function titleOf(call: ToolCall | undefined, details: ToolDetails, isWhole: boolean): string {
	if (call === undefined) return updateTexts.call;
	const spans = isWhole ? argumentSpans(call, details, {columns: titleColumns}) : [];
	return toolName(call.name) + spans.map(span => span.text).join('');
}

const titleColumns = 120;

function statusOf(call: ToolCall | undefined, result: ToolResult | undefined, {stateOf}: PartContext): ToolCallStatus {
	if (result !== undefined) return result.isError || result.partialOf !== undefined ? 'failed' : 'completed';
	return call === undefined ? 'failed' : stateOf(call.callId);
}

/** Returns the kind of a tool. An editor chooses the icon by the kind. */
function kindOf(name = ''): ToolKind {
	const facts = toolFactsOf(name);
	if (facts === undefined) return 'other';
	if (facts.folded === 'searched') return 'search';
	if (facts.subject.kind === 'url') return 'fetch';
	if (facts.subject.kind === 'command') return 'execute';
	if (facts.subject.kind === 'file') return facts.effect === 'write' ? 'edit' : 'read';
	return facts.effect === 'read' ? 'think' : 'other';
}

function contentOf(
	call: ToolCall | undefined,
	result: ToolResult | undefined,
	args: Arguments | undefined,
	{pwd}: PartContext,
): ToolCallContent[] {
	const failed = result?.isError === true;
	const diffs = call === undefined || args === undefined || failed ? [] : diffsOf(call.name, args, pwd);
	return [
		...diffs.map(diff => ({type: 'diff' as const, ...diff})),
		...(result === undefined ? [] : [fenced(result.content)]),
	];
}

/** Returns the changes in the arguments of a call. An editor shows each change as a diff. */
function diffsOf(name: string, args: Arguments, pwd: string): readonly Diff[] {
	const {path, content, edits} = args;
	const facts = toolFactsOf(name);
	if (typeof path !== 'string' || facts?.effect !== 'write' || facts.subject.kind !== 'file') return [];
	const file = resolve(pwd, path);
	if (typeof content === 'string') return [{path: file, newText: content}];
	if (!Array.isArray(edits)) return [];
	return edits.filter(isRecord).flatMap(edit => {
		const {old, new: next} = edit;
		return typeof old === 'string' && typeof next === 'string' ? [{path: file, oldText: old, newText: next}] : [];
	});
}

function locationsOf(
	call: ToolCall | undefined,
	args: Arguments | undefined,
	{read}: ToolDetails,
	{pwd}: PartContext,
): ToolCallLocation[] {
	const subject = toolFactsOf(call?.name ?? '')?.subject;
	const path = subject?.kind === 'file' ? args?.[subject.argument] : undefined;
	if (typeof path !== 'string') return [];
	return [{path: resolve(pwd, path), ...(read !== undefined && !read.whole && {line: read.first})}];
}

const taskStates = {pending: 'pending', in_progress: 'in_progress', done: 'completed'} as const;

function planPart(id: string, tasks: NonNullable<ToolDetails['tasks']>): Part {
	const entries = tasks.map(({text, state}) => ({
		content: text,
		priority: 'medium' as const,
		status: taskStates[state],
	}));
	return {kind: 'plan', id: `${id}:plan`, entries, isFinal: true};
}
