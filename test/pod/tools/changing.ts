import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {defaultLimits} from '../../../src/pod/config/limits.ts';
import type {Scope} from '../../../src/pod/scope/scope.ts';
import {backupsDir} from '../../../src/pod/session/backups.ts';
import {createTools} from '../../../src/pod/tools/tools.ts';
import {stamp, type Draft, type Item, type ToolOutput} from '../../../src/worker/index.ts';
import {countedClock} from '../../helpers/clock.ts';
import type {TempProject} from '../../helpers/temp-project.ts';
import {runTool} from './run-tool.ts';

/** The tools over a history that grows as in a pod: calls, and results behind them. */
export type Changing = {
	readonly items: Item[];
	readonly sessionDir: string;
	/** Calls a tool and commits call and result. */
	call(name: string, args: unknown): Promise<ToolOutput>;
	/** Calls several as one batch: all begin before any is committed. */
	batch(...calls: ReadonlyArray<readonly [name: string, args: unknown]>): Promise<readonly ToolOutput[]>;
	preview(name: string, args: unknown): ReturnType<NonNullable<ReturnType<typeof createTools>[number]['preview']>>;
	/** Commits an attachment as a submission does: the bytes as `content` says, unless `origin` says otherwise. */
	attach(path: string, content: string | Uint8Array, origin?: object): void;
	kept(content: string | Uint8Array): Promise<string>;
};

export function changing(
	project: Pick<TempProject, 'scope' | 'path'>,
	{
		scope = project.scope,
		items = [],
		env = {},
	}: {readonly scope?: Scope; readonly items?: Item[]; readonly env?: Readonly<Record<string, string>>} = {},
): Changing {
	const clock = countedClock();
	const sessionDir = project.path('../sessions/s1');
	const tools = createTools({
		scope,
		limits: defaultLimits,
		env: {HOME: project.path('../home'), ...env},
		sessionDir,
		items: () => items,
	});
	const commit = (draft: Draft) => items.push(stamp(clock, draft));
	const toolOf = (name: string) => tools.find(({definition}) => definition.name === name)!;
	const batch: Changing['batch'] = async (...calls) => {
		const ids = calls.map(([name, args]) => {
			const callId = clock.id();
			commit({type: 'tool_call', callId, name, arguments: JSON.stringify(args)});
			return callId;
		});
		commit({
			type: 'request',
			model: 'm',
			usage: {},
			requestHash: '',
			startedAt: '',
			endedAt: '',
			stop: 'tool_calls',
		});
		const targets = await Promise.all(calls.map(async ([name, args]) => toolOf(name).target?.(args)));
		const outputs = await Promise.all(
			calls.map(async ([name, args], index) =>
				runTool(toolOf(name), args, undefined, false, {target: targets[index]}),
			),
		);
		for (const [index, {summary, content, isError = false, details}] of outputs.entries())
			commit({
				type: 'tool_result',
				callId: ids[index]!,
				summary,
				content,
				isError,
				ms: 1,
				...(details && {details}),
			});
		return outputs;
	};
	return {
		items,
		sessionDir,
		batch,
		call: async (name, args) => (await batch([name, args]))[0]!,
		async preview(name, args) {
			const tool = toolOf(name);
			return tool.preview!(args, {target: await tool.target!(args), signal: new AbortController().signal});
		},
		attach(path, content, origin = {}) {
			const bytes = Buffer.from(content);
			const lines = bytes.toString().replace(/\n$/, '').split('\n').length;
			commit({
				type: 'message',
				role: 'system',
				text: `[File: ${path}]`,
				origin: {
					kind: 'file',
					path,
					bytes: bytes.length,
					totalBytes: bytes.length,
					lines,
					truncated: false,
					sha256: sha256(bytes),
					mtimeMs: 1,
					...origin,
				},
			});
		},
		kept: async content => readFile(join(backupsDir(sessionDir), sha256(content)), 'utf8'),
	};
}

export function sha256(content: string | Uint8Array): string {
	return createHash('sha256').update(content).digest('hex');
}
