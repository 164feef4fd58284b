import {ulid} from 'ulid';
import type {Tool, ToolOutput} from '../../../src/worker/index.ts';

/**
Runs a tool like the worker. It checks the arguments first and throws for invalid ones. It starts the call over if the
target has moved.
`isConfirmed`: the user confirms everything. `first`: the target, if it was found earlier.
*/
export async function runTool(
	tool: Tool,
	args: unknown,
	signal: AbortSignal = new AbortController().signal,
	isConfirmed = false,
	first?: {readonly target: string | undefined},
): Promise<ToolOutput> {
	const checked = tool.check(args);
	if (!checked.ok) throw new Error(checked.message);
	for (let start = 1; start <= 3; start += 1) {
		const target = first !== undefined && start === 1 ? first.target : await tool.target?.(checked.args);
		if (isConfirmed) (await tool.confirmation?.(checked.args, {target, signal}))?.confirm();
		const output = await tool.execute(checked.args, {id: ulid(), callId: 'call_1', target, signal, progress() {}});
		if (output === 'moved') continue;
		await output.onCommitted?.();
		return output;
	}
	return {summary: 'moved', content: 'moved', isError: true};
}
