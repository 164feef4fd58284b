import {en} from '../../../language/index.ts';
import {z} from 'zod';
import {
	defineTool,
	stamp,
	type Clock,
	type Item,
	type Tool,
	type ToolCallContext,
	type ToolOutput,
} from '../../../worker/index.ts';
import type {Workflows} from '../workflows/workflows.ts';
import {workflowFacts} from '../../protocol/tool-definitions.ts';
import {errorOutput} from '../../ground/values/is-record.ts';

type WorkflowToolOptions = {
	readonly workflows: Pick<Workflows, 'invoke' | 'offered'>;
	readonly clock: Clock;
	/** Makes the folders of the skills in these items readable. */
	readonly widen: (items: readonly Item[]) => Promise<void>;
};

/**
Creates the tool that invokes a workflow. The call adds the same items as an invocation by the user. They are committed
in one append, after the result of the call.
*/
export function workflowTool(options: WorkflowToolOptions): Tool {
	return defineTool({
		...workflowFacts,
		input: z.object({
			slug: z.string().min(1).max(65).describe(workflowFacts.arguments.slug),
			arguments: z.string().max(maxArguments).optional().describe(workflowFacts.arguments.arguments),
		}),
		execute: async (args, call) => invoke(args, call, options),
	});
}

const maxArguments = 16_384;

async function invoke(
	{slug: written, arguments: args = ''}: {readonly slug: string; readonly arguments?: string | undefined},
	{callId, signal}: ToolCallContext,
	{workflows, clock, widen}: WorkflowToolOptions,
): Promise<ToolOutput> {
	const slug = written.replace(/^\//, '');
	const offered = await workflows.offered();
	const own = offered.find(workflow => workflow.slug === slug);
	const invocation = await workflows.invoke(slug, args.trim(), {callId, signal});
	signal.throwIfAborted();
	if (!invocation.ok)
		return errorOutput(
			own === undefined
				? `${invocation.sentence} ${choice(offered.map(workflow => workflow.slug))}`
				: invocation.sentence,
		);
	const items = invocation.drafts.map(draft => stamp(clock, draft));
	await widen(items);
	const required = invocation.workflow.meta.requires.map(name => `#${name}`);
	const folder = own?.folder === undefined ? '' : ` Its other files lie below ${own.folder}; you may read them.`;
	const named = required.join(', ');
	const knowledge = required.length === 0 ? '' : `, with the Knowledge that it requires: ${named}`;
	return {
		summary: required.length === 0 ? `/${slug}` : en`/${slug} with ${named}`,
		content: `The workflow /${slug} follows${knowledge}.${folder}`,
		items,
	};
}

const maxNamed = 30;

function choice(slugs: readonly string[]): string {
	if (slugs.length === 0) return en`You may not invoke any workflow.`;
	const names = slugs
		.slice(0, maxNamed)
		.map(slug => `/${slug}`)
		.join(', ');
	const more = slugs.length - maxNamed;
	return more > 0
		? en`You may invoke these workflows: ${names} and ${more} more.`
		: en`You may invoke these workflows: ${names}.`;
}
