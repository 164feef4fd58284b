import {en, t} from '../../../language/index.ts';

/** The texts about servers that drop the beginning of a prompt. */
export const guardTexts = {
	title: t`The server drops the beginning of the context. Send the next request anyway?`,
	send: t`Send anyway`,
	deny: t`Do not send`,
	ignore: t`Ignore this server’s token counts, and send`,
	denied: t`Nothing was sent: the server drops the beginning of the context.`,
	/** The recorded texts of the two answers that apply until the end of the session. */
	answers: {
		send: en`You chose to send although the server drops the beginning of the context.`,
		ignore: en`You chose to ignore this server’s token counts. To keep that, set counts = "ignore" for the model.`,
	},
	/** `own`: the number of tokens of the system prompt and the tools. */
	tooSmall: ({model, window, own}: {readonly model: string} & Sizes, server: string) =>
		en`Not sent: inkpod itself needs about ${own} tokens, and the window of ${model} has ${window}.
			${fixOf(server)}`,
	tooLong: ({window, tokens}: {readonly window: number; readonly tokens: number}, server: string) =>
		en`Not sent: the request has about ${tokens} tokens, and the window has ${window}. ${fixOf(server)}`,
};

type Sizes = {readonly window: number; readonly own: number};

/** The text of the notice. `server`: the provider or the dialect of the server. */
export function truncatedText({read, of}: {readonly read: number; readonly of: number}, server: string): string {
	const what = en`The server kept ${read} of about ${of} tokens: it dropped the beginning of the context.`;
	return `${what}\n${fixOf(server)}`;
}

export function oneLine(text: string): string {
	return text.replaceAll('\n', ' ');
}

function fixOf(server: string): string {
	return fixes.get(server) ?? otherFix;
}

/** The instructions for enlarging the window, by server. */
const fixes: ReadonlyMap<string, string> = new Map([
	[
		'ollama',
		en`Give Ollama a larger window: start it with OLLAMA_CONTEXT_LENGTH=32768, or set num_ctx in the model’s
			Modelfile.`,
	],
	['lmstudio', en`Load the model in LM Studio again with a larger context length.`],
	['llama.cpp', en`Start llama-server again with a larger --ctx-size.`],
	['vllm', en`Start vLLM again with a larger --max-model-len.`],
]);

const otherFix = en`Give the server a larger context window, use another model, or shorten the context with /compact.`;
