import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {defaultLimits} from '../../../../src/pod/config/limits.ts';
import type {Scope} from '../../../../src/pod/scope/scope.ts';
import {backupsDir} from '../../../../src/pod/disk/bodies/pasted.ts';
import {createTools} from '../../../../src/pod/tools/tools.ts';
import {stamp, type Clock, type Draft, type Item, type Tool, type ToolOutput} from '../../../../src/worker/index.ts';
import {countedClock} from '../../../helpers/clock.ts';
import type {TempProject} from '../../../helpers/temp-project.ts';
import {runTool} from '../run-tool.ts';

/** The tools with a history. As in a pod, it grows by calls and their results. */
export type FileTools = {
	readonly items: Item[];
	readonly sessionDir: string;
	/** Calls a tool and commits call and result. */
	call(name: string, args: unknown): Promise<ToolOutput>;
	/** Calls several tools as one batch. All begin before the first is committed. */
	batch(...calls: readonly NamedCall[]): Promise<readonly ToolOutput[]>;
	preview(name: string, args: unknown): ReturnType<NonNullable<Tool['preview']>>;
	/** Commits an attachment as a submission does. `origin` overrides what is derived from `content`. */
	attach(path: string, content: string | Uint8Array, origin?: object): void;
	kept(content: string | Uint8Array): Promise<string>;
};

type NamedCall = readonly [name: string, args: unknown];

type FileToolsOptions = {
	readonly scope?: Scope;
	readonly items?: Item[];
	readonly env?: Readonly<Record<string, string>>;
};

export function fileTools(
	project: Pick<TempProject, 'scope' | 'path'>,
	{scope = project.scope, items = [], env = {}}: FileToolsOptions = {},
): FileTools {
	const clock = countedClock();
	const sessionDir = project.path('../sessions/s1');
	const tools = createTools({
		scope,
		limits: defaultLimits,
		env: {HOME: project.path('../home'), ...env},
		sessionDir,
		items: () => items,
	});
	const commit = (draft: Draft) => void items.push(stamp(clock, draft));
	const batch = async (...calls: readonly NamedCall[]) => runBatch(calls, {tools, clock, commit});
	return {
		items,
		sessionDir,
		batch,
		call: async (name, args) => (await batch([name, args]))[0]!,
		async preview(name, args) {
			const tool = toolOf(tools, name);
			return tool.preview!(args, {target: await tool.target!(args), signal: new AbortController().signal});
		},
		attach: (path, content, origin = {}) => commit(attachment(path, Buffer.from(content), origin)),
		kept: async content => readFile(join(backupsDir(sessionDir), sha256(content)), 'utf8'),
	};
}

export function sha256(content: string | Uint8Array): string {
	return createHash('sha256').update(content).digest('hex');
}

type Session = {readonly tools: readonly Tool[]; readonly clock: Clock; readonly commit: (draft: Draft) => void};

async function runBatch(calls: readonly NamedCall[], {tools, clock, commit}: Session): Promise<readonly ToolOutput[]> {
	const ids = calls.map(([name, args]) => {
		const callId = clock.id();
		commit({type: 'tool_call', callId, name, arguments: JSON.stringify(args)});
		return callId;
	});
	commit(answeredRequest);
	const targets = await Promise.all(calls.map(async ([name, args]) => toolOf(tools, name).target?.(args)));
	const outputs = await Promise.all(
		calls.map(async ([name, args], index) =>
			runTool(toolOf(tools, name), args, undefined, false, {target: targets[index]}),
		),
	);
	for (const [index, {summary, content, isError = false, details}] of outputs.entries()) {
		const result = {summary, content, isError, ms: 1, ...(details && {details})};
		commit({type: 'tool_result', callId: ids[index]!, ...result});
	}
	return outputs;
}

const answeredRequest: Draft<'request'> = {
	type: 'request',
	model: 'm',
	usage: {},
	requestHash: '',
	startedAt: '',
	endedAt: '',
	stop: 'tool_calls',
};

function toolOf(tools: readonly Tool[], name: string): Tool {
	return tools.find(({definition}) => definition.name === name)!;
}

function attachment(path: string, bytes: Buffer, origin: object): Draft<'message'> {
	return {
		type: 'message',
		role: 'system',
		text: `[File: ${path}]`,
		origin: {
			kind: 'file',
			path,
			bytes: bytes.length,
			totalBytes: bytes.length,
			lines: bytes.toString().replace(/\n$/, '').split('\n').length,
			truncated: false,
			sha256: sha256(bytes),
			mtimeMs: 1,
			...origin,
		},
	};
}
