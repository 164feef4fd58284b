import type {Tool, ToolOutput} from '../../../src/worker/index.ts';

/** Runs a tool as the worker does: arguments are checked first, a misfit throws. `isConfirmed`: what it wants confirmed is. */
export async function runTool(tool: Tool, args: unknown, signal: AbortSignal = new AbortController().signal, isConfirmed = false): Promise<ToolOutput> {
	const checked = tool.check(args);
	if (!checked.ok) throw new Error(checked.message);
	if (isConfirmed) (await tool.confirmation?.(checked.args))?.confirm();
	return tool.execute(checked.args, {callId: 'call_1', signal, progress() {}});
}
