import {enCount} from '../../../language/index.ts';
import {z} from 'zod';
import {defineTool, type Tool} from '../../../worker/index.ts';
import {summaryToolNames} from '../../protocol/tool-definitions.ts';
import {errorOutput} from '../../ground/values/tool-output.ts';
import {toolTexts} from './prompts.ts';

/** The tool that the model calls to write the summary. */
export type SummaryTool = {
	readonly tool: Tool;
	/** Returns the summary, or `undefined` before it is written. */
	text(): string | undefined;
	/** Returns the reason why a call of the tool was refused. */
	refusal(): string | undefined;
	refuse(why: string): void;
};

export function createSummaryTool(estimate: (text: string) => number): SummaryTool {
	let text: string | undefined;
	let refusal: string | undefined;
	const tool = defineTool({
		name: summaryToolNames.write,
		description: toolTexts.summary,
		effect: 'read',
		input: z.object({text: z.string().describe(toolTexts.summaryText)}),
		async execute(args) {
			const written = args.text.toWellFormed().trim();
			if (written === '') return errorOutput('The summary is empty.');
			const tokens = estimate(written);
			const size = enCount(tokens, 'token');
			if (tokens > maxSummaryTokens)
				return errorOutput(
					`The summary takes about ${size}; ${maxSummaryTokens} are the most. Write it shorter.`,
				);
			text = written;
			return {summary: size, content: 'The summary is taken.'};
		},
	});
	return {tool, text: () => text, refusal: () => refusal, refuse: why => void (refusal = why)};
}

const maxSummaryTokens = 8000;
