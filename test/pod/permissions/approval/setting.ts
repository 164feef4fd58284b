import {join} from 'node:path';
import {z} from 'zod';
import type {PodOptions} from '../../../../src/pod/open.ts';
import type {Ask} from '../../../../src/pod/protocol.ts';
import {defineTool, type Model, type Tool} from '../../../../src/worker/index.ts';
import {reopened, testPod, type TestPod, type TestPodOptions} from '../../../helpers/pod.ts';
import {scopeOf, tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../../../helpers/event-model.ts';

type Call = ReturnType<typeof calls>;

export function bash(callId: string, command: string): Call {
	return calls(callId, 'bash', {command});
}

export function edit(callId: string, path: string): Call {
	return calls(callId, 'edit_file', {path});
}

export function mcp(callId: string): Call {
	return calls(callId, 'mcp__s__t', {});
}

/** Creates a model that makes one batch of calls after another, and then two answers without calls. */
export function model(...batches: ReadonlyArray<readonly Call[]>): ReturnType<typeof eventModel> {
	const end = answer(says('Done.'));
	return eventModel(...batches.map(batch => answer(...batch)), end, end);
}

/** Opens a pod with a tool of each kind. The tools only record their runs. */
export type Setting = {
	readonly told: TestPod;
	readonly project: TempProject;
	readonly ran: string[];
	/** Opens the same session again, as another process would. */ readonly reopen: (
		change?: Change,
	) => Promise<TestPod>;
};
export type Change = Partial<Pick<PodOptions, 'approval' | 'untrusted' | 'attended' | 'env'>> & {
	readonly model?: Model;
	readonly readOnly?: boolean;
};

export async function setting(model: Model, {readOnly = false, ...change}: Change = {}): Promise<Setting> {
	const project = await tempProject({'a.ts': 'a\n'});
	const ran: string[] = [];
	const options = (given: Omit<Change, 'readOnly'>): Omit<TestPodOptions, 'model'> => ({
		moreTools: tools(ran),
		...given,
	});
	const told = await testPod(project, {
		...options(change),
		model,
		...(readOnly && {scope: await scopeOf(project.dir, {writable: false})}),
	});
	return {
		told,
		project,
		ran,
		async reopen({model: next = model, ...other} = {}) {
			await told.pod.send({method: 'shutdown'});
			return testPod(project, {...options({...change, ...other}), model: next, session: await reopened(told)});
		},
	};
}

/** Returns the folder with a project's saved rules and trust. */
export function stateOf(project: TempProject): string {
	return join(project.dir, '..', 'home', '.local/state/inkpod');
}

export async function asked({until, status}: TestPod): Promise<Ask> {
	await until(() => status().asks.length > 0);
	return status().asks[0]!;
}

/** Answers the open question, or else the next one. */
export async function choose(told: TestPod, choice: string, reason?: string): Promise<Ask> {
	const ask = await asked(told);
	await told.pod.send({method: 'answer', askId: ask.id, choice, ...(reason !== undefined && {reason})});
	return ask;
}

export function results({items}: TestPod): ReadonlyArray<readonly [string, boolean]> {
	return items().flatMap(item => (item.type === 'tool_result' ? [[item.content, item.isError] as const] : []));
}

function tools(ran: string[]): readonly Tool[] {
	const did = async (what: string) => {
		ran.push(what);
		return {summary: 'done', content: `did ${what}`};
	};
	return [
		defineTool({
			name: 'bash',
			description: '',
			effect: 'execute',
			input: z.object({command: z.string()}),
			execute: async ({command}) => did(command),
			preview: async ({command}) => ({title: 'Run a command?', detail: command, shows: 'command'}),
		}),
		defineTool({
			name: 'edit_file',
			description: '',
			effect: 'write',
			input: z.object({path: z.string()}),
			execute: async ({path}) => did(path),
			async preview() {
				throw new Error('there is nothing to show');
			},
		}),
		defineTool({
			name: 'mcp__s__t',
			description: '',
			effect: 'read',
			input: z.object({}),
			execute: async () => did('mcp'),
		}),
	];
}
